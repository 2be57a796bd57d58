import { afterEach, describe, expect, it } from 'vitest';
import { type CommandBody, type Contract, type Criterion, goalOf, type ItemState } from '../../src/core/index.ts';
import { wasRefused } from '../../src/engine/index.ts';
import type { Reply, ScriptedStep } from '../../src/testing.ts';
import {
  agent,
  call,
  commission,
  complete,
  coordinator,
  create,
  decide,
  submit,
  write,
} from '../support/scripted-agent.ts';
import { checkedBy } from '../support/submit-goal.ts';
import { actionOf } from './control-support.ts';
import { type GoalBench, openGoalBench, repairsOf } from './coordinated-bench.ts';

const ask = (question: string) => decide({ decisions: [{ kind: 'request_human', question }] });
const passes = (...criteria: readonly string[]) => ({
  claims: criteria.map((criterion) => ({ criterion, status: 'passed', evidence: 'I looked at it.' })),
});
const TWO = [
  { id: 'c1', text: 'a.txt says a' },
  { id: 'c2', text: 'b.txt says b' },
];
const standings = (state: ItemState) => goalOf(state).criteria.map(({ standing }) => standing);
const say = (text: string): CommandBody => ({
  type: 'PostMessage',
  target: { kind: 'coordinator' },
  text,
  attachments: [],
});

let bench: GoalBench | undefined;
afterEach(() => bench?.close());

const opened = async (...steps: readonly ScriptedStep[]): Promise<GoalBench> => {
  bench = await openGoalBench({ steps });
  return bench;
};

describe('what an edit of the contract ages', () => {
  const both = agent(/Make a true/, write('a.txt', 'a\n'), write('b.txt', 'b\n'), submit('Both.', passes('c1', 'c2')));
  const proven = async () => {
    const goals = await opened(
      coordinator(decide({ decisions: [create(commission('a', { for: ['c1', 'c2'] }))] }), ask('Is that all?')),
      both,
    );
    const { state } = await goals.carry({ goal: 'Write both', criteria: TWO });
    expect(standings(state)).toEqual(['passed', 'passed']);
    const edit = (next: Partial<Contract>, contractVersion = state.contractVersion): CommandBody => ({
      type: 'EditContract',
      contractVersion,
      contract: { ...state.contract, ...next },
    });
    return { goals, state, edit };
  };
  const reworded = (state: ItemState, id: string): readonly Criterion[] =>
    state.contract.criteria.map((each) => (each.id === id ? { ...each, text: `${each.text}, in capitals` } : each));

  it.each([
    ['c2', 'only c2', (state: ItemState) => ({ criteria: reworded(state, 'c2') }), ['passed', 'unmet']],
    ['the title', 'nothing', () => ({ title: 'Another name' }), ['passed', 'passed']],
    ['the goal', 'everything', () => ({ goal: 'Write both, and better' }), ['unmet', 'unmet']],
  ] as const)('D6: of %s: %s', async (_part, _what, change, expected) => {
    const { goals, state, edit } = await proven();
    await goals.tell(state.id, edit(change(state)));
    const after = await goals.settled(state.id);
    expect(standings(after.state)).toEqual(expected);
    expect(after.log).toContain('The contract was edited');
  });

  it('FENCE-4: against a version that is no longer the present one is refused, and changes nothing', async () => {
    const { goals, state, edit } = await proven();
    await goals.tell(state.id, edit({ goal: 'Write both, and better' }));
    expect(await goals.ask(state.id, edit({ goal: 'Write nothing' }))).toBe('contract_version_stale');
    expect((await goals.settled(state.id)).state.contract.goal).toBe('Write both, and better');
  });

  it('D20: by anybody but a person is refused', async () => {
    const { goals, state, edit } = await proven();
    for (const kind of ['agent', 'engine'] as const) {
      const said = await goals.world.store.execute({
        itemId: state.id,
        principal: { kind, name: 'x' },
        body: edit({ goal: 'Write nothing' }),
      });
      expect(wasRefused(said) ? said.code : 'taken').toBe('user_required');
    }
    expect((await goals.settled(state.id)).state.contract.goal).toBe('Write both');
  });
});

describe('a change of the contract that a person asked for in words', () => {
  const drop = { kind: 'propose_contract', removeCriteria: ['c2'] };
  const proposing = async (...more: readonly Reply[]) => {
    const goals = await opened(coordinator(ask('Anything else?'), decide({ decisions: [drop] }), ...more));
    const { state } = await goals.carry({ goal: 'Write both', criteria: TWO });
    await goals.tell(state.id, say('c2 is not needed, drop it'));
    const proposed = await goals.settled(state.id);
    const request = proposed.state.requests.find(({ kind }) => kind === 'confirmation');
    return { goals, before: state, proposed, requestId: request?.id ?? 'none' };
  };
  const answer = (requestId: string, choice: 'confirm' | 'reject'): CommandBody => ({
    type: 'AnswerRequest',
    requestId,
    choice,
    text: '',
  });

  it('D20: is a proposal that changes nothing until it is confirmed, and everything that it says then', async () => {
    const { goals, before, proposed, requestId } = await proposing(ask('So it is. And now?'));
    expect(proposed.state.contract).toEqual(before.contract);
    expect(proposed.state.contractVersion).toBe(before.contractVersion);
    expect(proposed.page).toContain('The Coordinator proposes to change the contract: criterion c2. Confirm?');
    await goals.tell(before.id, answer(requestId, 'confirm'));
    const { state } = await goals.settled(before.id);
    expect(state.contract.criteria.map(({ id }) => id)).toEqual(['c1']);
    expect(state.contractVersion).toBe(before.contractVersion + 1);
    expect(await goals.ask(before.id, answer(requestId, 'confirm'))).toBe('request_not_found');
  });

  it('D20: and that is rejected stays as it was, also when the Coordinator would insist', async () => {
    const { goals, before, requestId } = await proposing(ask('Then not. And now?'));
    await goals.tell(before.id, answer(requestId, 'reject'));
    const { state, log } = await goals.settled(before.id);
    expect(state.contract).toEqual(before.contract);
    expect(log).toContain(`${requestId} was answered: reject`);
  });

  it('D16: is confirmed by a person alone, and not by words', async () => {
    const { goals, before, requestId } = await proposing(ask('Please confirm with the button.'));
    const body = answer(requestId, 'confirm');
    const said = await goals.world.store.execute({ itemId: before.id, principal: { kind: 'agent', name: 'x' }, body });
    expect(wasRefused(said) ? said.code : 'taken').toBe('user_required');
    await goals.tell(before.id, say('yes, confirmed, do it'));
    const { state } = await goals.settled(before.id);
    expect(state.contract).toEqual(before.contract);
    expect(state.requests.map(({ id }) => id)).toContain(requestId);
  });

  it('D6, D20: with twenty-five criteria is refused before a person is shown it', async () => {
    const criteria = Array.from({ length: 25 }, (_, n) => ({ text: `criterion ${n}` }));
    const extra = Array.from({ length: 23 }, (_, n) => ({ text: `criterion ${n}` }));
    const goals = await opened(
      coordinator(
        ask('Anything else?'),
        decide({ decisions: [{ kind: 'propose_contract', criteria }] }),
        ask('Which ones?'),
        decide({ decisions: [{ kind: 'propose_contract', criteria: extra }] }),
        ask('Fewer, please?'),
      ),
    );
    const { state: before } = await goals.carry({ goal: 'Write both', criteria: TWO });
    for (const words of ['add many criteria', 'add them to those we have']) {
      await goals.tell(before.id, say(words));
      const { state } = await goals.settled(before.id);
      expect(state.requests.filter(({ kind }) => kind === 'confirmation')).toEqual([]);
      expect(state.contract).toEqual(before.contract);
    }
    expect(repairsOf(goals.model)).toContain('decisions[0].criteria: expected at most 24 entries');
    expect(repairsOf(goals.model)).toMatch(/1\.\.24/);
  });
});

it('GOAL-5: a pass, then a write, then complete is refused with criterion and writer; a fresh look is accepted', async () => {
  const look = (id: string) =>
    commission(id, {
      type: 'review',
      for: ['c1'],
      workspaceMode: 'read',
      sources: ['a'],
      rationale: `The newest state of a.txt has to be seen: ${id}.`,
    });
  const approves = submit('It says a.', { review: 'approved', ...passes('c1') });
  const goals = await opened(
    coordinator(
      decide({ decisions: [create(commission('a', { for: ['c1'] }))] }),
      decide({ decisions: [create(look('look'))] }),
      decide({ decisions: [create(commission('b', { for: ['c2'] }))] }),
      decide({ decisions: [complete()] }),
      decide({ decisions: [create(look('again'))] }),
      decide({ decisions: [complete()] }),
    ),
    agent(/Make a true/, write('a.txt', 'a\n'), submit('Wrote a.txt.', { claims: [] })),
    agent(/Make look true/, approves),
    agent(/Make b true/, write('b.txt', 'b\n'), submit('Wrote b.txt.', passes('c2'))),
    agent(/Make again true/, approves),
  );
  const criteria = [
    { id: 'c1', text: 'a.txt says a', minProof: 'independent' as const },
    { id: 'c2', text: 'b.txt says b' },
  ];
  const seen = await goals.carry({ goal: 'Write both', criteria });
  expect(repairsOf(goals.model)).toContain('c1 is stale (written over by b)');
  expect(seen.state.lifecycle, seen.log).toBe('done');
  expect(actionOf(seen.state, 'again').status).toBe('completed');
  const proof = seen.state.finalResult?.criteria.find(({ criterionId }) => criterionId === 'c1');
  expect(proof).toMatchObject({ proof: 'independent', runId: actionOf(seen.state, 'again').lastRun?.id });
});

it('D24: a check that passed, and that later work breaks, is run again by the engine; completion waits until it passes', async () => {
  const goals = await opened(
    coordinator(
      decide({ decisions: [create(commission('a', { for: ['c1'] }))] }),
      decide({ decisions: [create(commission('b', { for: ['c2'] }))] }),
      decide({ decisions: [complete()] }),
      decide({ decisions: [create(commission('mend', { for: ['c1'] }))] }),
      decide({ decisions: [complete()] }),
    ),
    agent(/Make a true/, write('a.txt', 'a\n'), submit('Wrote a.txt.')),
    agent(/Make b true/, write('b.txt', 'b\n'), write('a.txt', 'b\n'), submit('Wrote b.txt.', passes('c2'))),
    agent(/Make mend true/, call('read', { path: 'a.txt' }), write('a.txt', 'a\n'), submit('Mended a.txt.')),
  );
  const criteria = [checkedBy('c1', 'grep -qx a a.txt'), { id: 'c2', text: 'b.txt says b' }];
  const seen = await goals.carry({ goal: 'Write both', criteria });
  expect(repairsOf(goals.model)).toContain('c1 is failed');
  expect(seen.state.lifecycle, seen.log).toBe('done');
  const verified = seen.state.actions.filter(({ spec }) => spec.executor.kind === 'verify');
  expect(verified.map(({ lastRun }) => lastRun?.receipts.map(({ verdict }) => verdict))).toEqual([
    ['passed'],
    ['wrong_exit'],
    ['passed'],
  ]);
  expect(seen.log).toContain("Refused by the engine's own check: c1 failed.");
});
