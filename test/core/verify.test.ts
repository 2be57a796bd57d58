import { describe, expect, test } from 'vitest';
import { goalOf } from '../../src/core/index.ts';
import { action, check, checked, completed, criterion, ENFORCED, USED } from './builders.ts';
import { ENGINE, scenario } from './scenario.ts';

const standing = (made: ReturnType<typeof scenario>, id: string) =>
  goalOf(made.item).criteria.find((goal) => goal.criterion.id === id)?.standing;

describe('D32 verification', () => {
  test('is commissioned once, when everything ran and is merged, for every criterion with a check', () => {
    const made = scenario({
      criteria: [checked('c1'), criterion('c2'), checked('c3')],
      actions: [action('a', { for: ['c2'] }), action('b')],
    });
    made.completes('a');
    expect(made.count('ActionAdded')).toBe(0);
    made.completes('b');
    expect(made.verify).toMatchObject({ id: 'verify-1', status: 'ready', spec: { type: 'verify', for: ['c1', 'c3'] } });
    expect(made.count('ActionAdded')).toBe(1);
    expect(made.dueKinds()).toEqual(['verify-1']);
  });

  test('its verdict stands until the branch moves: a refusal is asked about once and commissions nothing', () => {
    const made = scenario();
    made.completes('a');
    made.verifies({ c1: 'wrong_exit' });
    expect(made.openKinds()).toEqual(['verification_failed']);
    expect(made.count('ActionAdded')).toBe(1);
    made.answer('verification_failed', 'retry', 'mind the edge case');
    expect(made.action('a')).toMatchObject({ status: 'ready', generation: 2, guidance: ['mind the edge case'] });
    made.completes('a');
    made.verifies({ c1: 'passed' });
    made.publish();
    expect(made.item.lifecycle).toBe('done');
  });

  test('asking again after a verdict commissions another run, and only one', () => {
    const made = scenario();
    made.completes('a');
    made.verifies({ c1: 'wrong_exit' });
    made.answer('verification_failed', 'verify');
    expect(made.verify).toMatchObject({ id: 'verify-2', status: 'ready' });
    made.verifies({ c1: 'passed' });
    expect(standing(made, 'c1')).toBe('passed');
  });

  test('asking again for checks that could not be run comes to rest and leaves the broken try behind', () => {
    const made = scenario();
    made.completes('a');
    made.fails('verify-1', 'setup_failed');
    expect(made.openKinds()).toEqual(['verification_error']);
    made.answer('verification_error', 'verify');
    expect(made.action('verify-1').status).toBe('superseded');
    expect(made.dueKinds()).toEqual(['verify-2']);
    expect(made.openKinds()).toEqual([]);
  });

  test('asking by hand for checks that could not be run comes to rest as well', () => {
    const made = scenario();
    made.completes('a');
    made.fails('verify-1');
    made.does({ type: 'RetryAction', actionId: 'verify-1', generation: 1 });
    expect(made.dueKinds()).toEqual(['verify-2']);
  });

  test('a criterion that the run said nothing about fails the run instead of commissioning for ever', () => {
    const made = scenario({ criteria: [checked('c1'), checked('c2')] });
    made.completes('a');
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect(made.dueKinds()).toEqual(['verify-1']);
      made.verifies({ c1: 'passed' });
    }
    expect(made.verify).toMatchObject({ id: 'verify-1', status: 'failed' });
    expect(made.openKinds()).toEqual(['verification_error']);
  });

  test('a new title neither ages a verdict nor commissions a second run beside one that is ready (D6)', () => {
    const made = scenario();
    made.completes('a');
    const { contract } = made.item;
    made.does({ type: 'EditContract', contractVersion: 1, contract: { ...contract, title: 'Better' } });
    expect(made.count('ActionAdded')).toBe(1);
    made.verifies({ c1: 'wrong_exit' });
    made.does({ type: 'EditContract', contractVersion: 2, contract: { ...contract, title: 'Best' } });
    expect(made.openKinds()).toEqual(['verification_failed']);
    expect(made.count('ActionAdded')).toBe(1);
  });

  test('an edited check supersedes the verification that is running and commissions another', () => {
    const made = scenario();
    made.completes('a');
    made.start('verify-1');
    const edited = { ...made.item.contract, criteria: [checked('c1', { check: check('npm run other') })] };
    made.does({ type: 'EditContract', contractVersion: 1, contract: edited });
    expect(made.action('verify-1').status).toBe('superseded');
    expect(made.dueKinds()).toEqual(['verify-2']);
  });

  test('a check that an edit adds is run although everything was proven differently before', () => {
    const made = scenario({ criteria: [criterion('c1')] });
    made.start('a');
    made.settle('a', completed());
    made.merge('a');
    expect(made.openKinds()).toEqual(['proof_missing']);
    made.does({
      type: 'EditContract',
      contractVersion: 1,
      contract: { ...made.item.contract, criteria: [checked('c1')] },
    });
    expect(made.openKinds()).toEqual([]);
    expect(made.dueKinds()).toEqual(['verify-1']);
  });

  test('a check that an edit removes takes its verification away and leaves the executor to prove it', () => {
    const made = scenario();
    made.completes('a');
    made.does({
      type: 'EditContract',
      contractVersion: 1,
      contract: { ...made.item.contract, criteria: [criterion('c1')] },
    });
    expect(made.action('verify-1').status).toBe('superseded');
    expect(made.openKinds()).toEqual(['proof_missing']);
    made.answer('proof_missing', 'retry');
    made.completes('a');
    made.publish();
    expect(made.item.lifecycle).toBe('done');
  });

  test('a ready verification that new work outruns is retired and commissioned again at the end', () => {
    const made = scenario({ actions: [action('a', { for: ['c1'] }), action('b')] });
    made.completes('a');
    made.completes('b');
    made.does({ type: 'RetryAction', actionId: 'b', generation: 1 });
    expect(made.action('verify-1').status).toBe('superseded');
    expect(made.dueKinds()).toEqual(['b']);
    made.completes('b');
    expect(made.dueKinds()).toEqual(['verify-2']);
  });

  test('nothing is commissioned while a person still owes what becomes of superseded Actions', () => {
    const made = scenario({
      criteria: [checked('c1'), checked('c2')],
      actions: [action('a', { for: ['c1'] }), action('b', { for: ['c2'] })],
    });
    made.completes('a');
    const criteria = [checked('c1'), checked('c2', { text: 'otherwise' })];
    made.does({ type: 'EditContract', contractVersion: 1, contract: { ...made.item.contract, criteria } });
    expect(made.openKinds()).toEqual(['replan']);
    expect(made.dueKinds()).toEqual([]);
    made.answer('replan', 'close');
    expect(made.dueKinds()).toEqual(['verify-1']);
  });

  test('asking is refused where there is no check, before the start and while a landing is reserved', () => {
    const unchecked = scenario({ criteria: [criterion('c1')] });
    unchecked.refuses({ type: 'AskVerification' }, 'wrong_state');
    scenario({ start: false }).refuses({ type: 'AskVerification' }, 'item_not_open');
    const landing = scenario({ delivery: { target: 'merge', branch: 'main' } });
    landing.completes('a');
    landing.verifies({ c1: 'passed' });
    landing.publish();
    landing.beginLanding();
    landing.refuses({ type: 'AskVerification' }, 'landing_in_progress');
  });

  test('a result is not delivered while a verification that a person asked for is still to come', () => {
    const made = scenario();
    made.completes('a');
    made.verifies({ c1: 'passed' });
    made.does({ type: 'AskVerification' });
    expect(made.dueKinds()).toEqual(['verify-2']);
    made.refuses({ type: 'RecordPublish', ref: 'r', commit: made.item.branch.head }, 'not_deliverable', {
      principal: ENGINE,
    });
    made.verifies({ c1: 'wrong_exit' });
    expect(made.openKinds()).toEqual(['verification_failed']);
  });

  test('receipts of a criterion that is gone meanwhile are no claims, and one about an older version proves nothing', () => {
    const made = scenario();
    made.completes('a');
    made.start('verify-1');
    const fence = made.fence('verify-1');
    const stale = made.item.contract.criteria[0];
    expect(stale?.version).toBe(1);
    made.does({ type: 'EditContract', contractVersion: 1, contract: { ...made.item.contract, goal: 'Another goal' } });
    const settlement = { kind: 'outcome', outcome: completed(), changedPaths: [], receipts: [] } as const;
    made.refuses({ type: 'Settle', fence, settlement, usage: USED }, 'lease_lost', { principal: ENGINE });
    made.refuses({ type: 'Dispatch', fence, base: 'b', enforcement: ENFORCED }, 'lease_lost', { principal: ENGINE });
    expect(standing(made, 'c1')).toBe('unmet');
  });
});
