import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dueAt, type ItemState } from '../../src/core/index.ts';
import { type Engine, openEngine, type World } from '../../src/engine/index.ts';
import type { Store } from '../../src/store/store.ts';
import { type Reply, type ScriptedModel, type ScriptedStep, startScriptedModel } from '../../src/testing.ts';
import { openRig, type Rig, until } from '../support/rig.ts';
import { call, commission, create, decide, submit } from '../support/scripted-agent.ts';
import { submitGoal } from '../support/submit-goal.ts';
import type { WorldOptions } from '../support/world.ts';
import { configure, curious, MOST_OUTPUT, modelSettings, person, submitAgents } from './budget-support.ts';

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

const HOUR_MS = 3_600_000;
const NOON = Date.UTC(2030, 5, 1, 12);
const MIDNIGHT = Date.UTC(2030, 5, 2);

/** A world whose time a test moves, store and all; `polled` resolves when the engine has looked round again. */
interface Movable {
  readonly world: World;
  move(ms: number): void;
  polled(): Promise<void>;
}

async function movable(policy: Readonly<Record<string, number | null>> = {}): Promise<Movable> {
  const began = performance.now();
  let movedMs = 0;
  let beats = 0;
  const now = (): number => NOON + movedMs + Math.floor(performance.now() - began);
  const wrap = (store: Store): Store => ({
    ...store,
    heartbeat: async (worker) => {
      await store.heartbeat(worker);
      beats += 1;
    },
  });
  const limits = { concurrency: 3, dailyTokens: null, dailyCostMicros: null, ...policy };
  const options: WorldOptions = { pollMs: 20, wrap, store: { now, policy: () => limits } };
  const world = { ...(await rig.world(options)), now };
  return {
    world,
    move: (ms) => {
      movedMs += ms;
    },
    polled: () => {
      const from = beats;
      return until('the engine has polled twice', () => beats >= from + 2);
    },
  };
}

async function serve(...steps: readonly ScriptedStep[]): Promise<ScriptedModel> {
  model = await startScriptedModel({ name: 'time', steps });
  return model;
}

async function start(world: World): Promise<Engine> {
  engine = openEngine(world);
  await engine.start();
  return engine;
}

async function stateOf(world: World, { id }: ItemState): Promise<ItemState> {
  const state = await world.store.load(id);
  if (!state) throw new Error(`no item ${id}`);
  return state;
}

/** Passes a day by the hour; the engine looks round in each. */
async function passADay({ move, polled }: Movable): Promise<void> {
  for (let hour = 0; hour < 24; hour += 1) {
    move(HOUR_MS);
    await polled();
  }
}

describe('the limit of a day (D26)', () => {
  it('parks the item until midnight UTC without an attempt charged; then it goes on by itself', async () => {
    const { openaiUrl, requests } = await serve(curious(1));
    // Two requests of one Action and the first of the other fit, and no more.
    const time = await movable({ concurrency: 1, dailyTokens: 3.5 * (MOST_OUTPUT + 1_000) });
    await configure(time.world, modelSettings(openaiUrl));
    const item = await submitAgents(time.world, rig.repo, { count: 2 });
    const running = await start(time.world);
    await until('it is parked', async () => (await stateOf(time.world, item)).parked !== undefined);
    const parked = await stateOf(time.world, item);
    expect(parked.parked).toMatchObject({ until: MIDNIGHT, code: 'daily_limit' });
    expect(dueAt(parked)).toBe(MIDNIGHT);
    expect(parked.hold).toBeUndefined();
    expect(requests).toHaveLength(3);
    time.move(11 * HOUR_MS);
    await time.polled();
    expect(requests).toHaveLength(3);
    time.move(HOUR_MS);
    await until('it is done after midnight', async () => (await stateOf(time.world, item)).lifecycle === 'done');
    const done = await running.untilSettled(item.id);
    expect(done.actions.map(({ attempts, runs }) => [attempts, runs])).toEqual([
      [1, 1],
      [1, 2],
    ]);
  });
});

describe('an item that waits for a person', () => {
  it('costs nothing for a simulated day: no model is asked, nothing is written, no Run starts', async () => {
    const { openaiUrl, requests } = await serve(
      {
        when: { tools: ['decide'] },
        reply: decide({ decisions: [create(commission('a', { for: ['c1'], workspaceMode: 'read' }))] }),
      },
      { when: { tools: ['submit_outcome'] }, reply: call('ask_human', { question: 'Which colour?' }) },
    );
    const time = await movable();
    await configure(time.world, modelSettings(openaiUrl));
    const item = await submitGoal(time.world, rig.repo, { goal: 'Paint it', contract: { workspace: 'in-place' } });
    const before = await (await start(time.world)).untilSettled(item.id);
    expect(before.requests.map(({ question }) => question)).toEqual(['Which colour?']);
    const sent = requests.length;
    await passADay(time);
    expect(requests).toHaveLength(sent);
    const after = await stateOf(time.world, item);
    expect(after.version).toBe(before.version);
    expect(after.usage).toEqual(before.usage);
  });
});

/** Always one Action more, of the same kind and for the same, each time with other words. */
function insatiable(): ScriptedStep {
  let wanted = 0;
  return {
    name: 'coordinator',
    when: { tools: ['decide'] },
    reply: (): Reply => {
      wanted += 1;
      const action = commission(`a${wanted}`, {
        type: 'research',
        for: ['c1'],
        workspaceMode: 'read',
        objective: `Look into it from side ${wanted}.`,
        rationale: `Nobody has looked from side ${wanted} so far, so look.`,
      });
      return decide({ decisions: [create(action)] });
    },
  };
}

describe('a planner that always wants one more Action (D17)', () => {
  it('is parked after three turns without progress, with the reason, and is not asked again for a day', async () => {
    const looked: ScriptedStep = { when: { tools: ['submit_outcome'] }, reply: submit('I looked.') };
    const { openaiUrl, requests } = await serve(insatiable(), looked);
    const time = await movable();
    await configure(time.world, modelSettings(openaiUrl));
    const item = await submitGoal(time.world, rig.repo, { goal: 'Be content', contract: { workspace: 'in-place' } });
    const running = await start(time.world);
    const parked = await running.untilSettled(item.id);
    expect(parked.coordinator.dryTurns).toBe(3);
    expect(parked.requests).toMatchObject([{ subject: { kind: 'no_progress' }, choices: ['text', 'stop'] }]);
    expect(parked.requests[0]?.question).toContain('3 decisions in a row brought nothing new');
    const sent = requests.length;
    await passADay(time);
    expect(requests).toHaveLength(sent);
    const answer = {
      type: 'AnswerRequest',
      requestId: parked.requests[0]?.id ?? '',
      choice: 'text',
      text: 'Go on.',
    } as const;
    await time.world.store.execute({ itemId: item.id, principal: person, body: answer });
    await until('it is asked again', () => requests.length > sent);
    const again = await running.untilSettled(item.id);
    expect(again.requests).toMatchObject([{ subject: { kind: 'no_progress' } }]);
  });
});
