import { afterEach, expect, test } from 'vitest';
import type { CommandBody } from '../../src/core/index.ts';
import { type Engine, openEngine, type World } from '../../src/engine/index.ts';
import type { Store } from '../../src/store/store.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { AGENT, COORDINATOR, countOf, finish, openStage, type Stage } from '../support/agent-scenario.ts';
import { ledgerFlaws } from '../support/call-ledger.ts';
import { startEngine } from '../support/engine-child.ts';
import { held, holdRequest } from '../support/held.ts';
import { complaints, until } from '../support/rig.ts';
import type { WorldOptions } from '../support/world.ts';

/** Nobody waits that long: what is taken over was proven dead. */
const FOREVER_MS = 3_600_000;
const SHORT_MS = 400;

let stage: Stage;
const engines: Engine[] = [];

afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.stop()));
  expect(await stage.close()).toBe(0);
});

/** An engine of this process on a connection of its own. */
async function engineOn(options: WorldOptions = {}): Promise<World> {
  const world = await stage.rig.world({ ...stage.options, ...options });
  const engine = openEngine(world);
  engines.push(engine);
  await engine.start();
  return world;
}

/** A store that counts how often somebody asked for the turn of an item. */
function watched(onAsked: () => void): (store: Store) => Store {
  return (store) => ({
    ...store,
    acquireLease: (resource, owner, ttlMs) => {
      if (resource.startsWith('turn:')) onAsked();
      return store.acquireLease(resource, owner, ttlMs);
    },
  });
}

/** An owner who cannot renew, as behind a broken network, and whose commands of one kind wait. */
const cutOff =
  (kind: CommandBody['type'] | undefined, pass: () => Promise<void>) =>
  (store: Store): Store => ({
    ...store,
    renewLease: () => Promise.reject(new StoreError('store_busy', 'cut off')),
    heartbeat: async () => undefined,
    execute: async (command) => {
      if (command.body.type === kind) await pass();
      return store.execute(command);
    },
    executeWith: async (command, contents) => {
      if (command.body.type === kind) await pass();
      return store.executeWith(command, contents);
    },
  });

async function turnsOf({ world, item }: Stage) {
  const events = await world.store.events(item.id, { limit: 10_000 });
  const of = (type: string) => events.filter(({ body }) => body.type === type);
  return { opened: of('TurnOpened'), adopted: of('TurnAdopted'), decided: of('TurnDecided'), failed: of('TurnFailed') };
}

async function expectBooksInOrder(): Promise<void> {
  expect(await ledgerFlaws(stage)).toEqual([]);
  expect(await complaints(stage.world.store)).toEqual([]);
}

test('of two engines one carries the turn, the other leaves it alone while it lives, and the model is asked once (D17)', async () => {
  const request = holdRequest(COORDINATOR);
  stage = await openStage({ onRequest: request.onRequest });
  let asked = 0;
  const count = (): void => {
    asked += 1;
  };
  await Promise.all([engineOn({ wrap: watched(count) }), engineOn({ wrap: watched(count) })]);
  await request.come;
  await until('both have asked for the turn several times', () => asked >= 6);
  expect(countOf(stage, COORDINATOR)).toBe(1);
  expect((await stage.state()).coordinator.turns).toBe(1);
  request.release();
  expect((await finish(stage)).lifecycle).toBe('done');
  const { opened, adopted, decided } = await turnsOf(stage);
  expect([adopted.length, decided.length, countOf(stage, COORDINATOR)]).toEqual([0, opened.length, opened.length]);
  await expectBooksInOrder();
});

test('a turn whose owner is provably dead is taken over at once, and its request is not sent again (D8, rule 5)', async () => {
  const request = holdRequest(COORDINATOR);
  stage = await openStage({ onRequest: request.onRequest });
  const options = { ...stage.options, leaseMs: FOREVER_MS };
  const dying = startEngine({ root: stage.rig.root, options, untilIdle: false });
  await request.come;
  await dying.kill();
  await engineOn({ leaseMs: FOREVER_MS });
  await until('a person is asked', async () => (await stage.state()).requests.length > 0);
  const { coordinator, requests, calls, uncertain } = await stage.state();
  expect(requests.map(({ kind, subject, choices }) => [kind, subject.kind, choices])).toEqual([
    ['recovery', 'call_unknown', ['ask_again', 'stop']],
  ]);
  expect([coordinator.turn, calls.length, uncertain.length]).toEqual([undefined, 0, 1]);
  expect(countOf(stage, COORDINATOR)).toBe(1);
  await expectBooksInOrder();
});

test.each([
  ['a turn', COORDINATOR, 'call_unknown'],
  ['a Run', AGENT, 'action_failed'],
] as const)(
  'an owner of %s of whom nothing can be proven is waited for as long as its lease lasts; its late answer changes nothing, and what it used is charged once (rule 45)',
  async (_, step, asked) => {
    const request = holdRequest(step);
    stage = await openStage({ onRequest: request.onRequest });
    await engineOn({ leaseMs: SHORT_MS, wrap: cutOff(undefined, async () => undefined) });
    await request.come;
    const [sent] = await stage.world.store.calls(stage.item.id);
    const call = () => stage.world.store.call(stage.item.id, sent?.callId ?? '');
    await engineOn();
    await until('a person is asked', async () => (await stage.state()).requests.length > 0);
    const estimate = sent?.estimateTokens ?? 0;
    expect(await call()).toMatchObject({ status: 'unknown', chargedTokens: estimate });
    request.release();
    await until('the late usage is charged', async () => (await stage.state()).uncertain.length === 0);
    expect((await stage.state()).requests.map(({ subject }) => subject.kind)).toEqual([asked]);
    const charged = (await call())?.chargedTokens ?? 0;
    expect([charged > 0, charged < estimate]).toEqual([true, true]);
    expect(countOf(stage, step)).toBe(1);
    await expectBooksInOrder();
  },
);

test('who takes over a turn with a stored answer uses it, and the late decision of the owner before changes nothing (rule 45)', async () => {
  stage = await openStage();
  const decision = held();
  await engineOn({ leaseMs: SHORT_MS, wrap: cutOff('Decide', decision.pass) });
  await decision.come;
  expect((await stage.state()).calls.map(({ status }) => status)).toEqual(['responded']);
  const next = await engineOn();
  await until('it has decided', async () => (await turnsOf(stage)).decided.length > 0);
  const { adopted, decided } = await turnsOf(stage);
  expect(adopted.map(({ body }) => body.type === 'TurnAdopted' && body.owner)).toEqual([next.worker.owner]);
  expect(decided.length).toBe(1);
  expect(countOf(stage, COORDINATOR)).toBe(1);
  decision.release();
  await until('the late one was refused', () =>
    stage.rig.logs.some((line) => /^decision refused .*lease_lost/.test(line)),
  );
  expect((await finish(stage)).lifecycle).toBe('done');
  expect((await turnsOf(stage)).decided.length).toBe(countOf(stage, COORDINATOR));
  await expectBooksInOrder();
});
