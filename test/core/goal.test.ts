import { describe, expect, test } from 'vitest';
import { goalOf } from '../../src/core/index.ts';
import { action, checked, completed, criterion } from './builders.ts';
import { coordinated, create, decides, review, work } from './coordinator.ts';
import { type Scenario, scenario } from './scenario.ts';

const goal = (made: Scenario, id = 'c1') => {
  const found = goalOf(made.item).criteria.find((candidate) => candidate.criterion.id === id);
  if (!found) throw new Error(`no criterion ${id}`);
  return found;
};
const standing = (made: Scenario, id = 'c1') => goal(made, id).standing;

/** A writer w, a reader r that is for c1, and a late writer `late`. */
const writers = (more: Parameters<typeof scenario>[0] = {}) =>
  scenario({
    criteria: [criterion('c1')],
    actions: [
      action('w', { for: ['c1'] }),
      action('r', { for: ['c1'], workspace: 'read' }),
      action('late', { executor: { kind: 'command', run: './late', identity: 'late' } }),
    ],
    ...more,
  });

describe('D22 what a completed Run may claim', () => {
  test('claims about criteria the Action was not for count as deferred', () => {
    const made = writers();
    made.completes('late', completed(['c1']));
    expect(standing(made)).toBe('unmet');
  });

  test('deferred and not applicable say nothing (rule 11, V43, chapter 2 C12)', () => {
    const made = writers();
    made.completes('r', completed({ c1: 'not_applicable' }));
    expect(standing(made)).toBe('unmet');
    expect(made.action('r').status).toBe('completed');
  });

  test('only a completed outcome claims', () => {
    const made = writers();
    made.fails('r');
    expect(standing(made)).toBe('unmet');
  });
});

describe('D24 freshness by event order', () => {
  test('GOAL-5: a write that the reader could not have seen ages its pass; reading again renews it', () => {
    const made = writers();
    made.start('r');
    made.completes('late');
    made.settle('r', completed(['c1']));
    expect(goal(made)).toMatchObject({ standing: 'stale', staledBy: { actionId: 'late' } });
    made.does({ type: 'RetryAction', actionId: 'r', generation: 1 });
    made.completes('r');
    expect(standing(made)).toBe('passed');
  });

  test('a write before the reader started ages nothing', () => {
    const made = writers();
    made.completes('late');
    made.completes('r');
    expect(goal(made)).toMatchObject({ standing: 'passed', proof: 'independent', flags: [] });
  });

  test('its own writing does not age a writer’s proof; work side by side flags it concurrent_write', () => {
    const made = writers();
    made.start('w');
    made.completes('late');
    made.settle('w', completed(['c1']));
    made.merge('w');
    expect(goal(made)).toMatchObject({ standing: 'passed', proof: 'self', flags: ['concurrent_write'] });
  });

  test('a later writer that builds on the claimer ages its proof', () => {
    const made = scenario({
      criteria: [criterion('c1'), checked('c2')],
      actions: [action('w', { for: ['c1'] }), action('z', { for: ['c1'], dependsOn: ['w'] })],
    });
    made.completes('w');
    made.completes('z', completed());
    expect(standing(made)).toBe('stale');
  });

  test('in place nothing is side by side: another writer ages it', () => {
    const made = writers({ workspace: 'in-place' });
    made.completes('w');
    made.completes('late');
    expect(standing(made)).toBe('stale');
  });

  test('writes of failed attempts in place age proof as well, and closing does not undo them', () => {
    const made = writers({ workspace: 'in-place' });
    made.completes('r');
    expect(standing(made)).toBe('passed');
    made.fails('late');
    expect(standing(made)).toBe('stale');
    made.does({ type: 'CloseAction', actionId: 'late', generation: 1, reason: '', cascade: false });
    expect(standing(made)).toBe('stale');
  });
});

describe('D24 contradiction and authority', () => {
  test('GOAL-6: a newer refusal beats an older pass, and a pass that started after it beats the refusal', () => {
    const made = writers();
    made.completes('w');
    made.completes('r', completed({ c1: 'failed' }));
    expect(goal(made)).toMatchObject({ standing: 'failed', claim: { actionId: 'r' } });
    made.does({ type: 'RetryAction', actionId: 'w', generation: 1 });
    made.completes('w');
    expect(standing(made)).toBe('passed');
  });

  test('a pass that was under way when the refusal came does not beat it', () => {
    const made = writers();
    made.start('w');
    made.completes('r', completed({ c1: 'failed' }));
    made.settle('w', completed(['c1']));
    made.merge('w');
    expect(standing(made)).toBe('failed');
  });

  test('closing the Action that refused does not erase its refusal', () => {
    const made = writers();
    made.completes('w');
    made.completes('r', completed({ c1: 'failed' }));
    made.does({ type: 'RetryAction', actionId: 'r', generation: 1 });
    made.does({ type: 'CloseAction', actionId: 'r', generation: 2, reason: '', cascade: false });
    expect(standing(made)).toBe('failed');
  });

  test('rule 36: closing, retrying or superseding an Action takes its pass away; closing is no proof', () => {
    const made = writers();
    made.completes('r');
    expect(standing(made)).toBe('passed');
    made.does({ type: 'RetryAction', actionId: 'r', generation: 1 });
    expect(standing(made)).toBe('unmet');
    made.does({ type: 'CloseAction', actionId: 'r', generation: 2, reason: '', cascade: false });
    expect(standing(made)).toBe('unmet');
  });
});

describe('D23 a criterion with a check is passed only by it', () => {
  test('whatever executors claim', () => {
    const made = scenario();
    made.completes('a', completed(['c1']));
    expect(standing(made)).toBe('unmet');
    made.verifies({ c1: 'passed' });
    expect(goal(made)).toMatchObject({ standing: 'passed', proof: 'machine' });
  });

  test.each(['wrong_exit', 'output_mismatch', 'timed_out', 'not_found', 'setup_failed', 'killed'] as const)(
    '%s is a refusal',
    (verdict) => {
      const made = scenario();
      made.completes('a');
      made.verifies({ c1: verdict });
      expect(standing(made)).toBe('failed');
    },
  );

  test('a later write makes it stale, and a later refusal beats it', () => {
    const made = scenario({ actions: [action('a', { for: ['c1'] }), action('b')] });
    made.completes('a');
    made.completes('b');
    made.verifies({ c1: 'passed' });
    made.does({ type: 'RetryAction', actionId: 'b', generation: 1 });
    expect(standing(made)).toBe('passed');
    made.completes('b');
    expect(goal(made)).toMatchObject({ standing: 'stale', staledBy: { actionId: 'b' } });
    made.verifies({ c1: 'wrong_exit' });
    expect(standing(made)).toBe('failed');
  });

  test('its flags stay on the proof', () => {
    const made = scenario();
    made.completes('a');
    made.verifies({ c1: 'passed' }, ['already_green']);
    expect(goal(made).flags).toEqual(['already_green']);
  });
});

describe('D24 minProof', () => {
  test('self is too weak where independent is asked; another executor that only reads is enough', () => {
    const made = writers({ criteria: [criterion('c1', { minProof: 'independent' })] });
    made.completes('w');
    expect(goal(made)).toMatchObject({ standing: 'weak', proof: 'self' });
    made.completes('late');
    made.completes('r');
    expect(goal(made)).toMatchObject({ standing: 'passed', proof: 'independent' });
  });

  test('a reader with the identity of a writer is not independent', () => {
    const same = { kind: 'command', run: './w', identity: 'w' } as const;
    const made = writers({
      actions: [
        action('w', { for: ['c1'], executor: same }),
        action('r', { for: ['c1'], workspace: 'read', executor: same }),
      ],
    });
    made.completes('w');
    made.completes('r');
    expect(goal(made).proof).toBe('self');
  });

  test.each([
    [[], 'passed'],
    [['tests_changed'], 'weak'],
    [['script_changed'], 'weak'],
    [['protected_restored'], 'passed'],
  ] as const)('machine-protected with flags %j is %s', (flags, expected) => {
    const made = scenario({ criteria: [checked('c1', { minProof: 'machine-protected' })] });
    made.completes('a');
    made.verifies({ c1: 'passed' }, flags);
    expect(standing(made)).toBe(expected);
  });

  test('machine is enough where changed tests are tolerated', () => {
    const made = scenario({ criteria: [checked('c1', { minProof: 'machine' })] });
    made.completes('a');
    made.verifies({ c1: 'passed' }, ['tests_changed']);
    expect(standing(made)).toBe('passed');
  });
});

test('rule 35: done needs a fresh proof for every criterion, and its result names each (invariant 6)', () => {
  const made = scenario({
    criteria: [checked('c1'), criterion('c2', { minProof: 'independent' })],
    actions: [action('a', { for: ['c1'] }), action('r', { for: ['c2'], dependsOn: ['a'], workspace: 'read' })],
  });
  made.completes('a');
  made.completes('r');
  made.verifies({ c1: 'passed' }, ['red_to_green']);
  made.publish();
  expect(made.item.finalResult?.criteria).toEqual([
    { criterionId: 'c1', text: 'c1 holds', proof: 'machine', flags: ['red_to_green'], runId: 'run-3' },
    { criterionId: 'c2', text: 'c2 holds', proof: 'independent', flags: [], runId: 'run-2' },
  ]);
});

describe('a review that wants changes (GOAL-3)', () => {
  const both = { criteria: [criterion('c1'), criterion('c2')] };

  /** A writer claims both criteria, and then a review of both says no. */
  function refused(claims: Parameters<typeof completed>[0]): Scenario {
    const made = coordinated(both);
    decides(made, [create(work('w', { for: ['c1', 'c2'] }))]);
    made.completes('w', completed(['c1', 'c2']));
    decides(made, [create(review('r', { for: ['c1', 'c2'] }))]);
    made.completes('r', completed(claims, { review: 'changes_requested', summary: 'It leaks.' }));
    return made;
  }

  test('contradicts all that it was for, whatever it ticks', () => {
    const made = refused({ c1: 'passed', c2: 'deferred' });
    expect([standing(made, 'c1'), standing(made, 'c2')]).toEqual(['failed', 'failed']);
    expect(goal(made, 'c1').claim?.evidence).toBe('It leaks.');
    expect(made.action('r').status).toBe('failed');
  });

  test('but for what it says does not apply', () => {
    const made = refused({ c1: 'not_applicable', c2: 'failed' });
    expect([standing(made, 'c1'), standing(made, 'c2')]).toEqual(['passed', 'failed']);
    expect(goal(made, 'c2').claim?.evidence).toBe('seen');
  });

  test('speaks of nothing that it was not for', () => {
    const made = coordinated(both);
    decides(made, [create(work('w', { for: ['c1', 'c2'] }))]);
    made.completes('w', completed(['c1', 'c2']));
    decides(made, [create(review('r', { for: ['c1'] }))]);
    made.completes('r', completed({ c2: 'failed' }, { review: 'changes_requested' }));
    expect([standing(made, 'c1'), standing(made, 'c2')]).toEqual(['failed', 'passed']);
  });
});

describe('D24 whose word it is, by VP', () => {
  const proofOf = (reviewer: string): string | undefined => {
    const made = coordinated();
    decides(made, [create(work('w'))]);
    made.completes('w', completed());
    const executor = { kind: 'agent', vp: reviewer, assigned: 'auto' } as const;
    decides(made, [create(review('r', { executor }))]);
    made.completes('r', completed(['c1'], { review: 'approved' }));
    return goal(made).proof;
  };

  test('another VP than every writer is independent, the same one under another Action is not', () => {
    expect(proofOf('bob')).toBe('independent');
    expect(proofOf('ada')).toBe('self');
  });

  test('a VP that writes proves for itself only, and becomes no stranger by reading later', () => {
    const made = coordinated({ criteria: [criterion('c1', { minProof: 'independent' })] });
    decides(made, [create(work('w'))]);
    made.completes('w', completed(['c1']));
    expect(goal(made)).toMatchObject({ standing: 'weak', proof: 'self' });
    const executor = { kind: 'agent', vp: 'ada', assigned: 'fixed' } as const;
    decides(made, [create(review('r', { executor }))]);
    made.completes('r', completed(['c1'], { review: 'approved' }));
    expect(goal(made)).toMatchObject({ standing: 'weak', proof: 'self' });
    decides(made, [create(review('r2'))]);
    made.completes('r2', completed(['c1'], { review: 'approved' }));
    expect(goal(made)).toMatchObject({ standing: 'passed', proof: 'independent' });
  });
});
