import { describe, expect, test } from 'vitest';
import { type CommandBody, decisionDueAt, statusOf } from '../../src/core/index.ts';
import { action, checked, completed, createBody, criterion } from './builders.ts';
import { AGENT, ENGINE, Scenario, scenario } from './scenario.ts';

describe('authority', () => {
  const bodies: readonly CommandBody[] = [
    { type: 'RetryAction', actionId: 'a', generation: 1 },
    { type: 'RedirectAction', actionId: 'a', generation: 1, guidance: 'x' },
    { type: 'CloseAction', actionId: 'a', generation: 1, reason: '', cascade: false },
    { type: 'AnswerRequest', requestId: 'r1', choice: 'retry', text: '' },
    { type: 'AskVerification' },
    { type: 'StopItem', reason: 'x' },
    { type: 'ReopenItem' },
    { type: 'ResumeItem', controlVersion: 1 },
    { type: 'ExtendBudget', controlVersion: 1, attempts: 1 },
  ];

  test.each(bodies)('$type needs a person (D16, D20, D28)', (body) => {
    const made = scenario();
    made.refuses(body, 'user_required', { principal: ENGINE });
    made.refuses(body, 'user_required', { principal: AGENT });
  });

  test('D20: so does every contract edit', () => {
    const made = scenario();
    const body = { type: 'EditContract', contractVersion: 1, contract: { ...made.item.contract, title: 'x' } } as const;
    made.refuses(body, 'user_required', { principal: ENGINE });
  });

  test('an agent may create, and what it creates waits for a person', () => {
    const made = new Scenario();
    made.does(createBody({}), { principal: AGENT });
    expect(statusOf(made.item)).toBe('draft');
    made.refuses({ type: 'StartItem' }, 'user_required', { principal: AGENT });
    made.refuses({ type: 'HoldItem', code: 'user', details: '' }, 'user_required', { principal: AGENT });
    made.does({ type: 'StartItem' });
    made.refuses(made.claimBody('a'), 'user_required', { principal: AGENT });
  });

  test('the engine may start and hold', () => {
    const made = scenario({ start: false });
    made.does({ type: 'StartItem' }, { principal: ENGINE });
    made.does({ type: 'HoldItem', code: 'disk_low', details: 'full' }, { principal: ENGINE });
    expect(made.item.hold?.code).toBe('disk_low');
  });
});

describe('D13 stop and reopen', () => {
  const busy = () => {
    const made = scenario({
      actions: [action('a', { for: ['c1'] }), action('b'), action('c', { dependsOn: ['a'] }), action('d')],
    });
    made.completes('d');
    made.start('a');
    made.fails('b');
    return made;
  };

  test('rule 23, V12, chapter 2 C14: a stop ends all running siblings, waiting and failed Actions atomically, and withdraws questions', () => {
    const made = busy();
    const fence = made.fence('a');
    made.does({ type: 'StopItem', reason: 'enough' });
    expect(made.item).toMatchObject({ lifecycle: 'cancelled', runs: [], requests: [] });
    expect(made.item.actions.map((known) => known.status)).toEqual([
      'cancelled',
      'cancelled',
      'cancelled',
      'completed',
    ]);
    const interrupted = { kind: 'interrupted', code: 'x', error: 'x' } as const;
    made.refuses(
      {
        type: 'Settle',
        fence,
        settlement: interrupted,
        usage: { wallMs: 1, requests: 0, tokens: 0, costMicros: 0, unpriced: 0, metered: true },
      },
      'lease_lost',
      { principal: ENGINE },
    );
    made.refuses({ type: 'ExpireRun', runId: fence.runId, epoch: fence.epoch, death: 'engine_died' }, 'lease_lost', {
      principal: ENGINE,
    });
  });

  test('a stopped item accepts nothing but a reopen, and a stop of it is refused', () => {
    const made = busy();
    made.does({ type: 'StopItem', reason: 'enough' });
    made.refuses({ type: 'StopItem', reason: 'again' }, 'item_ended');
    made.refuses({ type: 'HoldItem', code: 'user', details: '' }, 'item_ended');
    made.refuses({ type: 'RetryAction', actionId: 'a', generation: 1 }, 'item_ended');
    made.refuses(made.claimBody('b'), 'item_ended', { principal: ENGINE });
    expect(made.dueKinds()).toEqual([]);
  });

  test('reopen: cancelled Actions are ready at the next generation, completed ones keep their proof', () => {
    const made = busy();
    made.does({ type: 'StopItem', reason: 'enough' });
    made.does({ type: 'ReopenItem' });
    expect(made.action('a')).toMatchObject({ status: 'ready', generation: 2 });
    expect(made.action('d')).toMatchObject({ status: 'completed', generation: 1 });
    made.refuses({ type: 'ReopenItem' }, 'wrong_state');
    expect(made.dueKinds()).toEqual(['a', 'b']);
  });

  test('reopen of a coordinated item: cancelled Actions are superseded and a decision is due', () => {
    const made = scenario({ plan: { kind: 'coordinated' }, actions: [], criteria: [criterion('c1')] });
    made.happens({ type: 'ActionAdded', action: { ...action('a', { for: ['c1'] }), specHash: 'v1:a' } });
    made.does({ type: 'StopItem', reason: 'enough' });
    made.does({ type: 'ReopenItem' });
    expect(made.action('a')).toMatchObject({ status: 'superseded', generation: 1 });
    expect(statusOf(made.item)).toBe('deciding');
  });

  test('a draft that was stopped is started by a reopen', () => {
    const made = scenario({ start: false });
    made.does({ type: 'StopItem', reason: 'never mind' });
    expect(made.item.lifecycle).toBe('cancelled');
    made.does({ type: 'ReopenItem' });
    expect(made.item.startedAt).toBe(made.now);
    expect(made.dueKinds()).toEqual(['a']);
  });

  test('done is never reopened, stopped, extended or edited', () => {
    const made = scenario({ criteria: [criterion('c1')], delivery: { target: 'response' } });
    made.completes('a');
    expect(made.item.lifecycle).toBe('done');
    made.refuses({ type: 'ReopenItem' }, 'wrong_state');
    made.refuses({ type: 'StopItem', reason: 'x' }, 'item_ended');
    made.refuses({ type: 'ExtendBudget', controlVersion: 1, attempts: 1 }, 'item_ended');
    made.refuses(
      { type: 'EditContract', contractVersion: 1, contract: { ...made.item.contract, title: 'x' } },
      'item_ended',
    );
    made.refuses({ type: 'AnswerRequest', requestId: 'r1', choice: 'stop', text: '' }, 'item_ended');
  });

  test('an item is started once', () => {
    scenario().refuses({ type: 'StartItem' }, 'wrong_state');
  });

  test('a stop while one is under way says so', () => {
    const made = scenario({ delivery: { target: 'merge', branch: 'main' } });
    made.completes('a');
    made.verifies({ c1: 'passed' });
    made.publish();
    made.beginLanding();
    made.does({ type: 'StopItem', reason: 'x' });
    made.refuses({ type: 'StopItem', reason: 'x' }, 'nothing_changed');
  });
});

describe('D9 hold and D28 resume', () => {
  test('a hold stops claims and dispatch; owners may still settle; resume clears it and nothing else', () => {
    const made = scenario({ actions: [action('a', { for: ['c1'] }), action('b')] });
    made.start('a');
    made.claim('b');
    made.does({ type: 'HoldItem', code: 'user', details: 'wait' });
    made.refuses({ type: 'HoldItem', code: 'user', details: 'wait' }, 'nothing_changed');
    made.refuses(
      {
        type: 'Dispatch',
        fence: made.fence('b'),
        base: 'x',
        enforcement: { sandbox: 'none', filesystem: false, network: false, processes: false },
      },
      'item_held',
      { principal: ENGINE },
    );
    made.interrupt('b');
    made.refuses(made.claimBody('b'), 'item_held', { principal: ENGINE });
    made.settle('a', completed(['c1']));
    expect(made.dueKinds()).toEqual([]);
    expect(statusOf(made.item)).toBe('needs_attention');
    made.refuses({ type: 'ResumeItem', controlVersion: 1 }, 'control_version_stale');
    made.does({ type: 'ResumeItem', controlVersion: 2 });
    expect(made.item).toMatchObject({ controlVersion: 3, contractVersion: 1 });
    expect(made.dueKinds()).toEqual(['merge', 'b']);
    made.refuses({ type: 'ResumeItem', controlVersion: 3 }, 'wrong_state');
  });

  test('a held draft starts held', () => {
    const made = scenario({ start: false });
    made.does({ type: 'HoldItem', code: 'user', details: 'wait' });
    made.does({ type: 'StartItem' });
    expect(made.dueKinds()).toEqual([]);
    expect(statusOf(made.item)).toBe('needs_attention');
  });
});

describe('D26 wall clock', () => {
  const minutes = (count: number) => ({
    usage: { wallMs: count * 60_000, requests: 0, tokens: 0, costMicros: 0, unpriced: 0, metered: true },
  });
  const limited = () =>
    scenario({
      actions: [
        action('a', { for: ['c1'], timeoutSec: 600 }),
        action('b', { timeoutSec: 600 }),
        action('c', { timeoutSec: 600 }),
      ],
      limits: { wallClockSec: 1_500 },
    });

  test('time is reserved before dispatch: what fits the used but not the reserved total waits without a hold', () => {
    const made = limited();
    made.start('a', 'b');
    expect(made.dueKinds()).toEqual([]);
    made.refuses(made.claimBody('c'), 'budget_exhausted', { principal: ENGINE });
    expect(made.item.hold).toBeUndefined();
    made.settle('a', completed(['c1']), minutes(5));
    made.settle('b', completed(), minutes(5));
    expect(made.dueKinds()).toContain('c');
  });

  test('the last Run gets what is left', () => {
    const made = limited();
    made.start('a', 'b');
    made.settle('a', completed(['c1']), minutes(10));
    made.settle('b', completed(), minutes(10));
    made.claim('c');
    expect(made.item.runs[0]?.timeLimitSec).toBe(300);
  });

  test('a hold comes when settled use leaves no room; extending does not resume, resuming too early is refused', () => {
    const made = limited();
    made.start('a', 'b');
    made.settle('a', completed(['c1']), minutes(15));
    made.settle('b', completed(), minutes(10));
    expect(made.item.hold?.code).toBe('wall_clock_exhausted');
    made.refuses({ type: 'ResumeItem', controlVersion: 2 }, 'budget_exhausted');
    made.refuses({ type: 'ExtendBudget', controlVersion: 1, wallClockSec: 60 }, 'control_version_stale');
    made.does({ type: 'ExtendBudget', controlVersion: 2, wallClockSec: 3_600 });
    expect(made.item.hold).toBeDefined();
    expect(made.item.limits.wallClockSec).toBe(5_100);
    made.does({ type: 'ResumeItem', controlVersion: 3 });
    expect(made.dueKinds()).toContain('c');
    expect(made.item.contractVersion).toBe(1);
  });

  test('spent time holds nothing that needs no more of it', () => {
    const made = scenario({ criteria: [criterion('c1')], limits: { wallClockSec: 60 } });
    made.start('a');
    made.settle('a', completed(['c1']), minutes(5));
    expect(made.item.hold).toBeUndefined();
    made.merge('a');
    made.publish();
    expect(made.item.lifecycle).toBe('done');
  });

  test('a Run whose end nobody reported is charged what is known: its time, at most its limit', () => {
    const made = limited();
    made.start('a', 'b');
    made.later(120_000);
    made.expire('a', 'engine_died');
    expect(made.item.usage.wallMs).toBe(120_000);
    made.later(86_400_000);
    made.does({ type: 'RedirectAction', actionId: 'b', generation: 1, guidance: 'else' });
    expect(made.item.usage.wallMs).toBe(720_000);
  });

  test('what was never dispatched is charged nothing', () => {
    const made = limited();
    made.claim('a');
    made.later(120_000);
    made.expire('a', 'engine_died');
    expect(made.item.usage.wallMs).toBe(0);
  });

  test.each([{ wallClockSec: 0 }, { attempts: -1 }, { attempts: 1.5 }, { wallClockSec: Number.MAX_SAFE_INTEGER }, {}])(
    'an extension by %o is refused',
    (more) => {
      limited().refuses({ type: 'ExtendBudget', controlVersion: 1, ...more }, 'invalid_field');
    },
  );

  test('an extension of a limit that is not there changes nothing and says so', () => {
    scenario().refuses({ type: 'ExtendBudget', controlVersion: 1, wallClockSec: 60 }, 'nothing_changed');
  });
});

describe('D9 status', () => {
  test('follows from what can move', () => {
    const made = scenario({ start: false, actions: [action('a', { for: ['c1'] })] });
    const seen = [statusOf(made.item)];
    made.does({ type: 'StartItem' });
    seen.push(statusOf(made.item));
    made.start('a');
    seen.push(statusOf(made.item));
    made.settle('a', { kind: 'waiting', question: 'Which?' });
    seen.push(statusOf(made.item));
    made.does({ type: 'HoldItem', code: 'user', details: '' });
    seen.push(statusOf(made.item));
    made.does({ type: 'StopItem', reason: '' });
    seen.push(statusOf(made.item));
    expect(seen).toEqual(['draft', 'ready', 'running', 'waiting', 'needs_attention', 'cancelled']);
  });

  test('a coordinated item without work is deciding, and never done by itself (D18)', () => {
    const made = scenario({ plan: { kind: 'coordinated' }, actions: [], criteria: [criterion('c1')] });
    expect(statusOf(made.item)).toBe('deciding');
    expect(decisionDueAt(made.item)).toBe(0);
    const checkable = scenario({ plan: { kind: 'coordinated' }, actions: [], criteria: [checked('c1')] });
    expect(checkable.dueKinds(), 'nothing was done that a check could judge').toEqual(['decide']);
  });
});
