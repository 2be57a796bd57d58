import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandBody, type ItemState, nearlySpent } from '../../src/core/index.ts';
import { openEngine, type World, wasRefused } from '../../src/engine/index.ts';
import { type ScriptedModel, type ScriptedStep, startScriptedModel } from '../../src/testing.ts';
import { openRig, type Rig, until } from '../support/rig.ts';
import {
  configure,
  curious,
  DEAR,
  MOST_OUTPUT,
  modelSettings,
  person,
  submitAgents,
  THIRTY_CENTS,
} from './budget-support.ts';

let rig: Rig;
let model: ScriptedModel | undefined;

beforeEach(async () => {
  rig = await openRig({ 'README.md': 'A project.\n' });
});

afterEach(async () => {
  await model?.close();
  expect(await rig.close()).toBe(0);
});

const TEN = { concurrency: 10 } as const;

async function serve(...steps: readonly ScriptedStep[]): Promise<ScriptedModel> {
  model = await startScriptedModel({ name: 'budget', steps });
  return model;
}

async function carried(world: World, item: ItemState): Promise<ItemState> {
  const engine = openEngine(world);
  await engine.start();
  const state = await engine.untilSettled(item.id);
  await engine.stop();
  return state;
}

const say = (world: World, { id: itemId }: ItemState, body: CommandBody, principal = person) =>
  world.store.execute({ itemId, principal, body });

/** Nothing moves: every Action that is not done waits for the hold to be lifted. */
function expectHeld(state: ItemState, code: string): void {
  expect(state.hold?.code).toBe(code);
  expect(state.runs).toEqual([]);
  expect(state.calls).toEqual([]);
  expect(new Set(state.actions.map(({ status }) => status))).toEqual(new Set(['ready']));
}

describe('ten parallel Actions under a cap (D26)', () => {
  it('of $1, with calls of $0.30, spend at most the cap and one call; the rest is held', async () => {
    const { openaiUrl, requests } = await serve(curious(3));
    const world = await rig.world(TEN);
    await configure(world, modelSettings(openaiUrl, DEAR));
    const item = await submitAgents(world, rig.repo, { count: 10, limits: { costMicros: 1_000_000 } });
    const state = await carried(world, item);
    expectHeld(state, 'money_exhausted');
    expect(state.usage.costMicros).toBeLessThanOrEqual(1_000_000 + THIRTY_CENTS);
    expect(state.usage.costMicros).toBe(requests.length * THIRTY_CENTS);
    expect(state.usage.requests).toBe(requests.length);
    expect(state.actions.every(({ attempts }) => attempts === 0)).toBe(true);
    expect(nearlySpent(state).map(({ what }) => what)).toEqual(['costMicros']);
  });

  it('keep to it over a restart in between: counters survive', async () => {
    const { openaiUrl, requests } = await serve(curious(3));
    const world = await rig.world(TEN);
    await configure(world, modelSettings(openaiUrl, DEAR));
    const item = await submitAgents(world, rig.repo, { count: 10, limits: { costMicros: 1_000_000 } });
    const first = openEngine(world);
    await first.start();
    await until('a call is charged', async () => ((await world.store.load(item.id))?.usage.requests ?? 0) > 0);
    await first.stop();
    const before = (await world.store.load(item.id))?.usage.requests ?? 0;
    const state = await carried(await rig.world(TEN), item);
    expectHeld(state, 'money_exhausted');
    expect(before).toBeGreaterThan(0);
    expect(state.usage.requests).toBeGreaterThanOrEqual(before);
    expect(state.usage.costMicros).toBeLessThanOrEqual(1_000_000 + THIRTY_CENTS);
    expect(state.usage.costMicros).toBe(requests.length * THIRTY_CENTS);
  });

  it.each([
    ['without a price', undefined],
    ['at a price of 0', { input: 0, output: 0 }],
  ])('of tokens, with a model %s, keep to it as well', async (_, price) => {
    const { openaiUrl, requests } = await serve(curious(3));
    const world = await rig.world(TEN);
    await configure(world, modelSettings(openaiUrl, price));
    const limits = { tokens: 50_000, ...(price ? { costMicros: 1_000_000 } : {}) };
    const item = await submitAgents(world, rig.repo, { count: 10, limits });
    const state = await carried(world, item);
    expectHeld(state, 'tokens_exhausted');
    const each = MOST_OUTPUT + 1_000;
    expect(state.usage.tokens).toBeLessThanOrEqual(50_000 + each);
    expect(state.usage.tokens).toBe(requests.length * each);
    expect(state.usage.costMicros).toBe(0);
    expect(state.usage.unpriced).toBe(price ? 0 : requests.length);
  });

  it('of money is no cap that an unpriced model could pass by: the Action fails by name, and nothing is sent', async () => {
    const { openaiUrl, requests } = await serve(curious(1));
    const world = await rig.world();
    await configure(world, modelSettings(openaiUrl));
    const item = await submitAgents(world, rig.repo, { count: 1, limits: { costMicros: 1_000_000 } });
    const state = await carried(world, item);
    expect(requests).toEqual([]);
    expect(state.actions[0]?.failureCode).toBe('unpriced_model');
    expect(state.requests[0]?.details.join('\n')).toMatch(/no price of metered\/m is known/);
  });
});

describe('a hold by a budget', () => {
  it('is lifted only by extend and resume, both by a user; then the work is finished (D28)', async () => {
    const { openaiUrl, requests } = await serve(curious(1));
    const world = await rig.world(TEN);
    await configure(world, modelSettings(openaiUrl, DEAR));
    const item = await submitAgents(world, rig.repo, { count: 3, limits: { costMicros: 250_000 } });
    const held = await carried(world, item);
    expectHeld(held, 'money_exhausted');
    const sent = requests.length;
    const resume = { type: 'ResumeItem', controlVersion: held.controlVersion } as const;
    const extend = { type: 'ExtendBudget', controlVersion: held.controlVersion, costMicros: 5_000_000 } as const;
    expect(await say(world, item, resume)).toMatchObject({ code: 'budget_exhausted' });
    for (const kind of ['engine', 'agent'] as const) {
      const other = { kind, name: kind };
      expect(await world.store.execute({ itemId: item.id, principal: other, body: extend })).toHaveProperty('code');
      expect(await world.store.execute({ itemId: item.id, principal: other, body: resume })).toHaveProperty('code');
    }
    const extended = await say(world, item, extend);
    if (wasRefused(extended)) throw new Error(extended.message);
    expect((await carried(world, item)).hold?.code).toBe('money_exhausted');
    expect(requests).toHaveLength(sent);
    expect(await say(world, item, resume)).toMatchObject({ code: 'control_version_stale' });
    await say(world, item, { ...resume, controlVersion: extended.state.controlVersion });
    const done = await carried(world, item);
    expect(done.lifecycle).toBe('done');
    expect(done.usage.costMicros).toBe(requests.length * THIRTY_CENTS);
  });
});

describe('requests of one Run', () => {
  it('end that Run and no other: run_requests_exhausted', async () => {
    const { openaiUrl } = await serve(
      { ...curious(50), when: { tools: ['submit_outcome'], conversation: /Find out about a1\./ } },
      curious(1),
    );
    const world = await rig.world();
    await configure(world, modelSettings(openaiUrl, { input: 0, output: 0 }));
    const item = await submitAgents(world, rig.repo, { count: 2, limits: { runRequests: 4 } });
    const state = await carried(world, item);
    expect(state.hold).toBeUndefined();
    expect(state.actions.map(({ status, failureCode }) => failureCode ?? status)).toEqual([
      'run_requests_exhausted',
      'completed',
    ]);
    expect(state.actions.map(({ usage }) => usage.requests)).toEqual([4, 2]);
    expect(state.requests[0]).toMatchObject({ subject: { kind: 'action_failed', actionId: 'a1' } });
  });
});
