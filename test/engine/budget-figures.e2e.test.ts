import { afterEach, beforeEach, expect, it } from 'vitest';
import { itemText } from '../../src/cli/render/item.ts';
import { PLAIN } from '../../src/cli/render/paint.ts';
import { forecastOf } from '../../src/coordinator/index.ts';
import type { Command, ItemState } from '../../src/core/index.ts';
import { openEngine, type World } from '../../src/engine/index.ts';
import type { Store } from '../../src/store/store.ts';
import { type ScriptedModel, type ScriptedStep, startScriptedModel } from '../../src/testing.ts';
import { openRig, type Rig } from '../support/rig.ts';
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

async function serve(...steps: readonly ScriptedStep[]): Promise<ScriptedModel> {
  model = await startScriptedModel({ name: 'figures', steps });
  return model;
}

async function carried(world: World, item: ItemState): Promise<ItemState> {
  const engine = openEngine(world);
  await engine.start();
  const state = await engine.untilSettled(item.id);
  await engine.stop();
  return state;
}

const USED = MOST_OUTPUT + 1_000;

it('four fifths of a budget are a warning on the page, and no hold (D26)', async () => {
  const { openaiUrl } = await serve(curious(2));
  const world = await rig.world();
  await configure(world, modelSettings(openaiUrl, DEAR));
  const item = await submitAgents(world, rig.repo, { count: 1, limits: { costMicros: 1_100_000 } });
  const state = await carried(world, item);
  expect(state.lifecycle).toBe('done');
  expect(state.usage.costMicros).toBe(3 * THIRTY_CENTS);
  const page = itemText(state, [], { now: state.updatedAt, columns: 100, paint: PLAIN });
  expect(page).toContain('four fifths of the money are used');
  expect(page).not.toContain('four fifths of the tokens');
});

it("the forecast rests on the person's own finished items as soon as there are three (D26)", async () => {
  const { openaiUrl } = await serve(curious(1));
  const world = await rig.world({ concurrency: 6 });
  await configure(world, modelSettings(openaiUrl, DEAR));
  const guess = async (contract: ItemState['contract']) =>
    forecastOf(
      (await world.store.history()).map(({ usage, total }) => ({
        usage,
        criteria: total,
        target: contract.delivery.target,
      })),
      contract,
    );
  const items: ItemState[] = [];
  for (let n = 0; n < 3; n += 1) items.push(await submitAgents(world, rig.repo, { count: 1 }));
  const [first] = items;
  if (!first) throw new Error('nothing was submitted');
  expect(await guess(first.contract)).toMatchObject({ basis: 'default', n: 0, costMicros: null });
  const engine = openEngine(world);
  await engine.start();
  for (const item of items) expect((await engine.untilSettled(item.id)).lifecycle).toBe('done');
  await engine.stop();
  const same = (value: number) => ({ low: value, median: value, high: value });
  expect(await guess(first.contract)).toMatchObject({
    basis: 'similar',
    n: 3,
    requests: same(2),
    tokens: same(2 * USED),
    costMicros: same(2 * THIRTY_CENTS),
  });
});

it('usage that comes after its call was given up replaces the estimate once (RES-3)', async () => {
  const { openaiUrl } = await serve(curious(0, { input: 10, output: 20 }));
  let itemId = '';
  let isTaken = false;
  // The answer is there, and before it is stored a person restarts the Action.
  const wrap = (store: Store): Store => {
    const take = async (command: Command): Promise<void> => {
      const { body } = command;
      if (isTaken || body.type !== 'SettleCall' || body.verdict.as !== 'responded') return;
      isTaken = true;
      const redirect = { type: 'RedirectAction', actionId: 'a1', generation: 1, guidance: 'Look again.' } as const;
      const taken = await store.execute({ itemId, principal: person, body: redirect });
      if ('code' in taken) throw new Error(taken.message);
      expect(taken.state.uncertain).toHaveLength(1);
      expect(taken.state.usage.tokens).toBeGreaterThan(MOST_OUTPUT);
    };
    return {
      ...store,
      execute: async (command) => {
        await take(command);
        return store.execute(command);
      },
      executeWith: async (command, contents) => {
        await take(command);
        return store.executeWith(command, contents);
      },
    };
  };
  const world = await rig.world({ wrap });
  await configure(world, modelSettings(openaiUrl, DEAR));
  const item = await submitAgents(world, rig.repo, { count: 1 });
  itemId = item.id;
  const state = await carried(world, item);
  expect(isTaken).toBe(true);
  expect(state.lifecycle).toBe('done');
  expect(state.uncertain).toEqual([]);
  expect(state.usage).toMatchObject({ requests: 2, tokens: 60 });
  const corrected = (await world.store.events(itemId)).filter(({ body }) => body.type === 'CallCorrected');
  expect(corrected).toHaveLength(1);
});
