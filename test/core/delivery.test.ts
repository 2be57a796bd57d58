import { describe, expect, test } from 'vitest';
import { statusOf } from '../../src/core/index.ts';
import { action, checked, completed, criterion } from './builders.ts';
import { ENGINE, scenario } from './scenario.ts';

const proven = (target: 'workspace_files' | 'merge' = 'workspace_files') => {
  const made = scenario({ delivery: target === 'merge' ? { target, branch: 'main' } : { target } });
  made.completes('a');
  made.verifies({ c1: 'passed' });
  return made;
};

const landing = () => {
  const made = proven('merge');
  made.publish();
  made.beginLanding();
  return made;
};

describe('D25 delivery targets', () => {
  test('workspace_files: published at exactly the proven commit, then done with its files named', () => {
    const made = proven();
    expect(made.dueKinds()).toEqual(['publish']);
    made.refuses({ type: 'RecordPublish', ref: 'r', commit: 'other' }, 'not_deliverable', { principal: ENGINE });
    made.publish();
    expect(made.item.finalResult).toMatchObject({
      outputs: [{ kind: 'file', ref: 'a.txt' }],
      commit: 'base+a',
      publishedBranch: 'workcenter/item-1',
      criteria: [{ criterionId: 'c1', proof: 'machine' }],
    });
  });

  test('response: the last substantive summary is the answer, and nothing is published', () => {
    const made = scenario({
      delivery: { target: 'response' },
      criteria: [criterion('c1')],
      actions: [action('a', { for: ['c1'], workspace: 'read' })],
    });
    made.completes('a', completed(['c1'], { summary: ' It is 42. ' }));
    expect(made.item.finalResult).toMatchObject({ summary: 'It is 42.', outputs: [] });
  });

  test('response: an item that said nothing asks, and a retry that says something withdraws the question', () => {
    const made = scenario({
      delivery: { target: 'response' },
      criteria: [criterion('c1')],
      actions: [action('a', { for: ['c1'] })],
    });
    made.completes('a', completed(['c1'], { summary: ' ' }));
    expect(made.openKinds()).toEqual(['delivery_blocked']);
    made.does({ type: 'RetryAction', actionId: 'a', generation: 1 });
    expect(made.openKinds()).toEqual([]);
    made.completes('a');
    expect(made.item.lifecycle).toBe('done');
  });

  test('workspace_files: a proven item without a file asks, and another target answers it', () => {
    const made = scenario();
    made.completes('a', completed(), { changedPaths: [] });
    made.verifies({ c1: 'passed' });
    expect(made.openKinds()).toEqual(['delivery_blocked']);
    const contract = { ...made.item.contract, delivery: { target: 'response' } as const };
    made.does({ type: 'EditContract', contractVersion: 1, contract });
    expect(made.item.lifecycle).toBe('done');
  });

  test('a criterion edited while delivery is blocked reopens the work: the question is withdrawn', () => {
    const made = proven();
    made.does(
      { type: 'BlockDelivery', code: 'publish_moved', question: 'Move it?', details: ['x'] },
      { principal: ENGINE },
    );
    expect(made.dueKinds()).toEqual([]);
    const contract = { ...made.item.contract, criteria: [checked('c1', { text: 'otherwise' })] };
    made.does({ type: 'EditContract', contractVersion: 1, contract });
    expect(made.openKinds()).toEqual([]);
    expect(made.dueKinds()).toEqual(['verify-2']);
  });

  test('a blocked delivery is tried again after "retry"', () => {
    const made = proven();
    made.does(
      { type: 'BlockDelivery', code: 'publish_moved', question: 'Move it?', details: [] },
      { principal: ENGINE },
    );
    made.answer('delivery_blocked', 'retry');
    expect(made.dueKinds()).toEqual(['publish']);
  });

  test('nothing is blocked that is not to be delivered', () => {
    const made = scenario();
    made.refuses({ type: 'BlockDelivery', code: 'x', question: 'q', details: [] }, 'not_deliverable', {
      principal: ENGINE,
    });
    made.refuses({ type: 'BeginLanding', commit: 'base' }, 'not_deliverable', { principal: ENGINE });
  });
});

describe('D32 merging', () => {
  test('results reach the branch in the order in which they ended', () => {
    const made = scenario({ actions: [action('a', { for: ['c1'] }), action('b')] });
    made.start('a', 'b');
    made.settle('b', completed());
    made.settle('a', completed(['c1']));
    expect(made.dueKinds()).toEqual(['merge', 'merge']);
    made.merge('b', 'h1');
    made.merge('a', 'h2');
    expect(made.item.branch.head).toBe('h2');
  });

  test('a merge on a head that has moved, or of nothing, is refused', () => {
    const made = scenario({ actions: [action('a', { for: ['c1'] })] });
    const merged = { kind: 'merged', head: 'h' } as const;
    const body = { type: 'RecordMerge', actionId: 'a', generation: 1, result: merged } as const;
    made.refuses({ ...body, expectedHead: 'base' }, 'wrong_state', { principal: ENGINE });
    made.start('a');
    made.settle('a', completed());
    made.refuses({ ...body, expectedHead: 'older' }, 'head_stale', { principal: ENGINE });
    made.refuses({ ...body, expectedHead: 'base', generation: 2 }, 'generation_stale', { principal: ENGINE });
  });

  test('a writer that left no commit has nothing to merge and stands in nobody’s way', () => {
    const made = scenario({ actions: [action('a', { for: ['c1'] }), action('b', { dependsOn: ['a'] })] });
    made.start('a');
    const body = made.settleBody('a', completed());
    if (body.settlement.kind !== 'outcome') throw new Error('an outcome was meant');
    const { commit: _commit, ...without } = body.settlement;
    made.does({ ...body, settlement: without }, { principal: ENGINE });
    expect(made.dueKinds()).toEqual(['b']);
  });

  test('a merge that changed nothing ages no proof', () => {
    const made = scenario({
      criteria: [criterion('c1')],
      actions: [action('r', { for: ['c1'], workspace: 'read' }), action('w')],
    });
    made.completes('r');
    made.start('w');
    made.settle('w', completed());
    made.merge('w', made.item.branch.head);
    expect(made.item.writes).toEqual([]);
  });

  test('a conflict without an integrate Action is asked about; retry starts again from the new head', () => {
    const made = scenario({ actions: [action('a', { for: ['c1'] }), action('b'), action('d', { dependsOn: ['b'] })] });
    made.start('a', 'b');
    made.settle('a', completed(['c1']));
    made.settle('b', completed());
    made.merge('a');
    made.conflict('b');
    expect(made.openKinds()).toEqual(['merge_conflict']);
    expect(made.dueKinds()).toEqual([]);
    made.answer('merge_conflict', 'retry');
    expect(made.dueKinds()).toEqual(['b']);
  });

  test('closing a conflicted result leaves it out, and its dependants go on (D2)', () => {
    const made = scenario({ actions: [action('a', { for: ['c1'] }), action('b'), action('d', { dependsOn: ['b'] })] });
    made.start('a', 'b');
    made.settle('a', completed(['c1']));
    made.settle('b', completed());
    made.merge('a');
    made.conflict('b');
    made.does({ type: 'CloseAction', actionId: 'b', generation: 1, reason: 'not needed', cascade: false });
    expect(made.openKinds()).toEqual([]);
    expect(made.dueKinds()).toEqual(['d']);
    made.completes('d');
    made.verifies({ c1: 'passed' });
    made.publish();
    expect(made.item.finalResult?.outputs.map((output) => output.ref)).toEqual(['a.txt', 'd.txt']);
  });

  test('a conflict that an integrate Action is for waits for it, and is merged after it', () => {
    const made = scenario({
      actions: [
        action('a', { for: ['c1'] }),
        action('b'),
        action('i', { dependsOn: ['a', 'b'], workspace: 'integrate' }),
      ],
    });
    made.start('a', 'b');
    made.settle('a', completed(['c1']));
    made.settle('b', completed());
    made.merge('a');
    made.conflict('b');
    expect(made.openKinds()).toEqual([]);
    expect(made.dueKinds()).toEqual(['i']);
    made.completes('i');
    expect(made.dueKinds()).toEqual(['merge']);
    made.merge('b', made.item.branch.head);
    expect(made.dueKinds()).toEqual(['verify-1']);
  });

  test('an integrate Action that is closed hands the conflict back to a person', () => {
    const made = scenario({
      actions: [
        action('a', { for: ['c1'] }),
        action('b'),
        action('i', { dependsOn: ['a', 'b'], workspace: 'integrate' }),
      ],
    });
    made.start('a', 'b');
    made.settle('a', completed(['c1']));
    made.settle('b', completed());
    made.merge('a');
    made.conflict('b');
    made.does({ type: 'CloseAction', actionId: 'i', generation: 1, reason: 'by hand', cascade: false });
    expect(made.openKinds()).toEqual(['merge_conflict']);
  });
});

describe('D32 landing', () => {
  test('lands the published commit and is done', () => {
    const made = landing();
    expect(made.item.lifecycle).toBe('open');
    made.settleLanding({ kind: 'landed' });
    expect(made.item).toMatchObject({
      lifecycle: 'done',
      landing: { kind: 'landed', branch: 'main', commit: 'base+a' },
    });
  });

  test('everything that would take the work away is refused while it is reserved (INT-3)', () => {
    const made = landing();
    const address = { actionId: 'a', generation: 1 };
    made.refuses({ type: 'RetryAction', ...address }, 'landing_in_progress');
    made.refuses({ type: 'RedirectAction', ...address, guidance: 'x' }, 'landing_in_progress');
    made.refuses({ type: 'CloseAction', ...address, reason: 'x', cascade: true }, 'landing_in_progress');
    made.refuses({ type: 'AnswerRequest', requestId: 'r1', choice: 'retry', text: '' }, 'landing_in_progress');
    const contract = { ...made.item.contract, goal: 'another' };
    made.refuses({ type: 'EditContract', contractVersion: 1, contract }, 'landing_in_progress');
    const sync = { expectedHead: made.item.branch.head, head: 'h', targetHead: 't' };
    made.refuses({ type: 'RecordSync', ...sync }, 'wrong_state', { principal: ENGINE });
    made.refuses({ type: 'BeginLanding', commit: made.item.branch.head }, 'not_deliverable', { principal: ENGINE });
  });

  test('a stop waits for it: cancelling, then cancelled, and the landed commit is told', () => {
    const made = landing();
    made.does({ type: 'StopItem', reason: 'enough' });
    expect(statusOf(made.item)).toBe('cancelling');
    expect(made.dueKinds()).toEqual(['land']);
    made.refuses({ type: 'ReopenItem' }, 'wrong_state');
    made.settleLanding({ kind: 'landed' });
    expect(made.item).toMatchObject({ lifecycle: 'cancelled', landing: { kind: 'landed' } });
    made.does({ type: 'ReopenItem' });
    expect(made.item.lifecycle).toBe('done');
  });

  test('a landing that is blocked while cancelling asks nobody', () => {
    const made = landing();
    made.does({ type: 'StopItem', reason: 'enough' });
    made.settleLanding({ kind: 'blocked', code: 'dirty', question: 'q', details: [] });
    expect(made.item).toMatchObject({ lifecycle: 'cancelled', requests: [] });
  });

  test('a hold does not stop the owner of a landing; the item is done after the resume', () => {
    const made = landing();
    made.does({ type: 'HoldItem', code: 'user', details: 'wait' });
    expect(made.dueKinds()).toEqual(['land']);
    made.settleLanding({ kind: 'landed' });
    expect(made.item.lifecycle).toBe('open');
    made.does({ type: 'ResumeItem', controlVersion: made.item.controlVersion });
    expect(made.item.lifecycle).toBe('done');
  });

  test('another branch chosen after a landing is landed on as well', () => {
    const made = landing();
    made.does({ type: 'HoldItem', code: 'user', details: 'wait' });
    made.settleLanding({ kind: 'landed' });
    const contract = { ...made.item.contract, delivery: { target: 'merge', branch: 'release' } as const };
    made.does({ type: 'EditContract', contractVersion: 1, contract });
    made.does({ type: 'ResumeItem', controlVersion: made.item.controlVersion });
    expect(made.dueKinds()).toEqual(['land']);
  });

  test('an old landing epoch settles nothing (D8)', () => {
    const made = landing();
    made.settleLanding({ kind: 'not_landed', code: 'target_moved', detail: '' });
    expect(made.dueKinds()).toEqual(['land']);
    made.beginLanding();
    expect(made.item.landingEpoch).toBe(2);
    made.refuses({ type: 'SettleLanding', epoch: 1, result: { kind: 'landed' } }, 'wrong_state', { principal: ENGINE });
  });

  test('a blocked landing offers the branch alone: the target changes, and so does the contract version (D5)', () => {
    const made = landing();
    made.settleLanding({ kind: 'blocked', code: 'dirty', question: 'Your edits overlap.', details: ['x.txt'] });
    expect(made.request('delivery_blocked').choices).toEqual(['retry', 'branch_only', 'stop']);
    made.answer('delivery_blocked', 'branch_only');
    expect(made.item).toMatchObject({ lifecycle: 'done', contractVersion: 2 });
    expect(made.item.finalResult?.delivery).toEqual({ target: 'workspace_files' });
  });

  test('a blocked landing becomes moot when a person changes the target by an edit', () => {
    const made = landing();
    made.settleLanding({ kind: 'blocked', code: 'dirty', question: 'Your edits overlap.', details: [] });
    const contract = { ...made.item.contract, delivery: { target: 'workspace_files' } as const };
    made.does({ type: 'EditContract', contractVersion: 1, contract });
    expect(made.item.lifecycle).toBe('done');
  });

  test('a sync with a moved target makes every proof stale and is verified again before it lands', () => {
    const made = proven('merge');
    const head = made.item.branch.head;
    made.refuses({ type: 'RecordSync', expectedHead: 'older', head: 'h', targetHead: 't' }, 'head_stale', {
      principal: ENGINE,
    });
    made.does({ type: 'RecordSync', expectedHead: head, head: 'synced', targetHead: 't' }, { principal: ENGINE });
    expect(made.dueKinds()).toEqual(['verify-2']);
    made.verifies({ c1: 'passed' });
    made.refuses({ type: 'BeginLanding', commit: head }, 'not_deliverable', { principal: ENGINE });
    expect(made.dueKinds()).toEqual(['publish']);
  });
});
