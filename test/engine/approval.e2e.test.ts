import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Choice, HumanRequest, ItemState } from '../../src/core/index.ts';
import { type Engine, openEngine, type World } from '../../src/engine/index.ts';
import { type RecordedRequest, type ScriptedModel, type ScriptedStep, startScriptedModel } from '../../src/testing.ts';
import { openRig, type Rig, until } from '../support/rig.ts';
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
import { submitGoal } from '../support/submit-goal.ts';
import { configure, modelSettings, person } from './budget-support.ts';

let rig: Rig;
let model: ScriptedModel | undefined;
let engine: Engine | undefined;

beforeEach(async () => {
  rig = await openRig({ 'README.md': 'A project.\n' });
});

afterEach(async () => {
  await engine?.stop();
  engine = undefined;
  await model?.close();
  expect(await rig.close()).toBe(0);
});

const RULES = [{ tool: 'shell', command: 'git tag *', decide: 'ask', reason: 'Tags are for releases.' }];
const tag = (name: string) => call('shell', { command: `git tag ${name}` });
const done = (criterion: string) =>
  submit('Done.', { claims: [{ criterion, status: 'passed', evidence: 'I wrote it.' }] });
const ALONE = { concurrency: 1, pollMs: 20 } as const;

/** An item for which `a` asks for leave; `b`, where it is wanted, needs none. */
async function begin(
  { alone = true, patienceMs = 600_000 }: { alone?: boolean; patienceMs?: number },
  ...steps: readonly ScriptedStep[]
): Promise<{ world: World; item: ItemState; model: ScriptedModel }> {
  const others = alone ? [] : [commission('b', { for: ['c2'] })];
  model = await startScriptedModel({
    name: 'approvals',
    steps: [
      coordinator(
        decide({ decisions: [create(commission('a', { for: ['c1'] }), ...others)] }),
        decide({ decisions: [complete()] }),
      ),
      ...steps,
    ],
  });
  const plain = await rig.world(ALONE);
  const world = { ...plain, settings: { ...plain.settings, approvalPatienceMs: patienceMs } };
  await configure(world, { ...modelSettings(model.openaiUrl), permissions: { rules: RULES } });
  const criteria = [{ id: 'c1', text: 'a is there.' }, ...(alone ? [] : [{ id: 'c2', text: 'b is there.' }])];
  const item = await submitGoal(world, rig.repo, { goal: 'Write the files', criteria });
  engine = openEngine(world);
  await engine.start();
  return { world, item, model };
}

const load = async (world: World, { id }: ItemState): Promise<ItemState> => {
  const state = await world.store.load(id);
  if (!state) throw new Error(`no item ${id}`);
  return state;
};

/** The approval that is asked for, as soon as it is. */
async function asked(world: World, item: ItemState, times = 1): Promise<{ request: HumanRequest; state: ItemState }> {
  const isIt = ({ requests, actions }: ItemState): boolean =>
    requests.some(({ kind }) => kind === 'approval') && actions.some(({ approvals }) => approvals === times);
  await until(`approval ${times} is asked for`, async () => isIt(await load(world, item)));
  const state = await load(world, item);
  const request = state.requests.find(({ kind }) => kind === 'approval');
  if (!request) throw new Error('no approval');
  return { request, state };
}

async function answer(world: World, item: ItemState, { id }: HumanRequest, choice: Choice, text = ''): Promise<void> {
  const body = { type: 'AnswerRequest', requestId: id, choice, text } as const;
  const said = await world.store.execute({ itemId: item.id, principal: person, body });
  if ('code' in said) throw new Error(`${said.code}: ${said.message}`);
}

async function finished(item: ItemState): Promise<ItemState> {
  const state = await engine?.untilSettled(item.id);
  expect(state?.lifecycle, JSON.stringify([state?.hold, state?.requests, state?.actions.map((a) => a.lastRun)])).toBe(
    'done',
  );
  if (!state) throw new Error('no engine');
  return state;
}

/** What the agent was told by its tools in its last request. */
const toldIn = (requests: readonly RecordedRequest[], task: RegExp): readonly string[] => {
  const own = requests.filter(({ tools, messages }) => tools.includes('shell') && task.test(JSON.stringify(messages)));
  return (own.at(-1)?.messages ?? []).flatMap((each) => (each.role === 'tool' ? each.results.map((r) => r.text) : []));
};

describe('leave for a tool call (D16)', () => {
  it('says what, where and why; frees the slot; a differing call asks again, a pattern covers what is like it', async () => {
    const {
      world,
      item,
      model: served,
    } = await begin(
      { alone: false },
      agent(/Make a true/, tag('v1'), tag('v2'), tag('v3'), write('a.txt', 'a\n'), done('c1')),
      agent(/Make b true/, write('b.txt', 'b\n'), done('c2')),
    );
    const first = await asked(world, item);
    expect(first.request).toMatchObject({
      question: expect.stringContaining('wants to use shell: git tag v1'),
      details: [expect.stringMatching(/^in \//), expect.stringContaining('Tags are for releases.')],
      choices: ['approve', 'deny', 'stop'],
    });
    await until('b runs and completes meanwhile, with one slot', async () => {
      const { actions } = await load(world, item);
      return actions.find(({ id }) => id === 'b')?.status === 'completed';
    });
    const waiting = await load(world, item);
    expect(waiting.runs.map(({ actionId, idle }) => [actionId, idle])).toEqual([['a', true]]);
    await answer(world, item, first.request, 'approve');
    const second = await asked(world, item, 2);
    expect(second.request.choices).toEqual(['approve', 'approve_pattern', 'deny', 'stop']);
    expect(second.request.subject).toMatchObject({ pattern: expect.stringContaining('git tag *') });
    await answer(world, item, second.request, 'approve_pattern');
    const end = await finished(item);
    expect(end.actions.find(({ id }) => id === 'a')).toMatchObject({ approvals: 2, runs: 1, attempts: 1 });
    // `git tag` refuses to do it twice, so each ran once.
    expect(toldIn(served.requests, /Make a true/).slice(0, 3)).toEqual([
      '(no output)\n[exit code 0]',
      '(no output)\n[exit code 0]',
      '(no output)\n[exit code 0]',
    ]);
  });

  it('that is refused is told to the agent, which goes on without it', async () => {
    const {
      world,
      item,
      model: served,
    } = await begin({}, agent(/Make a true/, tag('v1'), write('a.txt', 'a\n'), done('c1')));
    const { request } = await asked(world, item);
    await answer(world, item, request, 'deny', 'Not before Monday.');
    await finished(item);
    const [told] = toldIn(served.requests, /Make a true/);
    expect(told).toBe('A person refused this call. Not before Monday.');
  });

  it('that nobody gives in time lets the Run wait; given later, another Run uses it, once and without asking', async () => {
    const {
      world,
      item,
      model: served,
    } = await begin({ patienceMs: 1 }, agent(/Make a true/, tag('v1'), write('a.txt', 'a\n'), done('c1')));
    const { request } = await asked(world, item);
    await until('the Run has given up its place', async () => (await load(world, item)).runs.length === 0);
    const waiting = await load(world, item);
    expect(waiting.actions[0]).toMatchObject({ status: 'waiting', attempts: 0 });
    expect(waiting.requests.map(({ id }) => id)).toEqual([request.id]);
    await answer(world, item, request, 'approve');
    const end = await finished(item);
    expect(end.actions[0]).toMatchObject({ runs: 2, grants: [] });
    expect(end.requestCount).toBe(1);
    expect(toldIn(served.requests, /Make a true/)[0]).toBe('(no output)\n[exit code 0]');
  });
});
