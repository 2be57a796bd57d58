import { describe, expect, test } from 'vitest';
import { type Contract, type Decision, goalOf } from '../../src/core/index.ts';
import { checked, completed, criterion } from './builders.ts';
import { coordinated, create, decides, guide, opens, review, says, work } from './coordinator.ts';
import { AGENT, ENGINE, type Scenario } from './scenario.ts';

const propose = (made: Scenario, more: Partial<Contract>): Decision => ({
  kind: 'propose_contract',
  contract: { ...made.item.contract, ...more },
});

/** Both criteria proven by a review, and then a person asks for a change that the Coordinator proposes. */
function proposed(change: (made: Scenario) => Partial<Contract>): Scenario {
  const made = coordinated({ criteria: [criterion('c1'), criterion('c2')] });
  decides(made, [create(review('r', { for: ['c1', 'c2'] }))]);
  made.completes('r', completed(['c1', 'c2'], { review: 'approved' }));
  says(made, 'change it, please');
  decides(made, [propose(made, change(made))]);
  return made;
}

const second = (text: string) => (made: Scenario) => {
  const [first = criterion('c1'), ...rest] = made.item.contract.criteria;
  return { criteria: [first, ...rest.map((known) => ({ ...known, text }))] };
};

const standings = (made: Scenario) => goalOf(made.item).criteria.map(({ standing }) => standing);

describe('D20 a proposal', () => {
  test('changes nothing until a person has confirmed it', () => {
    const made = proposed(second('harder'));
    const { contract, contractVersion } = made.item;
    expect(made.request('contract_proposal')).toMatchObject({ kind: 'confirmation', choices: ['confirm', 'reject'] });
    expect(made.request('contract_proposal').question).toContain('change the contract: criterion c2. Confirm?');
    expect([contractVersion, contract.criteria[1]?.text]).toEqual([1, 'c2 holds']);
    expect(made.dueKinds(), 'an automatic turn waits for the answer').toEqual([]);
    made.answer('contract_proposal', 'confirm');
    expect(made.item).toMatchObject({
      contractVersion: 2,
      contract: { criteria: [{ version: 1 }, { version: 2, text: 'harder' }] },
    });
  });

  test('names what it would change in words', () => {
    const setup = { run: 'npm ci', inputs: [], network: 'all', timeoutSec: 60 } as const;
    const made = proposed((before) => ({ ...second('harder')(before), goal: 'more', setup }));
    expect(made.request('contract_proposal').question).toContain('the goal, the set-up, criterion c2.');
  });

  test('is confirmed by a person only, with a button and not with words (D16)', () => {
    const made = proposed(second('harder'));
    const { id: requestId } = made.request('contract_proposal');
    const answer = { type: 'AnswerRequest', requestId, text: 'yes, do it' } as const;
    made.refuses({ ...answer, choice: 'text' }, 'choice_not_offered');
    for (const principal of [AGENT, ENGINE])
      made.refuses({ ...answer, choice: 'confirm' }, 'user_required', { principal });
    says(made, 'I confirm r1');
    expect(made.item.contractVersion).toBe(1);
    expect(made.openKinds()).toEqual(['contract_proposal']);
  });

  test('that is rejected changes nothing, and the Coordinator hears why', () => {
    const made = proposed(second('harder'));
    made.answer('contract_proposal', 'reject', 'too hard');
    expect(made.item.contractVersion).toBe(1);
    expect(made.item.inbox).toMatchObject([{ kind: 'answer', choice: 'reject', text: 'too hard' }]);
    expect(opens(made)).toBe('user');
  });

  test('is answered once', () => {
    const made = proposed(second('harder'));
    const { id: requestId } = made.request('contract_proposal');
    made.answer('contract_proposal', 'confirm');
    made.refuses({ type: 'AnswerRequest', requestId, choice: 'reject', text: '' }, 'request_not_found');
    expect(made.item.contractVersion).toBe(2);
  });

  test('for a contract that has changed meanwhile is withdrawn: nobody confirms what they did not read', () => {
    const made = proposed(second('harder'));
    const { id: requestId } = made.request('contract_proposal');
    made.does({ type: 'EditContract', contractVersion: 1, contract: { ...made.item.contract, instructions: 'mine' } });
    expect(made.item.requests).toEqual([]);
    made.refuses({ type: 'AnswerRequest', requestId, choice: 'confirm', text: '' }, 'request_not_found');
  });

  test('of two, the one that is confirmed makes the other moot', () => {
    const made = proposed(second('harder'));
    says(made, 'or easier');
    decides(made, [propose(made, second('easier')(made))]);
    expect(made.openKinds()).toEqual(['contract_proposal', 'contract_proposal']);
    made.answer('contract_proposal', 'confirm');
    expect(made.item.requests).toEqual([]);
    expect(made.item.contract.criteria[1]?.text).toBe('harder');
  });

  test('does not take back the title that the same turn gave', () => {
    const made = coordinated({ titlePending: true });
    says(made, 'aim higher');
    decides(made, [propose(made, { goal: 'more' })], { title: 'A better title' });
    made.answer('contract_proposal', 'confirm');
    expect(made.item).toMatchObject({ contractVersion: 2, contract: { title: 'A better title', goal: 'more' } });
  });
});

describe('D6 what a confirmed change makes stale', () => {
  const cases: readonly (readonly [string, (made: Scenario) => Partial<Contract>, readonly string[]])[] = [
    ['editing c2 only c2', second('harder'), ['passed', 'unmet']],
    ['the title nothing', () => ({ title: 'another' }), ['passed', 'passed']],
    ['the delivery target nothing', () => ({ delivery: { target: 'workspace_files' } }), ['passed', 'passed']],
    ['instructions no proof', () => ({ instructions: 'be quick' }), ['passed', 'passed']],
    ['the goal everything', () => ({ goal: 'another' }), ['unmet', 'unmet']],
    [
      'the set-up everything',
      () => ({ setup: { run: 'x', inputs: [], network: 'none', timeoutSec: 9 } }),
      ['unmet', 'unmet'],
    ],
  ];
  test.each(cases)('%s', (_, change, expected) => {
    const made = proposed(change);
    expect(standings(made), 'nothing before it is confirmed').toEqual(['passed', 'passed']);
    made.answer('contract_proposal', 'confirm');
    expect(standings(made)).toEqual(expected);
  });

  test('a criterion that is taken out and put back has no proof of its namesake', () => {
    const made = proposed((it) => ({ criteria: it.item.contract.criteria.slice(0, 1) }));
    made.answer('contract_proposal', 'confirm');
    says(made, 'no, put it back');
    decides(made, [propose(made, { criteria: [...made.item.contract.criteria, criterion('c2')] })]);
    made.answer('contract_proposal', 'confirm');
    expect(standings(made)).toEqual(['passed', 'unmet']);
  });
});

describe('D19 Actions that cite what is under proposal', () => {
  function waiting(change: (made: Scenario) => Partial<Contract>): Scenario {
    const made = coordinated({ criteria: [criterion('c1'), criterion('c2')] });
    says(made, 'do both, and c2 harder');
    decides(made, [create(work('a'), work('b', { for: ['c2'] })), propose(made, change(made))]);
    return made;
  }

  test('wait for its confirmation, others do not', () => {
    const made = waiting(second('harder'));
    expect(made.dueKinds()).toEqual(['a']);
    made.refuses(made.claimBody('b'), 'not_runnable', { principal: ENGINE });
    made.answer('contract_proposal', 'reject');
    expect(made.dueKinds()).toEqual(['a', 'b', 'decide']);
  });

  test('all wait for a new goal', () => {
    expect(waiting(() => ({ goal: 'another' })).dueKinds()).toEqual([]);
  });

  test('are superseded by its confirmation, with their Runs; the Coordinator decides again (rule 24, G8)', () => {
    const made = waiting(second('harder'));
    made.start('a');
    made.answer('contract_proposal', 'confirm');
    expect([made.action('a').status, made.action('b').status]).toEqual(['running', 'superseded']);
    expect(made.openKinds(), 'no person is asked to replan beside a Coordinator').toEqual([]);
    made.settle('a', completed(['c1']));
    made.merge('a');
    expect(opens(made)).toBe('user');
    decides(made, [create(work('b2', { for: ['c2'] }))]);
    expect(made.action('b2').contractVersion).toBe(2);
  });

  test('the same target again is no change and supersedes nothing (G8)', () => {
    const made = coordinated();
    made.refuses({ type: 'EditContract', contractVersion: 1, contract: made.item.contract }, 'nothing_changed');
  });
});

test("D6: a person's own edit applies directly, and a stale fence is refused", () => {
  const made = coordinated({ criteria: [checked('c1')] });
  decides(made, [create(work('a'))]);
  made.fails('a');
  const contract = { ...made.item.contract, goal: 'mine' };
  made.refuses({ type: 'EditContract', contractVersion: 0, contract }, 'contract_version_stale');
  made.does({ type: 'EditContract', contractVersion: 1, contract });
  expect(made.action('a').status).toBe('superseded');
  opens(made);
  const decision = { type: 'Decide', turnId: 't2', epoch: 2, owner: 'w1', reply: '', reason: 'x' } as const;
  made.refuses({ ...decision, decisions: [guide('a')] }, 'invalid_decision', { principal: ENGINE });
});
