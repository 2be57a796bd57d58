import { describe, expect, test } from 'vitest';
import { goalOf } from '../../src/core/index.ts';
import { action, checked, completed, criterion, ENFORCED, USED } from './builders.ts';
import { ENGINE, scenario } from './scenario.ts';

const one = (more: Parameters<typeof action>[1] = {}) => scenario({ actions: [action('a', { for: ['c1'], ...more })] });

describe('D12 attempts', () => {
  test('only ended outcomes of a dispatched Run consume one; retryable ones return until none is left', () => {
    const made = one();
    made.retries('a');
    expect(made.action('a')).toMatchObject({ status: 'ready', attempts: 1, generation: 1 });
    made.retries('a');
    made.retries('a');
    expect(made.action('a')).toMatchObject({ status: 'failed', attempts: 3, failureCode: 'attempts_exhausted' });
    expect(made.openKinds()).toEqual(['action_failed']);
    expect(made.item.hold).toBeUndefined();
  });

  test.each(['lease_expired', 'engine_stopped', 'machine_rebooted'] as const)(
    '%s consumes none and raises no suspicion',
    (death) => {
      const made = one();
      for (let round = 0; round < 5; round += 1) {
        made.later();
        made.start('a');
        made.expire('a', death);
      }
      expect(made.action('a')).toMatchObject({ status: 'ready', attempts: 0, suspicions: 0 });
    },
  );

  test('an interruption and a preparation that is lost consume none (rule 3)', () => {
    const made = one();
    made.start('a');
    made.interrupt('a');
    made.later();
    made.claim('a');
    made.interrupt('a', 'workspace_busy');
    expect(made.action('a')).toMatchObject({ status: 'ready', attempts: 0 });
    expect(made.action('a').lastRun).toMatchObject({
      status: 'interrupted',
      code: 'workspace_busy',
      dispatched: false,
    });
  });

  test('a preparation that is lost again and again comes back later and later, so that nothing spins', () => {
    const made = one();
    const waits = [1, 2, 3, 4].map(() => {
      made.later();
      made.claim('a');
      made.interrupt('a', 'workspace_busy');
      return made.action('a').readyAt - made.now;
    });
    expect(waits[0]).toBeGreaterThan(0);
    expect(waits[3]).toBeGreaterThan(waits[0] ?? 0);
  });

  test('a dispatched Run that was interrupted may start again at once', () => {
    const made = one();
    made.start('a');
    made.interrupt('a');
    expect(made.action('a').readyAt).toBe(made.now);
  });

  test('retries back off longer each time, spread by jitter', () => {
    const made = one({ maxAttempts: 5 });
    made.retries('a');
    const first = made.action('a').readyAt - made.now;
    made.refuses(made.claimBody('a'), 'not_runnable', { principal: ENGINE });
    made.retries('a');
    const second = made.action('a').readyAt - made.now;
    expect(first).toBeGreaterThanOrEqual(250);
    expect(first).toBeLessThanOrEqual(750);
    expect(second).toBeGreaterThanOrEqual(500);
    expect(second).toBeLessThanOrEqual(1_500);
  });

  test('after two crash suspicions it runs alone; a death while alone quarantines it', () => {
    const made = one();
    for (const _ of [1, 2]) {
      made.later();
      made.start('a');
      made.expire('a', 'engine_died');
    }
    expect(made.action('a')).toMatchObject({ status: 'ready', suspicions: 2, attempts: 0 });
    const owner = { facts: { liveRuns: { total: 1, ofOwner: 1, ownerAlone: false } }, principal: ENGINE };
    made.later();
    made.refuses(made.claimBody('a'), 'must_run_alone', owner);
    made.start('a');
    expect(made.item.runs[0]?.alone).toBe(true);
    made.expire('a', 'engine_died');
    expect(made.action('a')).toMatchObject({ status: 'failed', failureCode: 'quarantined' });
    expect(made.openKinds()).toEqual(['action_failed']);
  });

  test('beside a Run that is alone nothing else starts in the same process', () => {
    const made = one();
    const facts = { liveRuns: { total: 1, ofOwner: 1, ownerAlone: true } };
    made.refuses(made.claimBody('a'), 'must_run_alone', { facts, principal: ENGINE });
  });

  test('a death before dispatch raises no suspicion', () => {
    const made = one();
    made.claim('a');
    made.expire('a', 'engine_died');
    expect(made.action('a').suspicions).toBe(0);
  });

  test('a retry by a person grants as many attempts as one more try needs, and forgets suspicions', () => {
    const made = one({ maxAttempts: 1 });
    made.fails('a');
    made.does({ type: 'RetryAction', actionId: 'a', generation: 1 });
    expect(made.action('a')).toMatchObject({ generation: 2, attempts: 1, grantedAttempts: 1, suspicions: 0 });
    made.retries('a');
    expect(made.action('a').failureCode).toBe('attempts_exhausted');
  });

  test('lifetime attempts survive generations, and the lower cap of the item wins (rule 43)', () => {
    const made = scenario({ actions: [action('a', { for: ['c1'], maxAttempts: 5 })], limits: { attempts: 2 } });
    made.retries('a');
    made.does({ type: 'RedirectAction', actionId: 'a', generation: 1, guidance: 'else' });
    expect(made.action('a')).toMatchObject({ generation: 2, attempts: 1 });
    made.retries('a');
    expect(made.action('a').failureCode).toBe('attempts_exhausted');
  });

  test('an extension raises the bound of every Action, without starting anything by itself', () => {
    const made = one({ maxAttempts: 1 });
    made.retries('a');
    made.does({ type: 'ExtendBudget', controlVersion: 1, attempts: 2 });
    expect(made.item.limits).toMatchObject({ attempts: 5, attemptsExtension: 2 });
    expect(made.action('a').status).toBe('failed');
    made.answer('action_failed', 'retry');
    expect(made.action('a').grantedAttempts).toBe(0);
  });
});

describe('D11 mayAutoRetry on every path', () => {
  const paths = {
    retryable: (made: ReturnType<typeof one>) => made.settle('a', { kind: 'retryable', code: 'exit', error: 'e' }),
    interrupted: (made: ReturnType<typeof one>) => made.interrupt('a'),
    lease_expired: (made: ReturnType<typeof one>) => made.expire('a', 'lease_expired'),
    engine_died: (made: ReturnType<typeof one>) => made.expire('a', 'engine_died'),
    engine_stopped: (made: ReturnType<typeof one>) => made.expire('a', 'engine_stopped'),
    machine_rebooted: (made: ReturnType<typeof one>) => made.expire('a', 'machine_rebooted'),
  };

  test.each(Object.keys(paths) as (keyof typeof paths)[])(
    '%s: a dispatched deliver Action is never repeated',
    (path) => {
      const made = one({ type: 'deliver' });
      made.start('a');
      paths[path](made);
      expect(made.action('a').status).toBe('failed');
      expect(made.openKinds()).toEqual(['action_failed']);
    },
  );

  test.each(Object.keys(paths) as (keyof typeof paths)[])(
    '%s: an external effect once dispatched is unknown and asked about',
    (path) => {
      const made = one({ effects: 'external' });
      made.start('a');
      paths[path](made);
      expect(made.action('a').status).toBe('failed');
      expect(made.item.operations).toMatchObject([{ effect: 'unknown' }]);
      expect(made.openKinds()).toEqual(['operation_unknown']);
    },
  );

  test.each(Object.keys(paths) as (keyof typeof paths)[])(
    '%s: what was never dispatched may be repeated, even deliver',
    (path) => {
      const made = one({ type: 'deliver', effects: 'external' });
      made.claim('a');
      paths[path](made);
      expect(made.action('a')).toMatchObject({ status: 'ready', attempts: 0 });
      expect(made.item.operations).toEqual([]);
    },
  );
});

describe('external operations (chapter 1 §11, rules 38-39)', () => {
  const withSibling = () => scenario({ actions: [action('a', { for: ['c1'], effects: 'external' }), action('b')] });

  test('OPS-1: an effect is on the ledger from dispatch, and a pending one does not block siblings (D29)', () => {
    const made = withSibling();
    made.start('a');
    expect(made.item.operations).toMatchObject([{ actionId: 'a', effect: 'pending' }]);
    expect(made.dueKinds()).toEqual(['b']);
  });

  test('only external effects are recorded', () => {
    const made = withSibling();
    made.start('b');
    expect(made.item.operations).toEqual([]);
  });

  test('OPS-6, rule 39: an unknown effect stops the whole item until a person resolves it', () => {
    const made = withSibling();
    made.start('a');
    made.expire('a', 'engine_died');
    expect(made.dueKinds()).toEqual([]);
    made.refuses(made.claimBody('b'), 'not_runnable', { principal: ENGINE });
    made.answer('operation_unknown', 'not_applied');
    expect(made.item.operations).toMatchObject([{ effect: 'not_applied' }]);
    expect(made.openKinds()).toEqual(['action_failed']);
    expect(made.dueKinds()).toEqual(['b']);
  });

  test('completion means applied', () => {
    const made = withSibling();
    made.completes('a');
    expect(made.item.operations).toMatchObject([{ effect: 'applied' }]);
  });

  test('FIN-14: an unknown effect of a stopped Run blocks what follows a reopen until it is resolved', () => {
    const made = withSibling();
    made.start('a');
    made.does({ type: 'StopItem', reason: 'enough' });
    made.does({ type: 'ReopenItem' });
    expect(made.openKinds()).toEqual(['operation_unknown']);
    expect(made.dueKinds()).toEqual([]);
  });

  test.each(['reopen', 'redirect'] as const)(
    'invariant 5: an effect found to be applied is not repeated after a %s',
    (how) => {
      const made = withSibling();
      made.start('a');
      if (how === 'redirect') made.does({ type: 'RedirectAction', actionId: 'a', generation: 1, guidance: 'else' });
      else {
        made.does({ type: 'StopItem', reason: 'enough' });
        made.does({ type: 'ReopenItem' });
      }
      expect(made.action('a').status).toBe('ready');
      made.answer('operation_unknown', 'applied');
      expect(made.action('a').status).toBe('superseded');
      expect(made.openKinds()).toEqual(['replan']);
      expect(made.dueKinds()).toEqual(['b']);
      made.answer('replan', 'retain');
      expect(made.dueKinds()).toContain('a');
    },
  );

  test('after not_applied the redirected Action runs', () => {
    const made = withSibling();
    made.start('a');
    made.does({ type: 'RedirectAction', actionId: 'a', generation: 1, guidance: 'else' });
    made.answer('operation_unknown', 'not_applied');
    expect(made.dueKinds()).toContain('a');
  });
});

describe('D11 one settlement', () => {
  test('rules 9, 10: a Run settles once; the second try is a lost lease and changes nothing', () => {
    const made = one();
    made.start('a');
    const body = made.settleBody('a', completed(['c1']));
    made.does(body, { principal: ENGINE });
    made.refuses(body, 'lease_lost', { principal: ENGINE });
    made.refuses({ ...body, usage: USED }, 'lease_lost', { principal: ENGINE });
  });

  test('nothing completes before it was dispatched, and nothing is dispatched twice', () => {
    const made = one();
    made.claim('a');
    made.refuses(made.settleBody('a', completed(['c1'])), 'not_dispatched', { principal: ENGINE });
    const fence = made.fence('a');
    made.dispatch('a');
    made.refuses({ type: 'Dispatch', fence, base: 'b', enforcement: ENFORCED }, 'already_dispatched', {
      principal: ENGINE,
    });
  });

  test('a workspace that cannot be made fails the Action with its cause and charges nothing', () => {
    const made = one();
    made.claim('a');
    made.settle('a', { kind: 'failed', code: 'workspace_failed', error: 'disk' });
    expect(made.action('a')).toMatchObject({ status: 'failed', failureCode: 'workspace_failed', attempts: 0 });
  });

  test('FIN-6: a review that does not decide is tried again', () => {
    const made = scenario({
      criteria: [criterion('c1')],
      actions: [action('r', { for: ['c1'], type: 'review', workspace: 'read' })],
    });
    made.start('r');
    made.settle('r', completed(['c1']));
    expect(made.action('r')).toMatchObject({ status: 'ready', attempts: 1 });
    expect(made.action('r').lastRun?.code).toBe('no_review_decision');
  });

  test('rule 13, V8, chapter 2 C3: a review that wants changes sends the reviewed Actions back with its words; unrelated ones keep running', () => {
    const made = scenario({
      criteria: [checked('c1'), criterion('c2')],
      actions: [
        action('w', { for: ['c1'] }),
        action('other'),
        action('r', { for: ['c2'], type: 'review', workspace: 'read', dependsOn: ['w'] }),
      ],
    });
    made.completes('w');
    made.start('other');
    made.later();
    made.start('r');
    made.settle('r', completed(['c2'], { review: 'changes_requested', summary: 'The edge case is missing.' }));
    expect(made.action('r')).toMatchObject({ status: 'failed', failureCode: 'changes_requested' });
    expect(made.request('action_failed').details.join(' ')).toContain('The edge case is missing.');
    made.answer('action_failed', 'retry');
    expect(made.action('w')).toMatchObject({ status: 'ready', generation: 2, guidance: ['The edge case is missing.'] });
    expect(made.action('r')).toMatchObject({ status: 'ready', generation: 2 });
    expect(made.action('other')).toMatchObject({ status: 'running', generation: 1 });
  });

  test('a review that wants changes proves nothing, whatever it claims; closing it is no proof either (GOAL-6)', () => {
    const made = scenario({
      criteria: [checked('c1'), criterion('c2')],
      actions: [
        action('w', { for: ['c1', 'c2'] }),
        action('r', { for: ['c2'], type: 'review', workspace: 'read', dependsOn: ['w'] }),
      ],
    });
    made.completes('w');
    made.completes('r', completed(['c2'], { review: 'changes_requested' }));
    made.answer('action_failed', 'close');
    made.verifies({ c1: 'passed' });
    expect(goalOf(made.item).criteria.map(({ standing }) => standing)).toEqual(['passed', 'failed']);
    expect(made.openKinds()).toEqual(['proof_missing']);
  });
});
