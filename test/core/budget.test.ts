import { describe, expect, test } from 'vitest';
import { fold, type ItemState, nearlySpent, roomsOf, statusOf } from '../../src/core/index.ts';
import { action, completed, criterion, USED } from './builders.ts';
import {
  AGENT_SPEC,
  CHARGE,
  COMPLETE,
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
  work,
} from './coordinator.ts';
import { AGENT, ENGINE, type Scenario, scenario } from './scenario.ts';

const engine = { principal: ENGINE };
const OF_A = { actionId: 'a' };
const DOLLAR = 1_000_000;

/** Agents side by side in a planned item: `a`, or as many as are wanted. */
function agents(limits: Parameters<typeof scenario>[0] = {}, ids: readonly string[] = ['a']): Scenario {
  const actions = ids.map((id) => action(id, { for: ['c1'], executor: AGENT_SPEC, workspace: 'isolated-write' }));
  const made = scenario({ criteria: [criterion('c1')], actions, ...limits });
  made.start(...ids);
  return made;
}

const used = ({ usage }: ItemState) => [usage.requests, usage.tokens, usage.costMicros];

interface Cap {
  readonly limits: NonNullable<Parameters<typeof scenario>[0]>['limits'];
  readonly charge: typeof CHARGE;
  readonly what: 'costMicros' | 'tokens' | 'requests';
  readonly reopen?: boolean;
}

/** Ten Runs that never stop asking, answered in the order in which they come; ends when nobody gets an answer. */
function spendAll({ limits = {}, charge, what, reopen = false }: Cap): Scenario {
  const ids = [...Array(10).keys()].map((at) => `a${at}`);
  const made = agents({ limits }, ids);
  for (let round = 1; !made.item.hold && round < 50; round += 1) {
    const asking = ids.filter((id) => {
      const body = prepareBody(made, `${id}-${round}`, { actionId: id, n: round, estimate: charge });
      const answer = made.attempt(body, engine);
      if ('code' in answer) expect(answer.code, 'the only reasons to wait').toMatch(/^(budget_reserved|item_held)$/);
      else made.does(body, engine);
      return !('code' in answer) && !made.item.hold;
    });
    for (const id of asking) {
      const answer = made.attempt(
        { type: 'DispatchCall', fence: callFence(made, id), callId: `${id}-${round}` },
        engine,
      );
      if ('code' in answer) continue;
      made.does({ type: 'DispatchCall', fence: callFence(made, id), callId: `${id}-${round}` }, engine);
      if (reopen) made.state = fold(made.itemId, made.events);
    }
    for (const { id, of } of made.item.calls.filter(({ status }) => status === 'dispatching')) {
      const actionId = of.kind === 'run' ? of.actionId : undefined;
      made.does(settleCallBody(made, id, responded(charge), actionId), engine);
    }
  }
  expect(made.item.usage[what]).toBeGreaterThan(0);
  return made;
}

describe('D26, RES-1 a cap that ten Runs share', () => {
  test('$1 and $0.30 a call: never passed by more than one call, and then held', () => {
    const made = spendAll({ limits: { costMicros: DOLLAR }, charge: CHARGE, what: 'costMicros' });
    expect(made.item.usage.costMicros).toBe(1_200_000);
    expect(made.item.hold?.code).toBe('money_exhausted');
  });

  test('the same when every step is folded anew from the events', () => {
    const made = spendAll({ limits: { costMicros: DOLLAR }, charge: CHARGE, what: 'costMicros', reopen: true });
    expect(made.item.usage.costMicros).toBe(1_200_000);
  });

  test('without a price, under a cap of tokens', () => {
    const charge = { tokens: 300, costMicros: null };
    const made = spendAll({ limits: { tokens: 1_000 }, charge, what: 'tokens' });
    expect(made.item.usage).toMatchObject({ tokens: 1_200, costMicros: 0, unpriced: 4 });
    expect(made.item.hold?.code).toBe('tokens_exhausted');
  });

  test('requests are never passed at all', () => {
    const made = spendAll({ limits: { requests: 7 }, charge: CHARGE, what: 'requests' });
    expect(made.item.usage.requests).toBe(7);
    expect(made.item.hold?.code).toBe('requests_exhausted');
  });
});

describe('D26 reserve, wait, hold', () => {
  test('what fits the settled total but not the reserved one waits, and goes on when others have settled', () => {
    const made = agents({ limits: { costMicros: 500_000 } }, ['a', 'b']);
    sends(made, 'k1', OF_A);
    const refusal = made.refuses(prepareBody(made, 'k2', { actionId: 'b' }), 'budget_reserved', engine);
    expect(refusal.found).toBe('0 costMicros used and 300000 reserved of 500000');
    expect(made.item.hold, 'waiting is no hold').toBeUndefined();
    made.does(settleCallBody(made, 'k1', responded({ tokens: 5, costMicros: 10_000 }), 'a'), engine);
    prepares(made, 'k2', { actionId: 'b' });
  });

  test('a rejected call gives its reservation back and asks for it again', () => {
    const made = agents({ limits: { costMicros: 500_000 } }, ['a', 'b']);
    calls(made, 'k1', OF_A, REJECTED);
    prepares(made, 'k2', { actionId: 'b' });
    const again = { type: 'DispatchCall', fence: callFence(made, 'a'), callId: 'k1' } as const;
    made.refuses(again, 'budget_reserved', engine);
    made.does({ type: 'DispatchCall', fence: callFence(made, 'b'), callId: 'k2' }, engine);
    made.does(settleCallBody(made, 'k2', responded({ tokens: 1, costMicros: 1 }), 'b'), engine);
    made.does(again, engine);
  });

  test('a lost call keeps its estimate on the budget (RES-4)', () => {
    const made = agents({ limits: { costMicros: 500_000 } }, ['a', 'b']);
    calls(made, 'k1', OF_A, lostAs({ tokens: 1, costMicros: 500_000 }));
    made.does(prepareBody(made, 'k2', { actionId: 'b' }), engine);
    expect(made.item).toMatchObject({ hold: { code: 'money_exhausted' }, calls: [] });
    made.refuses(prepareBody(made, 'k2', { actionId: 'b' }), 'item_held', engine);
  });

  test('the hold comes by settled use and not by what is reserved', () => {
    const made = agents({ limits: { requests: 2 } }, ['a', 'b']);
    sends(made, 'k1', OF_A);
    sends(made, 'k2', { actionId: 'b' });
    expect(made.item.hold).toBeUndefined();
    made.does(settleCallBody(made, 'k1', responded(), 'a'), engine);
    expect(made.item.hold).toBeUndefined();
    made.does(settleCallBody(made, 'k2', responded(), 'b'), engine);
    made.settle('a', { kind: 'retryable', code: 'x', error: 'x' });
    expect(made.item.hold, 'a wants to run again').toMatchObject({ code: 'requests_exhausted' });
  });

  test('who got the last answer may still act upon it: an item that wants no more calls ends', () => {
    const made = coordinated({ limits: { requests: 2 } });
    opens(made);
    calls(made, 'k1');
    decides(made, [create(work('a', { executor: { kind: 'command', run: 'make', identity: 'make' } }))]);
    made.start('a');
    expect(made.item.usage.requests).toBe(1);
    made.settle('a', completed(['c1']));
    made.merge('a');
    opens(made);
    calls(made, 'k2');
    expect(made.item.hold).toBeUndefined();
    decides(made, [COMPLETE]);
    expect(made.item).toMatchObject({ lifecycle: 'done', usage: { requests: 2 } });
  });

  test('four fifths warn', () => {
    const made = agents({ limits: { requests: 5 } });
    for (let n = 1; n <= 3; n += 1) calls(made, `k${n}`, { ...OF_A, n });
    expect(nearlySpent(made.item)).toEqual([]);
    calls(made, 'k4', { ...OF_A, n: 4 });
    expect(nearlySpent(made.item).map(({ what }) => what)).toEqual(['requests']);
  });

  test('reservations are those of open calls only', () => {
    const made = agents({}, ['a', 'b', 'c']);
    prepares(made, 'k1', OF_A);
    sends(made, 'k2', { actionId: 'b' });
    calls(made, 'k3', { actionId: 'c' }, REJECTED);
    const reserved = (state: ItemState) => roomsOf(state).map((room) => room.reserved);
    expect(reserved(made.item)).toEqual([2, 200, 600_000]);
    made.does({ type: 'StopItem', reason: 'enough' });
    expect(reserved(made.item)).toEqual([0, 0, 0]);
  });

  test('calls of the Coordinator count like those of Runs', () => {
    const made = coordinated({ limits: { requests: 1 } });
    opens(made);
    calls(made, 'k1');
    made.does(prepareBody(made, 'k2', { n: 2 }), engine);
    expect(made.item.hold?.code).toBe('requests_exhausted');
    expect(made.item.coordinator.turn, 'a held item decides nothing').toBeUndefined();
  });

  test('a call that finds the budget used up holds the item instead of being prepared', () => {
    const made = agents({ limits: { requests: 1 } }, ['a', 'b']);
    prepares(made, 'k1', OF_A);
    made.happens({
      type: 'LateResultRecorded',
      actionId: 'b',
      runId: 'run-0',
      summary: '',
      usage: { ...USED, requests: 1 },
    });
    made.does({ type: 'DispatchCall', fence: callFence(made, 'a'), callId: 'k1' }, engine);
    expect(made.item).toMatchObject({ hold: { code: 'requests_exhausted' }, calls: [{ status: 'prepared' }] });
  });
});

describe('D28 extend and resume', () => {
  /** Held for its only request. */
  function spent(): Scenario {
    const made = agents({ limits: { requests: 1 } });
    calls(made, 'k1', OF_A);
    made.does(prepareBody(made, 'k2', { ...OF_A, n: 2 }), engine);
    return made;
  }
  const control = (made: Scenario) => ({ controlVersion: made.item.controlVersion });

  test('only extending and then resuming releases it (rule 42, G12, V46)', () => {
    const made = spent();
    expect(made.refuses({ type: 'ResumeItem', ...control(made) }, 'budget_exhausted')).toMatchObject({
      found: '1 request',
    });
    made.does({ type: 'ExtendBudget', ...control(made), requests: 5 });
    expect(made.item.hold, 'extending does not resume').toBeDefined();
    expect(statusOf(made.item)).toBe('running');
    made.does({ type: 'ResumeItem', ...control(made) });
    expect(made.item).toMatchObject({ limits: { requests: 6 }, contractVersion: 1 });
    prepares(made, 'k2', { ...OF_A, n: 2 });
  });

  test('nothing else does: not a retry, an edit, a message, a stop, or time (rule 42)', () => {
    const made = spent();
    made.does({ type: 'RedirectAction', actionId: 'a', generation: 1, guidance: 'otherwise' });
    made.does({ type: 'EditContract', contractVersion: 1, contract: { ...made.item.contract, title: 'other' } });
    made.later(86_400_000);
    expect(made.item.hold?.code).toBe('requests_exhausted');
    made.refuses(made.claimBody('a'), 'item_held', engine);
    made.does({ type: 'StopItem', reason: 'enough' });
    made.does({ type: 'ReopenItem' });
    expect(made.item.hold?.code, 'reopening finds the limit reached again').toBe('requests_exhausted');
  });

  test('a person only, against what was read, by whole positive numbers', () => {
    const made = spent();
    const extend = { type: 'ExtendBudget', ...control(made), requests: 1 } as const;
    for (const principal of [ENGINE, AGENT]) made.refuses(extend, 'user_required', { principal });
    made.refuses({ ...extend, controlVersion: 0 }, 'control_version_stale');
    for (const requests of [0, -1, 0.5, Number.NaN, 1e15]) made.refuses({ ...extend, requests }, 'invalid_field');
    made.refuses({ type: 'ExtendBudget', ...control(made) }, 'invalid_field');
    const refused = made.refuses({ type: 'ExtendBudget', ...control(made), costMicros: 5 }, 'nothing_changed');
    expect(refused.message).toBe('Item item-1 has no limit of costMicros.');
    made.refuses({ type: 'ResumeItem', ...control(made) }, 'user_required', { principal: ENGINE });
  });

  test('all limits of calls may be extended, and none of it touches the contract or a proof (G11)', () => {
    const made = agents({ limits: { costMicros: DOLLAR } });
    const more = { requests: 1, tokens: 2, runRequests: 3, costMicros: 4, attempts: 1 };
    const before = made.item.limits;
    made.does({ type: 'ExtendBudget', ...control(made), ...more });
    expect(made.item.limits).toMatchObject({
      ...{ requests: before.requests + 1, tokens: before.tokens + 2, runRequests: before.runRequests + 3 },
      ...{ costMicros: DOLLAR + 4, attempts: before.attempts + 1, attemptsExtension: 1 },
    });
    expect(made.item.contractVersion).toBe(1);
  });

  test('counters survive whatever starts again (rule 43)', () => {
    const made = spent();
    const before = used(made.item);
    made.does({ type: 'RedirectAction', actionId: 'a', generation: 1, guidance: 'otherwise' });
    made.does({ type: 'StopItem', reason: 'enough' });
    made.does({ type: 'ReopenItem' });
    expect(used(made.item)).toEqual(before);
    expect(made.action('a').usage.requests).toBe(1);
  });
});

describe('D26 limits beside those of the item', () => {
  test('requests of one Run end that Run and nothing else', () => {
    const made = agents({ limits: { runRequests: 2 } }, ['a', 'b']);
    calls(made, 'k1', { ...OF_A, n: 1 });
    calls(made, 'k2', { ...OF_A, n: 2 });
    made.refuses(prepareBody(made, 'k3', { ...OF_A, n: 3 }), 'run_requests_exhausted', engine);
    expect(made.item.hold).toBeUndefined();
    calls(made, 'k4', { actionId: 'b' });
    made.settle('a', { kind: 'retryable', code: 'run_requests_exhausted', error: 'too many' });
    made.later();
    made.start('a');
    calls(made, 'k5', OF_A);
  });

  test('sending again counts as well: a provider that rejects for ever cannot be asked for ever (rule 41)', () => {
    const made = agents({ limits: { runRequests: 2 } });
    calls(made, 'k1', OF_A, REJECTED);
    const again = { type: 'DispatchCall', fence: callFence(made, 'a'), callId: 'k1' } as const;
    made.does(again, engine);
    made.does(settleCallBody(made, 'k1', REJECTED, 'a'), engine);
    made.refuses(again, 'run_requests_exhausted', engine);
    expect(made.item.usage.requests).toBe(0);
  });

  test.each([
    ['tokens', { dailyTokens: 1_000 }, { tokens: 901, costMicros: 0 }],
    ['money', { dailyCostMicros: DOLLAR }, { tokens: 0, costMicros: 700_001 }],
  ])('the day of the installation: %s', (_, policy, day) => {
    const made = agents();
    const { message } = made.refuses(prepareBody(made, 'k1', OF_A), 'daily_limit', {
      ...engine,
      policy,
      facts: { day },
    });
    expect(message).toContain('for one day');
    expect(made.item.hold).toBeUndefined();
    const less = { tokens: 900, costMicros: 700_000 };
    made.does(prepareBody(made, 'k1', OF_A), { ...engine, policy, facts: { day: less } });
  });

  test('what is charged is charged to the day too, also what was lost with its Run', () => {
    const made = agents({}, ['a', 'b']);
    sends(made, 'k1', OF_A);
    const day = { kind: 'day_charge', at: made.now, tokens: 100, costMicros: 300_000 };
    expect(made.does(settleCallBody(made, 'k1', responded(), 'a'), engine)).toEqual([day]);
    sends(made, 'k2', { actionId: 'b' });
    expect(made.does(made.expireBody('b', 'lease_expired'), engine)).toContainEqual(day);
    sends(made, 'k3', { ...OF_A, n: 2 });
    expect(made.does(settleCallBody(made, 'k3', REJECTED, 'a'), engine)).toEqual([]);
  });

  test('under a limit of money a model without a price is refused, unless a person allowed it (D26, D27)', () => {
    const unpriced = { ...OF_A, estimate: { tokens: 10, costMicros: null } };
    const made = agents({ limits: { costMicros: DOLLAR } });
    expect(made.refuses(prepareBody(made, 'k1', unpriced), 'unpriced_model', engine).message).toContain('scripted/one');
    const allowed = agents({ limits: { costMicros: DOLLAR, allowUnmetered: true } });
    calls(allowed, 'k1', unpriced, responded(unpriced.estimate));
    expect(allowed.item.usage).toMatchObject({ costMicros: 0, unpriced: 1 });
    calls(agents(), 'k1', unpriced, responded(unpriced.estimate));
  });

  test('an exhausted quota parks the item: one wake at its reset, no attempt charged', () => {
    const made = agents();
    const park = { until: made.now + 3_600_000, code: 'quota', details: 'until noon' };
    const settlement = { kind: 'interrupted', code: 'quota', error: 'later', park } as const;
    made.does({ type: 'Settle', fence: made.fence('a'), settlement, usage: USED }, engine);
    expect(made.action('a')).toMatchObject({ status: 'ready', attempts: 0 });
    made.later();
    made.refuses(made.claimBody('a'), 'not_runnable', engine);
    made.later(3_600_000);
    made.claim('a');
  });
});
