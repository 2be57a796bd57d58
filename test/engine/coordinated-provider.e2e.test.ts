import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { CommandBody, ItemState } from '../../src/core/index.ts';
import type { ScriptedStep } from '../../src/testing.ts';
import { until } from '../support/rig.ts';
import { agent, commission, complete, create, decide, submit, write } from '../support/scripted-agent.ts';
import { actionOf } from './control-support.ts';
import { coordinatorOf, type GoalBench, literal, openGoalBench, type Seen } from './coordinated-bench.ts';

type Tool = 'decide' | 'submit_outcome';
type Failing = Pick<ScriptedStep, 'error' | 'broken'>;

/** Somebody's provider fails, in one way; its item is known by its goal. */
interface Case {
  readonly what: string;
  readonly how: Failing;
  readonly code?: string;
  /** What a person is to read. */
  readonly words: string;
}

const HOUR_MS = 3_600_000;

/** Refusals that trying again would not change. */
const PERMANENT: readonly Case[] = [
  {
    what: '401 for a wrong key',
    how: { error: { status: 401, message: 'Incorrect API key provided.' } },
    code: 'model_unauthorised',
    words: 'Incorrect API key provided.',
  },
  {
    what: '404 for a model it does not have',
    how: { error: { status: 404, message: 'The model does not exist.' } },
    code: 'model_not_found',
    words: 'The model does not exist.',
  },
  {
    what: '400 for a request it does not take',
    how: { error: { status: 400, message: 'tools are not supported' } },
    code: 'model_bad_request',
    words: 'tools are not supported',
  },
  { what: 'a web page', how: { broken: 'html' }, code: 'model_not_a_model_api', words: 'Expected a model API at' },
];

/** Answers after which nobody knows what was carried out, or charged. */
const UNKNOWN: readonly Case[] = [
  { what: 'JSON that is cut off', how: { broken: 'truncated_json' }, words: 'lost' },
  { what: 'a stream that breaks', how: { broken: 'mid_stream' }, words: 'lost' },
  { what: 'a stream that ends early', how: { broken: 'ends_early' }, words: 'lost' },
  { what: '500', how: { error: { status: 500, message: 'internal error' } }, words: 'lost' },
];

const goalOfCase = (tool: Tool, { what }: Case): string => `Write a.txt for ${tool} <${what}>`;
const commissioned = decide({ decisions: [create(commission('a', { for: ['c1'], maxAttempts: 1 }))] });
const askPerson = decide({ decisions: [{ kind: 'request_human', question: 'Its model failed. What now?' }] });
const finish = decide({ decisions: [complete()] });
const wrote = submit('Wrote it.', { claims: [{ criterion: 'c1', status: 'passed', evidence: 'I read it again.' }] });
const worker = agent(/Make a true/, write('a.txt', 'a\n'), wrote);

/** A provider that answers one item badly, `times` times or for ever, and then lets it be carried to its end. */
const stepsOf = (tool: Tool, each: Case, last: typeof finish, times?: number): readonly ScriptedStep[] => {
  const conversation = literal(goalOfCase(tool, each));
  return [
    { name: each.what, when: { tools: [tool], conversation, ...(times === undefined ? {} : { times }) }, ...each.how },
    coordinatorOf(conversation, commissioned, last),
  ];
};

const TOOLS: readonly Tool[] = ['decide', 'submit_outcome'];
const subjects = ({ requests }: ItemState) => requests.map(({ subject }) => subject.kind);
const finished = ({ state, log }: Seen) => expect(state.lifecycle, log).toBe('done');
const answer = (requestId: string, choice: 'ask_again' | 'retry'): CommandBody => ({
  type: 'AnswerRequest',
  requestId,
  choice,
  text: '',
});

describe.concurrent('a provider that answers with', () => {
  let bench: GoalBench;
  beforeAll(async () => {
    bench = await openGoalBench({
      steps: [
        ...TOOLS.flatMap((tool) => PERMANENT.flatMap((each) => stepsOf(tool, each, askPerson))),
        ...TOOLS.flatMap((tool) => UNKNOWN.flatMap((each) => stepsOf(tool, each, finish, 1))),
        worker,
      ],
    });
  });
  afterAll(() => bench.close());

  const carried = async (tool: Tool, each: Case) => {
    const goal = goalOfCase(tool, each);
    // Items that are done are remembered by their title (D35); nobody may be taken for them.
    const seen = await bench.carry({ goal, contract: { title: 'One of many' } });
    const asked = bench.model.requests.filter(
      ({ tools, messages }) => tools.includes(tool) && JSON.stringify(messages).includes(goal),
    );
    return { ...seen, asked };
  };

  it.each(PERMANENT)('$what holds the item of a Coordinator at once, with its words', async (each) => {
    const { state, page, log, asked } = await carried('decide', each);
    expect(state.hold).toMatchObject({ code: 'coordinator_failures' });
    expect(asked).toHaveLength(1);
    expect(page).toContain(`cannot work (${each.code})`);
    expect(page).toContain(each.words);
    expect(log).toContain(each.words);
    expect(state.usage.requests).toBe(0);
  });

  it.each(PERMANENT)('$what fails the Action of an agent, and the Coordinator decides on it', async (each) => {
    const { state, page, asked } = await carried('submit_outcome', each);
    expect(actionOf(state, 'a')).toMatchObject({ status: 'failed', failureCode: each.code });
    expect(subjects(state)).toEqual(['coordinator_question']);
    expect(asked).toHaveLength(1);
    expect(page).toContain(`failed: ${each.code}`);
    expect(page).toContain(each.words);
  });

  it.each(UNKNOWN)('$what leaves a turn that is not asked again before a person says so (D11)', async (each) => {
    const { state, page, asked } = await carried('decide', each);
    expect(subjects(state)).toEqual(['call_unknown']);
    expect(asked).toHaveLength(1);
    expect(page).toContain('its answer was lost. Ask again?');
    expect(state.uncertain).toHaveLength(1);
    await bench.tell(state.id, answer('r1', 'ask_again'));
    finished(await bench.settled(state.id));
  });

  it.each(UNKNOWN)('$what leaves a Run that is not repeated before a person says so (D11)', async (each) => {
    const { state, page, asked } = await carried('submit_outcome', each);
    expect(actionOf(state, 'a')).toMatchObject({ status: 'failed', lastRun: { status: 'unknown' } });
    expect(subjects(state)).toEqual(['action_failed']);
    expect(asked).toHaveLength(1);
    expect(page).toContain('model_call_unknown');
    await bench.tell(state.id, answer('r1', 'retry'));
    finished(await bench.settled(state.id));
  });
});

describe('a provider that is busy', () => {
  let bench: GoalBench | undefined;
  afterEach(() => bench?.close());

  const opened = async (tool: Tool, message: string, retryAfter: string): Promise<GoalBench> => {
    const error = { status: 429, message, headers: { 'retry-after': retryAfter } };
    bench = await openGoalBench({
      steps: [...stepsOf(tool, { what: message, how: { error }, words: '' }, finish, 1), worker],
    });
    return bench;
  };

  it.each(TOOLS)('for a moment is asked again in place, after the time that it names (%s)', async (tool) => {
    const goals = await opened(tool, 'Slow down.', '0.05');
    const seen = await goals.carry({ goal: goalOfCase(tool, { what: 'Slow down.', how: {}, words: '' }) });
    finished(seen);
    expect(actionOf(seen.state, 'a').attempts).toBe(1);
    expect(seen.state.usage.requests).toBe(4);
    expect(goals.model.requests).toHaveLength(5);
  });

  it.each(TOOLS)(
    'for hours parks the item with one wake at the reset, and charges no attempt (D26, %s)',
    async (tool) => {
      const limit = 'Your usage limit is reached.';
      const goals = await opened(tool, limit, '7200');
      const { id } = await goals.submit({ goal: goalOfCase(tool, { what: limit, how: {}, words: '' }) });
      const loaded = () => goals.world.store.load(id);
      await until('the item is parked', async () => (await loaded())?.parked !== undefined);
      await goals.idle(id);
      const parked = await loaded();
      const asked = goals.model.requests.length;
      expect((parked?.parked?.until ?? 0) - goals.now()).toBeGreaterThan(HOUR_MS);
      expect(parked?.actions.map(({ attempts, status }) => [attempts, status]) ?? []).toEqual(
        tool === 'decide' ? [] : [[0, 'ready']],
      );
      expect(parked?.hold).toBeUndefined();
      expect((await goals.look(id)).page).toContain(limit);
      goals.pass(HOUR_MS);
      await goals.ticks(3);
      expect(goals.model.requests).toHaveLength(asked);
      goals.pass(HOUR_MS);
      const seen = await goals.settled(id);
      finished(seen);
      expect(actionOf(seen.state, 'a').attempts).toBe(1);
      expect(seen.state.usage.requests).toBe(4);
    },
  );
});
