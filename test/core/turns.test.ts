import { describe, expect, test } from 'vitest';
import { decisionDueAt, sentenceOf, statusOf } from '../../src/core/index.ts';
import { checked, completed } from './builders.ts';
import {
  ANSWER,
  COMPLETE,
  callFence,
  calls,
  close,
  coordinated,
  create,
  decideBody,
  decides,
  failsTurn,
  guide,
  lostAs,
  opens,
  prepareBody,
  prepares,
  responded,
  says,
  sends,
  settleCallBody,
  TOKENS,
  turnFence,
  work,
} from './coordinator.ts';
import { ENGINE, type Scenario } from './scenario.ts';

const openBody = (epoch: number, owner = 'w1') => ({ type: 'OpenTurn', turnId: 'tx', epoch, owner }) as const;
const engine = { principal: ENGINE };

/** One Action created and done, so that a decision is owed. */
function afterWork(): Scenario {
  const made = coordinated();
  decides(made, [create(work('a'))]);
  made.completes('a', completed());
  return made;
}

describe('D17 when a decision is owed', () => {
  test('at the start, and no work may be claimed before (rule 32)', () => {
    const made = coordinated();
    expect(made.dueKinds()).toEqual(['decide']);
    expect(statusOf(made.item)).toBe('deciding');
    expect(opens(made)).toBe('automatic');
    expect(sentenceOf(made.item)).toContain('The Coordinator is deciding.');
  });

  test('only when the whole batch that can run has settled (rule 32, D6)', () => {
    const made = coordinated();
    decides(made, [create(work('a'), work('b'))]);
    made.start('a', 'b');
    made.settle('a', completed());
    made.merge('a');
    expect(decisionDueAt(made.item)).toBeUndefined();
    made.refuses(openBody(2), 'no_decision_due', engine);
    made.settle('b', { kind: 'failed', code: 'broken', error: 'no' });
    expect(opens(made)).toBe('automatic');
  });

  test('for an Action that is out of attempts, whatever ended it (rule 32, D13)', () => {
    const made = coordinated();
    decides(made, [create(work('a', { maxAttempts: 1 }))]);
    made.retries('a');
    expect(made.action('a')).toMatchObject({ status: 'failed', failureCode: 'attempts_exhausted' });
    expect(made.dueKinds()).toEqual(['decide']);
  });

  test("for a person's words at once, also beside running work", () => {
    const made = coordinated();
    decides(made, [create(work('a'))]);
    made.start('a');
    says(made, 'what is going on?');
    expect(opens(made)).toBe('user');
  });

  test('all that was said before it opens is heard by one turn; what comes later by the next', () => {
    const made = coordinated();
    says(made, 'one');
    says(made, 'two');
    opens(made);
    says(made, 'three');
    decides(made, [ANSWER]);
    expect(made.item.inbox).toMatchObject([{ message: { text: 'three' } }]);
    expect(opens(made)).toBe('user');
    decides(made, [ANSWER]);
    expect(made.item.inbox).toEqual([]);
  });

  test('no turn beside another, none for a planned, held, or finished item', () => {
    const made = coordinated();
    opens(made);
    made.refuses(openBody(9), 'wrong_state', engine);
    made.does({ type: 'HoldItem', code: 'user', details: 'wait' });
    made.refuses(openBody(9), 'item_held', engine);
    made.does({ type: 'StopItem', reason: 'enough' });
    made.refuses(openBody(9), 'item_ended', engine);
  });

  test('a passed check wakes the Coordinator too, or it would never say that all is done', () => {
    const made = coordinated({ criteria: [checked('c1')] });
    decides(made, [create(work('a'), work('b'))]);
    made.completes('a', completed());
    made.fails('b');
    decides(made, [close('b')]);
    made.verifies({ c1: 'passed' });
    expect(made.openKinds()).toEqual([]);
    expect(made.dueKinds()).toEqual(['decide']);
    decides(made, [COMPLETE]);
    expect(made.item.lifecycle).toBe('done');
  });
});

describe('D17 failing turns', () => {
  test('wait longer each time, and three in a row hold the item (rule 44, chapter 2 C15)', () => {
    const made = coordinated();
    const waits: number[] = [];
    for (let times = 0; times < 3; times += 1) {
      made.later();
      opens(made);
      failsTurn(made);
      waits.push((made.item.coordinator.retryAt ?? 0) - made.now);
    }
    expect(waits, 'who is held promises no other try').toEqual([1_000, 2_000, 0]);
    expect(made.item.hold).toMatchObject({ code: 'coordinator_failures' });
    expect(made.item.hold?.details).toContain('failed 3 times in a row (invalid_decision): twice wrong');
  });

  test('nobody is asked again before the wait is over, not even by new words', () => {
    const made = coordinated();
    opens(made);
    failsTurn(made);
    says(made, 'hurry');
    made.refuses(openBody(5), 'no_decision_due', engine);
    expect(decisionDueAt(made.item)).toBe(made.now + 1_000);
    made.later(1_000);
    expect(opens(made)).toBe('user');
  });

  test('what was said is kept when the turn fails', () => {
    const made = coordinated();
    says(made, 'remember me');
    opens(made);
    failsTurn(made);
    expect(made.item.inbox).toHaveLength(1);
    made.later();
    expect(opens(made)).toBe('user');
  });

  test('a success sets the count to zero', () => {
    const made = coordinated();
    for (let times = 0; times < 2; times += 1) {
      made.later();
      opens(made);
      failsTurn(made);
    }
    made.later();
    decides(made, [create(work('a'))]);
    expect(made.item.coordinator.failures).toBe(0);
  });

  test('a reopened item begins to count anew, a resumed one goes on counting (D13, D28)', () => {
    const held = (): Scenario => {
      const made = coordinated();
      for (let times = 0; times < 3; times += 1) {
        made.later();
        opens(made);
        failsTurn(made);
      }
      return made;
    };
    const failsAgain = (made: Scenario): Scenario['item'] => {
      made.later();
      opens(made);
      failsTurn(made);
      return made.item;
    };
    const reopened = held();
    reopened.does({ type: 'StopItem', reason: '' });
    reopened.does({ type: 'ReopenItem' });
    expect(failsAgain(reopened)).toMatchObject({ coordinator: { failures: 1 } });
    expect(reopened.item.hold).toBeUndefined();
    const resumed = held();
    resumed.does({ type: 'ResumeItem', controlVersion: resumed.item.controlVersion });
    expect(failsAgain(resumed).hold?.details).toContain('failed 4 times in a row');
  });

  test('shutdown is no failure (rule 44)', () => {
    const made = coordinated();
    for (let times = 0; times < 5; times += 1) {
      opens(made);
      failsTurn(made, { counted: false, code: 'shutdown' });
    }
    expect(made.item).toMatchObject({ coordinator: { failures: 0 } });
    expect(made.item.hold).toBeUndefined();
  });

  test('what cannot work holds at once, and stays so until a person resumes (rule 31)', () => {
    const made = coordinated();
    opens(made);
    failsTurn(made, { permanent: true, code: 'no_key', error: 'There is no key.' });
    expect(made.item.hold?.details).toBe('The Coordinator cannot work (no_key): There is no key.');
    expect(made.dueKinds()).toEqual([]);
    made.does({ type: 'ResumeItem', controlVersion: made.item.controlVersion });
    made.later();
    expect(made.dueKinds()).toEqual(['decide']);
  });

  test('an exhausted quota parks the item with one wake at its reset, and counts nothing', () => {
    const made = coordinated();
    opens(made);
    const park = { until: made.now + 3_600_000, code: 'quota', details: 'until noon' };
    failsTurn(made, { counted: false, code: 'quota', park });
    expect(decisionDueAt(made.item)).toBe(park.until);
    made.refuses(openBody(5), 'no_decision_due', engine);
    expect(made.item.coordinator.failures).toBe(0);
    made.later(3_600_000);
    opens(made);
  });
});

describe('D8, D21 who holds a turn', () => {
  test('a new owner goes on under a higher epoch only, and the old one is heard no more', () => {
    const made = coordinated();
    opens(made, 4);
    const old = decideBody(made, [create(work('a'))]);
    const adopt = (epoch: number) => ({ type: 'AdoptTurn', turnId: 't1', epoch, owner: 'w2' }) as const;
    made.refuses(adopt(4), 'lease_lost', engine);
    made.refuses({ ...adopt(5), turnId: 't0' }, 'lease_lost', engine);
    made.does(adopt(5), engine);
    made.refuses(old, 'lease_lost', engine);
    made.refuses({ ...old, epoch: 5 }, 'lease_lost', engine);
    made.does({ ...old, epoch: 5, owner: 'w2' }, engine);
  });

  test('an owner that lost its lease and took it again is not who it was', () => {
    const made = coordinated();
    opens(made, 4);
    const old = decideBody(made, [create(work('a'))]);
    made.does({ type: 'AdoptTurn', turnId: 't1', epoch: 5, owner: 'w1' }, engine);
    made.refuses(old, 'lease_lost', engine);
  });

  test('a lease that somebody took over opens no turn', () => {
    const made = coordinated();
    opens(made, 4);
    failsTurn(made);
    made.later();
    made.refuses(openBody(3), 'lease_lost', engine);
    opens(made, 4);
  });

  test('an answer that is stored is used by the new owner instead of asking again (rule 29, chapter 2 C11)', () => {
    const made = coordinated();
    opens(made);
    calls(made, 'k1');
    made.does({ type: 'AdoptTurn', turnId: 't1', epoch: 9, owner: 'w2' }, engine);
    expect(made.item.calls).toMatchObject([{ id: 'k1', status: 'responded', responseHash: 'answer' }]);
    made.refuses(prepareBody(made, 'k2', { n: 1 }), 'wrong_state', engine);
    prepares(made, 'k2', { n: 2 });
  });

  test('a request that is stored and not sent is sent by the new owner, once', () => {
    const made = coordinated();
    opens(made);
    prepares(made, 'k1');
    const old = callFence(made);
    made.does({ type: 'AdoptTurn', turnId: 't1', epoch: 9, owner: 'w2' }, engine);
    made.refuses({ type: 'DispatchCall', fence: old, callId: 'k1' }, 'lease_lost', engine);
    made.does({ type: 'DispatchCall', fence: callFence(made), callId: 'k1' }, engine);
    made.refuses({ type: 'DispatchCall', fence: callFence(made), callId: 'k1' }, 'wrong_state', engine);
  });

  test('its fence is stored with it: what it saw, not what is now (D21)', () => {
    const made = afterWork();
    opens(made);
    expect(made.item.coordinator.turn).toMatchObject({
      contractVersion: 1,
      generations: { a: 1 },
      origin: 'automatic',
    });
  });
});

describe('D21 facts that arrive meanwhile', () => {
  test('do not void a turn that does not touch them, and are not lost (rule 28 as overridden)', () => {
    const made = coordinated();
    decides(made, [create(work('a'), work('b'))]);
    made.start('a', 'b');
    says(made, 'add c');
    opens(made);
    made.settle('a', { kind: 'failed', code: 'broken', error: 'no' });
    made.settle('b', completed());
    made.merge('b');
    decides(made, [create(work('c'))]);
    made.completes('c', completed());
    expect(made.dueKinds(), 'a and b have still to be decided upon').toEqual(['decide']);
  });

  test('void what touches an Action that has moved on', () => {
    const made = coordinated();
    decides(made, [create(work('a'))]);
    made.fails('a');
    opens(made);
    made.does({ type: 'RetryAction', actionId: 'a', generation: 1 });
    const refused = made.refuses(decideBody(made, [close('a')]), 'invalid_decision', engine);
    expect(refused.message).toContain('an Action that has not moved on since this turn began');
  });

  test('a fact that came while it thought is decided upon next, though nothing else happens', () => {
    const made = coordinated();
    decides(made, [create(work('a'))]);
    made.start('a');
    says(made, 'hello?');
    opens(made);
    made.settle('a', completed());
    made.merge('a');
    decides(made, [ANSWER]);
    expect(opens(made)).toBe('automatic');
  });
});

describe('D28 a turn of an item that is held, stopped or resumed', () => {
  test.each([
    ['held', { type: 'HoldItem', code: 'user', details: 'wait' }],
    ['stopped', { type: 'StopItem', reason: 'enough' }],
  ] as const)(
    'is retired when it is %s; its late answer changes nothing, its usage is charged once (rule 45)',
    (_, end) => {
      const made = coordinated();
      says(made, 'go');
      opens(made);
      sends(made, 'k1');
      const late = decideBody(made, [create(work('a'))]);
      const [dispatch, settle] = [callFence(made), settleCallBody(made, 'k1', responded())];
      made.does(end);
      expect(made.item.coordinator.turn).toBeUndefined();
      made.refuses({ ...settle, fence: dispatch }, 'lease_lost', engine);
      expect(made.item.usage).toMatchObject({ requests: 1, tokens: 100, costMicros: 300_000 });
      const usage = {
        type: 'CorrectCall',
        callId: 'k1',
        charge: { tokens: 40, costMicros: 7 },
        tokens: TOKENS,
      } as const;
      made.does(usage, engine);
      made.refuses(usage, 'call_not_found', engine);
      expect(made.item.usage).toMatchObject({ requests: 1, tokens: 40, costMicros: 7 });
      const refusal = made.attempt(late, engine);
      expect(refusal).toHaveProperty('code');
      expect(made.item.inbox, 'what was said is still to be heard').toHaveLength(1);
    },
  );

  test('it cannot decide or fail after the resume either (rule 45)', () => {
    const made = coordinated();
    opens(made);
    const late = decideBody(made, [create(work('a'))]);
    const fence = turnFence(made);
    made.does({ type: 'HoldItem', code: 'user', details: 'wait' });
    made.does({ type: 'ResumeItem', controlVersion: made.item.controlVersion });
    made.refuses(late, 'lease_lost', engine);
    const failure = { code: 'x', error: 'x', counted: true, permanent: true };
    made.refuses({ type: 'FailTurn', ...fence, ...failure }, 'lease_lost', engine);
    expect(made.dueKinds()).toEqual(['decide']);
  });

  test('a hold keeps an open question; resuming asks it not anew', () => {
    const made = coordinated();
    decides(made, [create(work('a'))]);
    made.fails('a');
    decides(made, [close('a')]);
    const { id } = made.request('idle');
    made.does({ type: 'HoldItem', code: 'user', details: 'wait' });
    made.does({ type: 'ResumeItem', controlVersion: made.item.controlVersion });
    expect(made.request('idle').id).toBe(id);
  });
});

describe('D11, D16 a call whose answer was lost', () => {
  const ways: readonly (readonly [string, (made: Scenario) => void])[] = [
    ['its owner says so', (made) => calls(made, 'k1', {}, lostAs())],
    [
      'its owner is gone',
      (made) => {
        sends(made, 'k1');
        made.does({ type: 'AdoptTurn', turnId: 't1', epoch: 9, owner: 'w2' }, engine);
        made.does({ type: 'MarkCallUnknown', fence: callFence(made), callId: 'k1' }, engine);
      },
    ],
    ['the turn fails while it is on its way', (made) => sends(made, 'k1')],
  ];
  test.each(ways)('%s: charged, not repeated, and a person is asked', (_, lose) => {
    const made = coordinated();
    opens(made);
    lose(made);
    if (made.item.uncertain.length > 0) {
      made.refuses(prepareBody(made, 'k2', { n: 1 }), 'wrong_state', engine);
      made.refuses(prepareBody(made, 'k2', { n: 2 }), 'wrong_state', engine);
    }
    failsTurn(made, { counted: false, code: 'call_lost' });
    expect(made.item.usage).toMatchObject({ requests: 1, tokens: 100, costMicros: 300_000 });
    expect(made.openKinds()).toEqual(['call_unknown']);
    says(made, 'are you there?');
    expect(decisionDueAt(made.item), 'nothing is asked before a person has said so').toBeUndefined();
    made.answer('call_unknown', 'ask_again');
    expect(opens(made)).toBe('user');
  });

  test('deciding without it charges it all the same', () => {
    const made = coordinated();
    opens(made);
    sends(made, 'k1');
    decides(made, [create(work('a'))]);
    expect(made.item.usage).toMatchObject({ requests: 1, tokens: 100 });
    expect(made.item.calls).toEqual([]);
  });
});

describe('D17 never a silent stall, never for ever', () => {
  test('a turn that leaves nothing able to move asks a person, whose words are heard', () => {
    const made = coordinated();
    decides(made, [create(work('a'))]);
    made.fails('a');
    decides(made, [close('a')]);
    expect(made.openKinds()).toEqual(['idle']);
    expect(statusOf(made.item)).toBe('waiting');
    made.answer('idle', 'text', 'try again with b');
    expect(made.item.inbox).toMatchObject([{ kind: 'answer', text: 'try again with b' }]);
    expect(opens(made)).toBe('user');
  });

  /** A planner that always wants one more Action of a kind that was tried. */
  function oneMore(made: Scenario, at: number): void {
    made.later();
    decides(made, [create(work(`again-${at}`, { rationale: `this time is different, number ${at}` }))]);
    made.completes(`again-${at}`, completed());
  }

  test('a planner that always wants one more Action is parked after three turns without progress', () => {
    const made = coordinated();
    let turns = 0;
    for (; turns < 10 && made.item.requests.length === 0; turns += 1) oneMore(made, turns);
    expect(turns, 'the first of its kind is progress').toBe(4);
    expect(made.openKinds()).toEqual(['no_progress']);
    expect(made.dueKinds()).toEqual([]);
  });

  test('a new name for the same work is no progress', () => {
    const made = coordinated();
    let turns = 0;
    for (; turns < 10 && made.item.requests.length === 0; turns += 1) {
      decides(made, [create(work(`w${turns}`, { type: `made-up-${turns}`, brief: brief(turns) }))]);
      made.completes(`w${turns}`, completed());
    }
    expect(turns).toBe(3);
  });

  const brief = (at: number) => ({ objective: `something else ${at}`, approach: 'so', expectedOutcome: 'a thing' });

  test("a person's word starts the count anew", () => {
    const made = coordinated();
    for (let at = 0; at < 4; at += 1) oneMore(made, at);
    made.answer('no_progress', 'text', 'look into the cache');
    expect(made.item.coordinator.dryTurns).toBe(0);
    expect(opens(made)).toBe('user');
    oneMore(made, 5);
    expect(made.openKinds()).toEqual([]);
  });

  test('a new proof is progress', () => {
    const made = coordinated();
    for (let at = 0; at < 3; at += 1) oneMore(made, at);
    expect(made.item.coordinator.dryTurns).toBe(2);
    decides(made, [create(work('b', { type: 'research' }))]);
    made.completes('b', completed(['c1']));
    expect(made.item.coordinator.dryTurns).toBe(0);
    decides(made, [create(work('d', { for: [], forDelivery: true }))]);
    expect(made.item.coordinator.dryTurns).toBe(0);
  });

  test('an idle item owes nothing, so that a day of it costs nothing', () => {
    const made = coordinated();
    decides(made, [create(work('a'))]);
    made.fails('a');
    decides(made, [close('a')]);
    const { usage } = made.item;
    for (let hour = 0; hour < 24; hour += 1) {
      made.later(3_600_000);
      expect(made.dueKinds()).toEqual([]);
      made.refuses(openBody(99), 'no_decision_due', engine);
    }
    expect(made.item.usage).toEqual(usage);
  });
});

test('rule 30: guidance touches no Action that is not named, and a forged one is refused', () => {
  const made = coordinated();
  decides(made, [create(work('a'), work('b'))]);
  made.fails('a');
  made.fails('b');
  opens(made);
  made.refuses(decideBody(made, [guide('nobody')]), 'invalid_decision', engine);
  decides(made, [guide('a')]);
  expect(made.action('a').status).toBe('ready');
  expect(made.action('b')).toMatchObject({ status: 'failed', generation: 1 });
});
