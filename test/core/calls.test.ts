import { describe, expect, test } from 'vitest';
import { completed, USED } from './builders.ts';
import {
  CHARGE,
  callFence,
  calls,
  coordinated,
  create,
  decides,
  lostAs,
  opens,
  prepareBody,
  prepares,
  REJECTED,
  responded,
  sends,
  settleCallBody,
  TOKENS,
  work,
} from './coordinator.ts';
import { ENGINE, type Scenario } from './scenario.ts';

const engine = { principal: ENGINE };
const OF_A = { actionId: 'a' };

function atWork(more: Parameters<typeof work>[1] = {}): Scenario {
  const made = coordinated();
  decides(made, [create(work('a', more))]);
  made.start('a');
  return made;
}

const statusOfCall = (made: Scenario, callId: string) => made.item.calls.find(({ id }) => id === callId)?.status;
const dispatch = (made: Scenario, callId: string) =>
  ({ type: 'DispatchCall', fence: callFence(made, 'a'), callId }) as const;

describe('the journal of model requests (architecture, "Model calls")', () => {
  test('prepared → dispatching → responded; charged once, and a repeated end is refused (rule 41, V44)', () => {
    const made = atWork();
    prepares(made, 'k1', OF_A);
    expect([statusOfCall(made, 'k1'), made.item.usage.requests]).toEqual(['prepared', 0]);
    made.does(dispatch(made, 'k1'), engine);
    expect([statusOfCall(made, 'k1'), made.item.usage.requests]).toEqual(['dispatching', 0]);
    const end = settleCallBody(made, 'k1', responded(), 'a');
    made.does(end, engine);
    made.refuses(end, 'call_not_found', engine);
    expect(made.item.usage).toMatchObject({ requests: 1, tokens: 100, costMicros: 300_000, unpriced: 0 });
    expect(made.action('a').usage).toMatchObject({ requests: 1, tokens: 100 });
  });

  test('nothing is sent that was not written down, nothing ends that was not sent', () => {
    const made = atWork();
    made.refuses(dispatch(made, 'k1'), 'call_not_found', engine);
    prepares(made, 'k1', OF_A);
    made.refuses(settleCallBody(made, 'k1', responded(), 'a'), 'wrong_state', engine);
  });

  test('is sent once: a second dispatch and a second request beside it are refused (rules 29, 40, V21)', () => {
    const made = atWork();
    sends(made, 'k1', OF_A);
    made.refuses(dispatch(made, 'k1'), 'wrong_state', engine);
    made.refuses(prepareBody(made, 'k2', { actionId: 'a', n: 2 }), 'wrong_state', engine);
  });

  test('what was provably not taken costs nothing, and may be sent again in place', () => {
    const made = atWork();
    calls(made, 'k1', OF_A, REJECTED);
    expect([statusOfCall(made, 'k1'), made.item.usage.requests]).toEqual(['rejected', 0]);
    made.does(dispatch(made, 'k1'), engine);
    made.does(settleCallBody(made, 'k1', responded(), 'a'), engine);
    expect(made.item.usage.requests).toBe(1);
    expect(made.item.calls).toEqual([]);
  });

  test('only its owner may touch it (rule 45)', () => {
    const made = atWork();
    sends(made, 'k1', OF_A);
    const end = settleCallBody(made, 'k1', responded(), 'a');
    if (end.fence.kind !== 'run') throw new Error('not of a Run');
    const { run } = end.fence;
    for (const other of [
      { ...run, epoch: 9 },
      { ...run, owner: 'w2' },
      { ...run, runId: 'run-9' },
    ]) {
      made.refuses({ ...end, fence: { kind: 'run', run: other } }, 'lease_lost', engine);
    }
    made.refuses({ ...end, fence: { kind: 'turn', turnId: 't1', epoch: 1, owner: 'w1' } }, 'lease_lost', engine);
  });

  test('the call of one Run is nothing to another', () => {
    const made = coordinated();
    decides(made, [create(work('a'), work('b'))]);
    made.start('a', 'b');
    sends(made, 'k1', OF_A);
    made.refuses(settleCallBody(made, 'k1', responded(), 'b'), 'call_not_found', engine);
    sends(made, 'k2', { actionId: 'b' });
  });

  test('a held item sends nothing more; what is on its way may still end (rule 46)', () => {
    const made = coordinated();
    decides(made, [create(work('a'), work('b'))]);
    made.start('a', 'b');
    sends(made, 'k1', OF_A);
    prepares(made, 'k2', { actionId: 'b' });
    made.does({ type: 'HoldItem', code: 'user', details: 'wait' });
    made.refuses({ type: 'DispatchCall', fence: callFence(made, 'b'), callId: 'k2' }, 'item_held', engine);
    made.does(settleCallBody(made, 'k1', responded(), 'a'), engine);
    made.refuses(prepareBody(made, 'k3', { actionId: 'a', n: 2 }), 'item_held', engine);
    made.settle('a', completed(['c1']));
  });
});

describe('RES-3, RES-4 an end that nobody knows', () => {
  test('keeps its estimate, until real usage replaces it, once', () => {
    const made = atWork();
    calls(made, 'k1', OF_A, lostAs({ tokens: 120, costMicros: null }));
    expect(made.item.usage).toMatchObject({ requests: 1, tokens: 120, costMicros: 0, unpriced: 1 });
    const real = { type: 'CorrectCall', callId: 'k1', charge: { tokens: 70, costMicros: 5 }, tokens: TOKENS } as const;
    made.does(real, engine);
    expect(made.item.usage).toMatchObject({ requests: 1, tokens: 70, costMicros: 5, unpriced: 0 });
    expect(made.action('a').usage).toMatchObject({ tokens: 70, costMicros: 5 });
    made.refuses(real, 'call_not_found', engine);
  });

  test('may turn out dearer than was thought; overshoot is kept', () => {
    const made = atWork();
    calls(made, 'k1', OF_A, lostAs());
    made.does({ type: 'CorrectCall', callId: 'k1', charge: { tokens: 900, costMicros: 9 }, tokens: TOKENS }, engine);
    expect(made.item.usage.tokens).toBe(900);
  });

  test('a correction of a call that nobody lost is refused', () => {
    const made = atWork();
    sends(made, 'k1', OF_A);
    made.refuses({ type: 'CorrectCall', callId: 'k1', charge: CHARGE, tokens: TOKENS }, 'call_not_found', engine);
  });

  test('nobody asks anything more in this Run', () => {
    const made = atWork();
    calls(made, 'k1', OF_A, lostAs());
    made.refuses(prepareBody(made, 'k2', { actionId: 'a', n: 2 }), 'wrong_state', engine);
  });
});

describe('a call ends with its owner', () => {
  const ends: readonly (readonly [string, (made: Scenario) => void])[] = [
    ['its lease runs out', (made) => made.expire('a', 'lease_expired')],
    ['its engine dies', (made) => made.expire('a', 'engine_died')],
    ['it is interrupted', (made) => made.interrupt('a')],
    ['it says retryable', (made) => made.settle('a', { kind: 'retryable', code: 'lost', error: 'lost' })],
  ];
  test.each(ends)('%s: what was sent is charged, the Action fails and a person is asked (D11, V22)', (_, end) => {
    const made = atWork();
    sends(made, 'k1', OF_A);
    end(made);
    expect(made.item.calls).toEqual([]);
    expect(made.item.uncertain).toMatchObject([{ id: 'k1', charge: CHARGE }]);
    expect(made.item.usage).toMatchObject({ requests: 1, tokens: 100 });
    expect(made.action('a')).toMatchObject({ status: 'failed', failureCode: 'model_call_unknown', attempts: 0 });
    expect(made.openKinds()).toEqual(['action_failed']);
    expect(made.dueKinds(), 'no automatic turn sends it back').toEqual([]);
    made.answer('action_failed', 'retry');
    expect(made.action('a')).toMatchObject({ status: 'ready', generation: 2 });
  });

  test.each(ends)('%s after the answer was already known to be lost: the same (ENG-4)', (_, end) => {
    const made = atWork();
    calls(made, 'k1', OF_A, lostAs());
    end(made);
    expect(made.action('a')).toMatchObject({ status: 'failed', failureCode: 'model_call_unknown' });
    expect(made.openKinds()).toEqual(['action_failed']);
  });

  test.each(ends.slice(0, 3))('%s: what was never sent is released, and the Action may go on (rule 40)', (_, end) => {
    const made = atWork();
    prepares(made, 'k1', OF_A);
    end(made);
    expect(made.item).toMatchObject({ calls: [], uncertain: [], usage: { requests: 0, tokens: 0 } });
    expect(made.action('a').status).toBe('ready');
  });

  test('it completes: an answer that it did not wait for is charged, and the result counts', () => {
    const made = atWork();
    sends(made, 'k1', OF_A);
    made.settle('a', completed(['c1']));
    expect(made.action('a').status).toBe('completed');
    expect(made.item.usage.requests).toBe(1);
  });

  test('a stop abandons, charges and asks nobody', () => {
    const made = coordinated();
    decides(made, [create(work('a'), work('b'))]);
    made.start('a', 'b');
    sends(made, 'k1', OF_A);
    prepares(made, 'k2', { actionId: 'b' });
    made.does({ type: 'StopItem', reason: 'enough' });
    expect(made.item).toMatchObject({ lifecycle: 'cancelled', calls: [], requests: [], usage: { requests: 1 } });
  });

  test('late usage of a Run that was taken from its owner is charged, and nothing else happens (D8)', () => {
    const made = atWork();
    made.expire('a', 'lease_expired');
    const before = { ...made.item, usage: undefined, version: 0, updatedAt: 0 };
    const usage = { ...USED, requests: 2, tokens: 50 };
    made.does({ type: 'RecordLate', actionId: 'a', runId: 'run-1', summary: 'late', usage }, engine);
    expect(made.item.usage).toMatchObject({ requests: 2, tokens: 50 });
    expect({ ...made.item, usage: undefined, version: 0, updatedAt: 0 }).toEqual(before);
  });
});

describe('calls of a turn', () => {
  test('answers are kept until the turn is over, so that nobody has to ask again (rule 29)', () => {
    const made = coordinated();
    opens(made);
    calls(made, 'k1');
    calls(made, 'k2', { n: 2 });
    expect(made.item.calls.map(({ n, status }) => [n, status])).toEqual([
      [1, 'responded'],
      [2, 'responded'],
    ]);
    decides(made, [create(work('a'))]);
    expect(made.item.calls).toEqual([]);
    expect(made.item.usage.requests).toBe(2);
  });

  test('carry no messages of an Action', () => {
    const made = coordinated();
    opens(made);
    made.refuses(prepareBody(made, 'k1', { messages: 1 }), 'invalid_field', engine);
  });

  test('only the 20 newest uncertain calls are kept; older ones stay charged as they are', () => {
    const made = atWork({ maxAttempts: 5 });
    for (let at = 0; at < 22; at += 1) {
      if (at > 0) {
        made.answer('action_failed', 'retry');
        made.later();
        made.start('a');
      }
      sends(made, `k${at}`, OF_A);
      made.expire('a', 'lease_expired');
    }
    expect(made.item.uncertain).toHaveLength(20);
    expect(made.item.usage.requests).toBe(22);
    made.refuses({ type: 'CorrectCall', callId: 'k1', charge: CHARGE, tokens: TOKENS }, 'call_not_found', engine);
  });
});
