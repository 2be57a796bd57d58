import { afterEach, describe, expect, it } from 'vitest';
import { goalOf } from '../../src/core/index.ts';
import type { ScriptedStep } from '../../src/testing.ts';
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
import { actionOf } from './control-support.ts';
import { type GoalBench, openGoalBench, repairsOf, type Seen } from './coordinated-bench.ts';

const says = (status: string, ...criteria: readonly string[]) => ({
  claims: criteria.map((criterion) => ({ criterion, status, evidence: 'I looked at it myself.' })),
});
const approves = submit('It is good.', { review: 'approved', ...says('passed', 'c2') });
const refuses = submit('The name in a.txt is wrong.', { review: 'changes_requested', ...says('failed', 'c2') });

const askPerson = decide({ decisions: [{ kind: 'request_human', question: 'It is not proven. What now?' }] });
const work = create(commission('a', { for: ['c1', 'c2'] }));
const review = (id: string, more: Readonly<Record<string, unknown>> = {}) =>
  commission(id, {
    type: 'review',
    for: ['c2'],
    workspaceMode: 'read',
    sources: ['a'],
    rationale: `Somebody else has to look at it: ${id}.`,
    ...more,
  });
const byAuthor = { vp: ['implementer'], assignmentReason: 'It knows the work best.' };
const author = agent(
  /Make a true/,
  write('a.txt', 'a\n'),
  submit('Wrote and reviewed it.', says('passed', 'c1', 'c2')),
);

describe('reviews', () => {
  let bench: GoalBench | undefined;
  afterEach(() => bench?.close());

  const carried = async (
    ...steps: readonly ScriptedStep[]
  ): Promise<Seen & { readonly repairs: string; readonly bench: GoalBench }> => {
    bench = await openGoalBench({ steps });
    const criteria = [
      { id: 'c1', text: 'a.txt is there' },
      { id: 'c2', text: 'It reads well', minProof: 'independent' as const },
    ];
    const seen = await bench.carry({ goal: 'Write a.txt well', criteria });
    expect(bench.model.unmatched).toEqual([]);
    return { ...seen, repairs: repairsOf(bench.model), bench };
  };

  it('D24: what its author says of it is no independent proof, and completion is refused with the criterion', async () => {
    const seen = await carried(
      coordinator(decide({ decisions: [work] }), decide({ decisions: [complete()] }), askPerson),
      author,
    );
    expect(goalOf(seen.state).criteria.map(({ standing }) => standing)).toEqual(['passed', 'weak']);
    expect(seen.repairs).toContain('c2 is weak');
    expect(seen.page).toContain('only self, needs independent');
  });

  it('D24: are not commissioned from the author: the complaint says who is left, and the repair names another VP', async () => {
    const seen = await carried(
      coordinator(
        decide({ decisions: [work] }),
        decide({ decisions: [create(review('look', byAuthor))] }),
        decide({ decisions: [create(review('look', { capability: 'review' }))] }),
        decide({ decisions: [complete()] }),
      ),
      author,
      agent(/Make look true/, approves),
    );
    expect(seen.repairs).toContain('only authors of the work are left');
    expect(seen.repairs).toContain('Name or add a VP that wrote none of the results under review.');
    expect(seen.state.lifecycle).toBe('done');
    expect(actionOf(seen.state, 'look').spec.executor).toMatchObject({ kind: 'agent', vp: 'reviewer' });
    expect(seen.state.finalResult?.criteria.map(({ proof }) => proof)).toEqual(['self', 'independent']);
  });

  it('D24: by the author under another name of work prove nothing independently either', async () => {
    const seen = await carried(
      coordinator(
        decide({ decisions: [work] }),
        decide({ decisions: [create(review('look', { type: 'test', ...byAuthor }))] }),
        decide({ decisions: [complete()] }),
        askPerson,
      ),
      author,
      agent(/Make look true/, submit('It is good.', says('passed', 'c2'))),
    );
    expect(actionOf(seen.state, 'look').status).toBe('completed');
    expect(goalOf(seen.state).criteria[1]).toMatchObject({ standing: 'weak' });
    expect(seen.repairs).toContain('c2 is weak');
  });

  it('GOAL-1, GOAL-6: that want changes are not hidden by closing them: completion is still refused', async () => {
    const close = { kind: 'close_actions', closures: [{ actionId: 'look', reason: 'It is too strict.' }] };
    const seen = await carried(
      coordinator(
        decide({ decisions: [work] }),
        decide({ decisions: [create(review('look', { maxAttempts: 1 }))] }),
        decide({ decisions: [close, complete()] }),
        decide({ decisions: [close] }),
        decide({ decisions: [complete()] }),
        askPerson,
      ),
      author,
      agent(/Make look true/, refuses),
    );
    expect(seen.repairs).toContain('c2 is failed');
    expect(seen.state.requests.map(({ subject }) => subject.kind)).toEqual(['idle']);
    const { id } = seen.state;
    await seen.bench.tell(id, { type: 'AnswerRequest', requestId: 'r1', choice: 'text', text: 'Finish it.' });
    expect((await seen.bench.settled(id)).state.lifecycle).toBe('open');
    expect(repairsOf(seen.bench.model).split('c2 is failed')).toHaveLength(3);
    expect(actionOf(seen.state, 'look').status).toBe('closed');
    expect(goalOf(seen.state).criteria[1]).toMatchObject({ standing: 'failed' });
    expect(seen.state.lifecycle).toBe('open');
    expect(seen.page).toContain('closed: It is too strict.');
    expect(seen.log).toContain('(changes_requested)');
    expect(seen.runs).toContain('The name in a.txt is wrong.');
  });

  it('GOAL-6: that want changes are not hidden by trying again, until one of them says otherwise', async () => {
    const again = (instruction: string) =>
      decide({ decisions: [{ kind: 'guide_actions', guidance: [{ actionId: 'look', instruction }] }] });
    const seen = await carried(
      coordinator(
        decide({ decisions: [work] }),
        decide({ decisions: [create(review('look', { maxAttempts: 3 }))] }),
        again('Look again, kindly.'),
        decide({ decisions: [{ kind: 'close_actions', closures: [{ actionId: 'look', reason: 'no' }] }, complete()] }),
        again('Look a third time.'),
        decide({ decisions: [complete()] }),
      ),
      author,
      { ...agent(/third time/, approves), name: 'third' },
      { ...agent(/kindly/, call('submit_outcome', { outcome: 'failed', error: 'I do not know.' })), name: 'second' },
      agent(/Make look true/, refuses),
    );
    expect(seen.repairs).toContain('c2 is failed');
    expect(seen.state.lifecycle, seen.log).toBe('done');
    expect(actionOf(seen.state, 'look').attempts).toBe(3);
  });
});
