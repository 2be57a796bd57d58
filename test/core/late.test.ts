import { describe, expect, test } from 'vitest';
import { ENGINE, scenario } from './scenario.ts';

const USED = { wallMs: 0, requests: 2, tokens: 30, costMicros: 0, unpriced: 0, metered: true };

describe('D8 a late word from an old epoch', () => {
  test('is recorded and charged, and changes nothing else', () => {
    const made = scenario();
    made.claim('a');
    const run = made.action('a').runId ?? '';
    made.does({ type: 'RedirectAction', actionId: 'a', generation: 1, guidance: 'another way' });
    const before = made.item;
    made.does({ type: 'RecordLate', actionId: 'a', runId: run, summary: 'done', usage: USED }, { principal: ENGINE });
    const { version, updatedAt, usage } = before;
    expect({ ...made.item, version, updatedAt, usage }).toEqual(before);
    expect(made.item.usage).toEqual({ ...usage, requests: usage.requests + 2, tokens: usage.tokens + 30 });
  });

  test('is refused of a Run that is live, and of an Action that nobody knows', () => {
    const made = scenario();
    made.claim('a');
    const late = {
      type: 'RecordLate',
      actionId: 'a',
      runId: made.action('a').runId ?? '',
      summary: '',
      usage: USED,
    } as const;
    made.refuses(late, 'wrong_state', { principal: ENGINE });
    made.refuses({ ...late, actionId: 'nobody', runId: 'r' }, 'wrong_state', { principal: ENGINE });
  });
});
