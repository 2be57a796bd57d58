import { describe, expect, test } from 'vitest';
import { type Contract, goalOf } from '../../src/core/index.ts';
import { action, check, checked, completed, criterion } from './builders.ts';
import { ENGINE, type Scenario, scenario } from './scenario.ts';

const edit = (made: Scenario, change: Partial<Contract>): void => {
  const contract = { ...made.item.contract, ...change };
  made.does({ type: 'EditContract', contractVersion: made.item.contractVersion, contract });
};

const versions = (made: Scenario) =>
  Object.fromEntries(made.item.contract.criteria.map(({ id, version }) => [id, version]));
const statuses = (made: Scenario) => made.item.actions.map((known) => known.status);

const two = () =>
  scenario({
    criteria: [criterion('c1'), criterion('c2')],
    actions: [action('a', { for: ['c1'] }), action('b', { for: ['c2'] }), action('n')],
  });

describe('D6 what an edit touches', () => {
  test('one criterion: its version alone, its proof alone, and the unfinished Actions that cite it', () => {
    const made = two();
    made.completes('a');
    edit(made, { criteria: [criterion('c1'), criterion('c2', { text: 'otherwise' })] });
    expect(versions(made)).toEqual({ c1: 1, c2: 2 });
    expect(statuses(made)).toEqual(['completed', 'superseded', 'ready']);
    expect(goalOf(made.item).criteria.map((goal) => goal.standing)).toEqual(['passed', 'unmet']);
    expect(made.openKinds()).toEqual(['replan']);
    expect(made.request('replan').details).toEqual(['b']);
  });

  test.each([
    { goal: 'Another goal' },
    { setup: { run: 'npm ci', inputs: [], network: 'all', timeoutSec: 60 } },
  ] as const)('%o: every proof and every unfinished Action', (change) => {
    const made = two();
    made.completes('a');
    edit(made, change);
    expect(versions(made)).toEqual({ c1: 2, c2: 2 });
    expect(statuses(made)).toEqual(['completed', 'superseded', 'superseded']);
    expect(goalOf(made.item).proven).toBe(0);
  });

  test('instructions: every unfinished Action, no proof', () => {
    const made = two();
    made.completes('a');
    edit(made, { instructions: 'Be brief.' });
    expect(versions(made)).toEqual({ c1: 1, c2: 1 });
    expect(statuses(made)).toEqual(['completed', 'superseded', 'superseded']);
    expect(goalOf(made.item).proven).toBe(1);
  });

  test('title and delivery target: nothing', () => {
    const made = two();
    edit(made, { title: 'Other', delivery: { target: 'response' } });
    expect(statuses(made)).toEqual(['ready', 'ready', 'ready']);
    expect(made.item.contractVersion).toBe(2);
  });

  test('rule 24, V13: a running Run that is touched is superseded, its late result refused; another one goes on', () => {
    const made = two();
    made.start('a', 'b');
    const late = made.settleBody('b', completed(['c2']));
    edit(made, { criteria: [criterion('c1'), criterion('c2', { text: 'otherwise' })] });
    expect(made.action('b')).toMatchObject({ status: 'superseded', attempts: 0, lastRun: { status: 'superseded' } });
    made.refuses(late, 'lease_lost', { principal: ENGINE });
    made.settle('a', completed(['c1']));
    expect(made.action('a').status).toBe('completed');
  });

  test('versions are the engine’s to count, whatever the edit says', () => {
    const made = two();
    edit(made, { title: 'x', criteria: [criterion('c1', { version: 9 }), criterion('c2')] });
    expect(versions(made)).toEqual({ c1: 1, c2: 1 });
  });

  test('rule 37: an edit that says the same is refused and changes no version', () => {
    const made = two();
    made.refuses({ type: 'EditContract', contractVersion: 1, contract: made.item.contract }, 'nothing_changed');
  });

  test('a criterion that was removed and comes back under its id does not inherit the old proof', () => {
    const made = two();
    made.completes('a');
    edit(made, { criteria: [criterion('c2')] });
    edit(made, { criteria: [criterion('c1', { text: 'something else entirely' }), criterion('c2')] });
    expect(versions(made).c1).toBe(2);
    expect(goalOf(made.item).criteria[0]?.standing).toBe('unmet');
  });

  test('a criterion nobody cited may come and go', () => {
    const made = two();
    edit(made, { criteria: [...made.item.contract.criteria, checked('c3')] });
    expect(versions(made)).toEqual({ c1: 1, c2: 1, c3: 1 });
    expect(statuses(made)).toEqual(['ready', 'ready', 'ready']);
  });

  test('retain runs what was superseded at the next generation, close steps over it', () => {
    for (const choice of ['retain', 'close'] as const) {
      const made = two();
      edit(made, { instructions: 'Be brief.' });
      made.answer('replan', choice, 'as agreed');
      const expected =
        choice === 'retain'
          ? { status: 'ready', generation: 2, guidance: ['as agreed'] }
          : { status: 'closed', closeReason: 'as agreed' };
      expect(made.action('b')).toMatchObject(expected);
      expect(made.openKinds()).toEqual(choice === 'retain' ? [] : ['proof_missing']);
    }
  });

  test('one superseded Action may be retained by itself', () => {
    const made = two();
    edit(made, { instructions: 'Be brief.' });
    made.does({ type: 'RetryAction', actionId: 'a', generation: 1 });
    expect(statuses(made)).toEqual(['ready', 'superseded', 'superseded']);
    expect(made.openKinds()).toEqual(['replan']);
  });

  test('a question about an Action that an edit takes away is withdrawn', () => {
    const made = two();
    made.fails('b');
    edit(made, { criteria: [criterion('c1'), criterion('c2', { text: 'otherwise' })] });
    expect(made.openKinds()).toEqual(['replan']);
  });

  test('the lifecycle never changes by it: a draft stays a draft', () => {
    const made = scenario({ start: false });
    edit(made, { title: 'Other' });
    expect(made.item.lifecycle).toBe('draft');
  });

  test('D23: a check, its protection and the proof asked for are part of the criterion', () => {
    const made = scenario();
    edit(made, { criteria: [checked('c1', { check: check('npm test', { protect: ['test/**'] }) })] });
    edit(made, {
      criteria: [checked('c1', { check: check('npm test', { protect: ['test/**'] }), minProof: 'machine' })],
    });
    expect(versions(made)).toEqual({ c1: 3 });
  });
});

describe('an edit is refused', () => {
  test('when directory or policy would change, or the contract would be unsound', () => {
    const made = two();
    const { contract } = made.item;
    const refuse = (change: Partial<Contract>) =>
      made.refuses(
        { type: 'EditContract', contractVersion: 1, contract: { ...contract, ...change } },
        'invalid_contract',
      );
    refuse({ directory: '/elsewhere' });
    refuse({ workspace: 'in-place' });
    refuse({ goal: ' ' });
    refuse({ criteria: [] });
  });

  test('after a stop', () => {
    const made = two();
    made.does({ type: 'StopItem', reason: '' });
    made.refuses(
      { type: 'EditContract', contractVersion: 1, contract: { ...made.item.contract, title: 'x' } },
      'item_ended',
    );
  });
});
