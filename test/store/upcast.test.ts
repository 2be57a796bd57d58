import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS, NO_USAGE } from '../../src/core/index.ts';
import { upcast } from '../../src/store/upcast.ts';

const bodyOf = (type: string, data: unknown): unknown => {
  const read = upcast(type, 1, data);
  return read.type === 'upcast' ? read.body : read.reason;
};

const USAGE_1 = { wallMs: 7, requests: 2, tokens: 9, metered: false };
const USAGE_2 = { ...USAGE_1, costMicros: 0, unpriced: 0 };
const LIMITS_1 = { wallClockSec: 60, attempts: 4, attemptsExtension: 1 };
const LIMITS_2 = { ...DEFAULT_LIMITS, ...LIMITS_1 };

describe('events of version 1', () => {
  test('know no models: what was used cost nothing, and has the limits that came with them', () => {
    expect(Object.keys(USAGE_2).sort()).toEqual(Object.keys(NO_USAGE).sort());
    expect(bodyOf('RunSettled', { actionId: 'a1', usage: USAGE_1 })).toMatchObject({ usage: USAGE_2 });
    expect(bodyOf('LateResultRecorded', { usage: USAGE_1 })).toMatchObject({ usage: USAGE_2 });
    const result = { summary: 'It works.', usage: USAGE_1 };
    expect(bodyOf('ItemCompleted', { result })).toMatchObject({ result: { ...result, usage: USAGE_2 } });
    expect(bodyOf('BudgetExtended', { limits: LIMITS_1 })).toMatchObject({ limits: LIMITS_2 });
  });

  test('know no conversation: an item begins without title, attachments and background of others', () => {
    expect(bodyOf('ItemCreated', { limits: LIMITS_1, actions: [] })).toEqual({
      type: 'ItemCreated',
      limits: LIMITS_2,
      actions: [],
      titlePending: false,
      attachments: [],
      background: [],
      reuseMemory: true,
    });
  });

  test('know Runs that asked no model and waited for no leave', () => {
    const claimed = bodyOf('RunClaimed', { run: { id: 'r1', epoch: 1 } });
    expect(claimed).toMatchObject({ run: { id: 'r1', epoch: 1, requests: 0, messagesHeard: 0, idle: false } });
  });

  test('of other types are what they were', () => {
    expect(bodyOf('StopRequested', { reason: 'enough' })).toEqual({ type: 'StopRequested', reason: 'enough' });
  });
});

test('events of the present version are taken as they are', () => {
  const data = { usage: USAGE_1 };
  expect(upcast('RunSettled', 2, data)).toEqual({ type: 'upcast', body: { type: 'RunSettled', ...data } });
});
