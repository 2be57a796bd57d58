import { describe, expect, test } from 'vitest';
import { resources } from '../../src/core/index.ts';
import { action, checked, completed, criterion } from './builders.ts';
import { ENGINE, type Scenario, scenario } from './scenario.ts';

const LIVE = { total: 0, ofOwner: 0, ownerAlone: false };

describe('D1 one scheduling rule', () => {
  test('rule 2, V6, chapter 2 C1: independent Actions run side by side; a dependant waits for all to be completed and merged', () => {
    const made = scenario({
      actions: [action('a', { for: ['c1'] }), action('b'), action('c', { dependsOn: ['a', 'b'] })],
    });
    expect(made.dueKinds()).toEqual(['a', 'b']);
    made.start('a', 'b');
    made.settle('a', completed(['c1']));
    made.settle('b', completed());
    made.merge('a');
    expect(made.dueKinds()).toEqual(['merge']);
    const refusal = made.refuses(made.claimBody('c'), 'not_runnable', { principal: ENGINE });
    expect(refusal.message).toContain('waits for b');
    made.merge('b');
    expect(made.dueKinds()).toEqual(['c']);
  });

  test('rule 1: a ready Action is claimed once; a second owner gets nothing', () => {
    const made = scenario();
    made.claim('a');
    made.refuses(made.claimBody('a', 'w2'), 'not_runnable', { principal: ENGINE });
    expect(made.item.runs).toHaveLength(1);
  });

  test('a dependency that was closed counts as satisfied and is named in the summary (D2)', () => {
    const made = scenario({ actions: [action('a'), action('b', { for: ['c1'], dependsOn: ['a'] })] });
    made.does({ type: 'CloseAction', actionId: 'a', generation: 1, reason: 'done by hand', cascade: false });
    expect(made.action('a')).toMatchObject({ status: 'closed', closeReason: 'done by hand' });
    made.completes('b');
    made.verifies({ c1: 'passed' });
    made.publish();
    expect(made.item.finalResult?.summary).toContain('Left out: a.');
  });

  test('the order in a plan does not matter', () => {
    const made = scenario({ actions: [action('b', { dependsOn: ['a'] }), action('a', { for: ['c1'] })] });
    expect(made.dueKinds()).toEqual(['a']);
  });

  test('one clone serves all shared Actions of an isolated item', () => {
    const made = scenario({
      actions: [
        action('a', { for: ['c1'], workspace: 'shared' }),
        action('b', { workspace: 'shared' }),
        action('r', { workspace: 'read' }),
      ],
    });
    made.claim('a');
    expect(made.dueKinds()).toEqual(['r']);
    made.refuses(made.claimBody('b'), 'not_runnable', { principal: ENGINE });
  });

  test('a full house is said so', () => {
    const made = scenario();
    made.refuses(made.claimBody('a'), 'concurrency_full', {
      principal: ENGINE,
      concurrency: 2,
      facts: { liveRuns: { ...LIVE, total: 2 } },
    });
  });

  test('a draft runs nothing', () => {
    const made = scenario({ start: false });
    made.refuses(made.claimBody('a'), 'item_not_open', { principal: ENGINE });
  });
});

describe('D2 local failure', () => {
  test('rule 12, V7, chapter 2 C2: a failed Action stops its dependants, not its siblings, and only its own generation moves on retry', () => {
    const made = scenario({ actions: [action('a'), action('b', { for: ['c1'] }), action('c', { dependsOn: ['a'] })] });
    made.start('b');
    made.fails('a');
    expect(made.openKinds()).toEqual(['action_failed']);
    made.settle('b', completed(['c1']));
    made.merge('b');
    expect(made.dueKinds()).toEqual([]);
    made.answer('action_failed', 'retry');
    expect(made.item.actions.map((known) => known.generation)).toEqual([2, 1, 1]);
    expect(made.dueKinds()).toEqual(['a']);
  });

  test('close --cascade closes what depended on it, and nothing that ended well', () => {
    const made = scenario({
      actions: [
        action('a'),
        action('b', { dependsOn: ['a'] }),
        action('c', { dependsOn: ['b'] }),
        action('d', { for: ['c1'] }),
      ],
    });
    made.completes('d');
    made.fails('a');
    made.does({ type: 'CloseAction', actionId: 'a', generation: 1, reason: '', cascade: true });
    expect(made.item.actions.map((known) => known.status)).toEqual([
      'closed',
      'closed',
      'closed',
      'completed',
      'ready',
    ]);
    expect(made.action('a').closeReason).toBe('closed by a person');
  });

  test('every failure has a question of its own', () => {
    const made = scenario({ actions: [action('a', { for: ['c1'] }), action('b')] });
    made.fails('a');
    made.fails('b');
    expect(made.item.requests.map((request) => request.subject)).toEqual([
      { kind: 'action_failed', actionId: 'a' },
      { kind: 'action_failed', actionId: 'b' },
    ]);
  });

  test('only what is ready, waiting, failed, superseded or conflicted is closed', () => {
    const made = scenario({ actions: [action('a', { for: ['c1'] }), action('b')] });
    made.completes('a');
    made.start('b');
    for (const actionId of ['a', 'b']) {
      made.refuses({ type: 'CloseAction', actionId, generation: 1, reason: '', cascade: false }, 'wrong_state');
    }
  });
});

describe('D29 in-place holds', () => {
  const inPlace = () =>
    scenario({
      workspace: 'in-place',
      criteria: [criterion('c1')],
      actions: [
        action('r1', { workspace: 'read' }),
        action('w', { for: ['c1'], workspace: 'shared' }),
        action('r2', { workspace: 'read' }),
      ],
    });
  const hold = (mode: 'read' | 'write', itemId = 'item-2') => ({ key: '/repo', mode, itemId, runId: 'other' });
  const kinds = (writes: readonly { readonly kind: string }[]) => writes.map((write) => write.kind);

  test('the door is told which rows to read', () => {
    const made = inPlace();
    const ask = (id: string) =>
      resources({ itemId: made.itemId, principal: ENGINE, body: made.claimBody(id) }, made.item);
    expect(ask('w')).toEqual({ concurrency: true, holdKey: '/repo' });
    const isolated = scenario();
    expect(resources({ itemId: 'x', principal: ENGINE, body: isolated.claimBody('a') }, isolated.item)).toEqual({
      concurrency: true,
    });
  });

  test('readers share', () => {
    const writes = inPlace().claim('r1', { facts: { holds: [hold('read')] } });
    expect(kinds(writes)).toEqual(['lease_put', 'hold_put']);
  });

  test('a writer excludes all, and all exclude a writer', () => {
    const made = inPlace();
    made.refuses(made.claimBody('r1'), 'workspace_busy', { principal: ENGINE, facts: { holds: [hold('write')] } });
    for (const mode of ['read', 'write'] as const) {
      const refusal = made.refuses(made.claimBody('w'), 'workspace_busy', {
        principal: ENGINE,
        facts: { holds: [hold(mode)] },
      });
      expect(refusal.writes).toEqual([{ kind: 'hold_wait', key: '/repo', itemId: 'item-1' }]);
    }
  });

  test('a waiting writer of another item stops new readers', () => {
    const made = inPlace();
    made.refuses(made.claimBody('r1'), 'workspace_busy', { principal: ENGINE, facts: { holdWaiter: 'item-2' } });
    made.claim('w', { facts: { holdWaiter: 'item-2' } });
  });

  test('a writer gives up its place when it starts; a reader of the same item does not give it up for it', () => {
    const made = inPlace();
    expect(kinds(made.claim('r1', { facts: { holdWaiter: 'item-1' } }))).not.toContain('hold_unwait');
    expect(kinds(made.claim('w', { facts: { holdWaiter: 'item-1' } }))).toContain('hold_unwait');
  });

  test('a writer that starts gives up the place although another writer of the item still waits', () => {
    const actions = [action('w1', { for: ['c1'] }), action('w2', { for: ['c1'] })];
    const made = scenario({ workspace: 'in-place', criteria: [criterion('c1')], actions });
    expect(kinds(made.claim('w1', { facts: { holdWaiter: 'item-1' } }))).toContain('hold_unwait');
    expect(made.dueKinds()).toEqual(['w2']);
  });

  const givesUp = (made: Scenario, body: Parameters<Scenario['does']>[0]) => kinds(made.does(body));

  test('the place is given up as soon as no writer of the item could start: hold, stop, close, edit', () => {
    expect(givesUp(inPlace(), { type: 'HoldItem', code: 'user', details: '' })).toContain('hold_unwait');
    expect(givesUp(inPlace(), { type: 'StopItem', reason: '' })).toContain('hold_unwait');
    expect(
      givesUp(inPlace(), { type: 'CloseAction', actionId: 'w', generation: 1, reason: '', cascade: false }),
    ).toContain('hold_unwait');
    const made = inPlace();
    const edited = { ...made.item.contract, instructions: 'else' };
    expect(givesUp(made, { type: 'EditContract', contractVersion: 1, contract: edited })).toContain('hold_unwait');
    expect(
      givesUp(inPlace(), { type: 'CloseAction', actionId: 'r1', generation: 1, reason: '', cascade: false }),
    ).not.toContain('hold_unwait');
  });

  test('every way in which a Run ends lets go of lease and hold (invariant 8)', () => {
    const made = inPlace();
    const dropped = (body: Parameters<Scenario['does']>[0]) => {
      made.later();
      made.start('w');
      return kinds(made.does(body, { principal: body.type === 'ExpireRun' ? ENGINE : { kind: 'user', name: 'ada' } }));
    };
    made.start('w');
    const expired = made.expireBody('w', 'engine_stopped');
    expect(kinds(made.does(expired, { principal: ENGINE }))).toEqual(
      expect.arrayContaining(['lease_drop', 'hold_drop']),
    );
    const redirect = { type: 'RedirectAction', actionId: 'w', generation: 1, guidance: 'x' } as const;
    expect(dropped(redirect)).toEqual(expect.arrayContaining(['lease_drop', 'hold_drop']));
    expect(dropped({ type: 'StopItem', reason: 'x' })).toEqual(expect.arrayContaining(['lease_drop', 'hold_drop']));
  });

  test('writing in place counts as a write however the Run ended', () => {
    const made = inPlace();
    made.retries('w');
    expect(made.item.writes).toMatchObject([{ actionId: 'w' }]);
    made.later();
    made.claim('w');
    made.interrupt('w');
    expect(made.item.writes[0]?.seq).toBe(made.item.branch.writeSeq);
  });

  test('nothing is merged, published or landed', () => {
    const made = inPlace();
    for (const id of ['r1', 'w', 'r2']) made.completes(id);
    expect(made.item).toMatchObject({ lifecycle: 'done', finalResult: { outputs: [{ ref: 'w.txt' }] } });
  });

  test('verification takes no hold', () => {
    const made = scenario({
      workspace: 'in-place',
      criteria: [checked('c1')],
      actions: [action('w', { for: ['c1'], workspace: 'shared' })],
    });
    made.completes('w');
    expect(kinds(made.claim('verify-1', { facts: { holds: [hold('write')] } }))).toEqual(['lease_put']);
  });
});
