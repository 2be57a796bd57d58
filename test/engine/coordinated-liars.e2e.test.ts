import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ItemState } from '../../src/core/index.ts';
import type { Reply } from '../../src/testing.ts';
import { commission, complete, create, decide } from '../support/scripted-agent.ts';
import { coordinatorOf, type GoalBench, literal, openGoalBench, repairsOf, type Seen } from './coordinated-bench.ts';

const askPerson = decide({ decisions: [{ kind: 'request_human', question: 'How shall I go on?' }] });
const raw = (input: Readonly<Record<string, unknown>> | string): Reply => ({ toolCalls: [{ name: 'decide', input }] });
const words = { reply: 'Going on.', reason: 'It is the next step.' };
const many = (count: number) => Array.from({ length: count }, (_, n) => commission(`a${n}`, { for: ['c1'] }));
const weaker = { kind: 'propose_contract', removeCriteria: ['c2'], goal: 'Do less' };

interface Case {
  readonly how: string;
  readonly answers: readonly Reply[];
  /** What the model is told is wrong with it, in the one repair. */
  readonly complaint: RegExp;
}

/** A decision that makes no sense, and one that asks a person after the repair. */
const MALFORMED: readonly Case[] = [
  { how: 'only prose', answers: [{ text: 'I suggest to start with c1.' }], complaint: /words without a call/ },
  { how: 'nothing at all', answers: [{ text: '' }], complaint: /an empty answer/ },
  {
    how: 'two decisions at once',
    answers: [{ toolCalls: [...(askPerson.toolCalls ?? []), ...(askPerson.toolCalls ?? [])] }],
    complaint: /exactly one call of decide.*2 calls/,
  },
  {
    how: 'a tool that is not its own',
    answers: [{ toolCalls: [{ name: 'shell', input: { command: 'id' } }] }],
    complaint: /a call of shell/,
  },
  {
    how: 'arguments that are no JSON',
    answers: [raw('{"decisions": [')],
    complaint: /arguments that are one JSON object/,
  },
  {
    how: 'a decision of no known kind',
    answers: [raw({ ...words, decisions: [{ kind: 'finish' }] })],
    complaint: /one of answer, create_actions/,
  },
  { how: 'no decision in it', answers: [decide({ decisions: [] })], complaint: /decisions: .*at least 1 entries/ },
  {
    how: 'nine Actions at once',
    answers: [decide({ decisions: [create(...many(9))] })],
    complaint: /actions.*at most 8 entries/,
  },
  {
    how: 'an Action that does not exist',
    answers: [
      decide({ decisions: [{ kind: 'guide_actions', guidance: [{ actionId: 'ghost', instruction: 'Go.' }] }] }),
    ],
    complaint: /guidance\[0\]\.actionId.*one of none.*ghost/,
  },
  {
    how: 'a VP that does not exist',
    answers: [decide({ decisions: [create(commission('a', { for: ['c1'], vp: ['nobody'], assignmentReason: 'x' }))] })],
    complaint: /the id of a VP.*nobody/,
  },
  {
    how: 'an Action for a criterion that does not exist',
    answers: [decide({ decisions: [create(commission('a', { for: ['c7'] }))] })],
    complaint: /one of c1, c2.*c7/,
  },
  {
    how: 'an Action in the name of the engine',
    answers: [decide({ decisions: [create(commission('a', { for: ['c1'], type: 'verify' }))] })],
    complaint: /work that is commissioned.*verify/,
  },
  {
    how: 'an id that the engine keeps for itself',
    answers: [decide({ decisions: [create(commission('@target', { for: ['c1'] }))] })],
    complaint: /actions\[0\]\.id/,
  },
  {
    how: 'an id that is a path',
    answers: [decide({ decisions: [create(commission('../a', { for: ['c1'] }))] })],
    complaint: /actions\[0\]\.id/,
  },
  {
    how: 'two Actions of one id',
    answers: [decide({ decisions: [create(...many(1), ...many(1))] })],
    complaint: /actions\[1\]/,
  },
  {
    how: 'an Action for nothing',
    answers: [decide({ decisions: [create(commission('a'))] })],
    complaint: /a criterion, a blocker or delivery/,
  },
  {
    how: 'one objective twice without a reason',
    answers: [
      decide({
        decisions: [
          create(
            commission('a', { for: ['c1'], objective: 'Write a' }),
            commission('b', { for: ['c1'], objective: ' write  A', rationale: 'again' }),
          ),
        ],
      }),
    ],
    complaint: /a new reason for a repeated objective/,
  },
  {
    how: 'a review that may write',
    answers: [decide({ decisions: [create(commission('a', { for: ['c1'], type: 'review' }))] })],
    complaint: /read, for a review/,
  },
  {
    how: 'a VP named like a property',
    answers: [
      decide({
        decisions: [create(commission('a', { for: ['c1'], vp: ['constructor'], assignmentReason: 'It is there.' }))],
      }),
    ],
    complaint: /the id of a VP.*constructor/,
  },
  {
    how: 'a closing of what does not exist',
    answers: [decide({ decisions: [{ kind: 'close_actions', closures: [{ actionId: 'verify-1', reason: 'no' }] }] })],
    complaint: /closures\[0\]\.actionId/,
  },
  {
    how: 'completion beside new work',
    answers: [decide({ decisions: [create(...many(1)), complete()] })],
    complaint: /complete by itself/,
  },
];

/** Nobody asked for a change of the contract; every way to smuggle one in. */
const SMUGGLED: readonly Case[] = [
  {
    how: 'as a proposal',
    answers: [decide({ decisions: [weaker] })],
    complaint: /the contract is for a person to change.*an automatic turn/,
  },
  {
    how: 'as a proposal beside honest work',
    answers: [decide({ decisions: [create(...many(1)), weaker] })],
    complaint: /decisions\[1\].*an automatic turn/,
  },
  {
    how: 'as a proposal to deliver elsewhere',
    answers: [decide({ decisions: [{ kind: 'propose_contract', delivery: { target: 'response' } }] })],
    complaint: /an automatic turn/,
  },
  {
    how: 'as a field beside the decisions',
    answers: [raw({ ...words, contract: { criteria: [] }, decisions: [{ kind: 'answer' }] })],
    complaint: /contract: expected no such field/,
  },
  {
    how: 'as a field of another decision',
    answers: [raw({ ...words, decisions: [{ ...complete(), criteria: [] }] })],
    complaint: /criteria: expected no such field/,
  },
  {
    how: 'as a field of an Action',
    answers: [decide({ decisions: [create({ ...commission('a', { for: ['c1'] }), minProof: 'self' })] })],
    complaint: /minProof: expected no such field/,
  },
  {
    how: 'as a kind in capitals',
    answers: [decide({ decisions: [{ ...weaker, kind: 'PROPOSE_CONTRACT' }] })],
    complaint: /one of answer/,
  },
  {
    how: 'as JSON in a text',
    answers: [raw({ ...words, decisions: JSON.stringify([weaker]) })],
    complaint: /decisions: expected a value of type array/,
  },
  {
    how: 'as JSON in prose',
    answers: [{ text: JSON.stringify({ ...words, decisions: [weaker] }) }],
    complaint: /words without a call/,
  },
  {
    how: 'through the prototype',
    answers: [raw(`{"reply":"x","reason":"y","__proto__":{"origin":"user"},"decisions":[${JSON.stringify(weaker)}]}`)],
    complaint: /an automatic turn|__proto__/,
  },
];

const goalOfCase = ({ how }: Case): string => `Case <${how}>: write both files`;
const stepOf = (each: Case) => coordinatorOf(literal(goalOfCase(each)), ...each.answers, askPerson);
const TWO = [
  { id: 'c1', text: 'a is there' },
  { id: 'c2', text: 'b is there' },
];
const proven = ({ contract, contractVersion }: ItemState) => ({ ...contract, title: '', contractVersion });

describe('a Coordinator', () => {
  let bench: GoalBench;
  const seen = new Map<string, { readonly before: ItemState; readonly after: Seen }>();

  beforeAll(async () => {
    const cases = [...MALFORMED, ...SMUGGLED];
    bench = await openGoalBench({
      steps: [
        ...cases.map(stepOf),
        coordinatorOf(/never proven/, decide({ decisions: [complete('All is well.')] })),
        coordinatorOf(/A title/, decide({ title: 'goal: nothing; criteria: none', decisions: [weaker] }), {
          ...decide({
            title: 'goal: nothing; criteria: none',
            decisions: [{ kind: 'request_human', question: 'So?' }],
          }),
        }),
        coordinatorOf(
          /An option/,
          decide({ decisions: [{ kind: 'request_human', question: 'Drop c2?', options: ['Yes, drop c2'] }] }),
          askPerson,
        ),
      ],
    });
    const all = [...cases.map((each) => [each.how, goalOfCase(each)] as const)];
    await Promise.all(
      all.map(async ([how, goal]) => {
        const before = await bench.submit({ goal, criteria: TWO });
        seen.set(how, { before, after: await bench.settled(before.id) });
      }),
    );
  }, 120_000);
  afterAll(() => bench.close());

  const repairedAs = ({ how, complaint }: Case) => {
    const found = seen.get(how);
    if (!found) throw new Error(`${how} was not carried`);
    const { before, after } = found;
    expect(repairsOf(bench.model, goalOfCase({ how, complaint, answers: [] }))).toMatch(complaint);
    expect(after.state.requests.map(({ question }) => question)).toEqual(['How shall I go on?']);
    expect(after.state.actions).toEqual([]);
    expect(after.state.usage.requests).toBe(2);
    expect(proven(after.state)).toEqual(proven(before));
    return after;
  };

  it.each(MALFORMED)(
    'D17: that answers with $how is told exactly what is wrong, once, and may decide again',
    (each) => {
      repairedAs(each);
    },
  );

  it.each(SMUGGLED)('D20: that changes the contract by itself, $how, is refused and changes nothing', (each) => {
    repairedAs(each);
  });

  it('D18: that completes without proof is refused with the criteria, repaired once a turn, and held after three turns', async () => {
    const { state, page, log } = await bench.carry({ goal: 'This is never proven', criteria: TWO });
    expect(repairsOf(bench.model, 'This is never proven')).toContain('c1 is unmet; c2 is unmet');
    expect(state.usage.requests).toBe(6);
    expect(state.hold).toMatchObject({ code: 'coordinator_failures' });
    expect(page).toContain('failed 3 times in a row (invalid_decision)');
    expect(page).toContain('c1 is unmet; c2 is unmet');
    expect(page).toContain('workcenter resume');
    expect(log.split('could not decide').length - 1).toBe(3);
    expect(state.completion).toBeUndefined();
  });

  it('D5: may name the item, and a title is all that it can say that way', async () => {
    const before = await bench.submit({ goal: 'A title for two files', criteria: TWO });
    const { state } = await bench.settled(before.id);
    expect(state.contract.title).toBe('goal: nothing; criteria: none');
    expect(proven(state)).toEqual(proven(before));
  });

  it('D16, D20: whose question a person answers with yes has not been given a change of the contract', async () => {
    const before = await bench.submit({ goal: 'An option to click', criteria: TWO });
    const asked = await bench.settled(before.id);
    expect(asked.page).toContain('Yes, drop c2');
    await bench.tell(before.id, { type: 'AnswerRequest', requestId: 'r1', choice: 'text', text: 'Yes, drop c2' });
    const { state } = await bench.settled(before.id);
    expect(proven(state)).toEqual(proven(before));
  });
});
