import { afterEach, expect, test } from 'vitest';
import { openEngine } from '../../src/engine/index.ts';
import { COORDINATOR, countOf, finish, openStage, type Stage } from '../support/agent-scenario.ts';
import { ledgerFlaws } from '../support/call-ledger.ts';
import { liveUntil } from '../support/die-at.ts';
import type { Moment } from '../support/moments.ts';
import { complaints, until } from '../support/rig.ts';

const NEWS = 'By the way, the word is heliotrope.';

let stage: Stage;

afterEach(async () => {
  expect(await stage.close()).toBe(0);
});

/** An engine dies in its first turn; meanwhile a person writes, so that a request made now would be another one. */
async function dieInFirstTurn(what: string): Promise<void> {
  const moment: Moment = { phase: 'after', what, nth: 1 };
  stage = await openStage();
  const life = await liveUntil({ root: stage.rig.root, options: stage.options, moment }, async () => undefined);
  expect(life.died).toBe(`after ${what} 1`);
  const body = { type: 'PostMessage', target: { kind: 'coordinator' }, text: NEWS, attachments: [] } as const;
  await stage.world.store.execute({ itemId: stage.item.id, principal: { kind: 'user', name: 'ada' }, body });
}

/** A fresh engine until the first turn is decided; how often the model was asked in this turn. */
async function decideFirstTurn(): Promise<void> {
  const engine = openEngine(await stage.rig.world(stage.options));
  await engine.start();
  await until('something is decided', async () => (await stage.state()).actions.length > 0);
  await engine.stop();
}

async function callsOfFirstTurn() {
  const events = await stage.world.store.events(stage.item.id);
  const turnId = events.flatMap(({ body }) => (body.type === 'TurnOpened' ? body.turn.id : []))[0] ?? '';
  const calls = await stage.world.store.calls(stage.item.id, { ownerId: turnId });
  return calls.map(({ n, status, tries }) => [n, status, tries]);
}

const firstBody = (): string => JSON.stringify(stage.model.requests[0]?.body);

async function expectGoalReached(): Promise<void> {
  expect((await finish(stage)).lifecycle).toBe('done');
  expect(await ledgerFlaws(stage)).toEqual([]);
  expect(await complaints(stage.world.store)).toEqual([]);
  const asked = stage.model.requests.filter(({ body }) => JSON.stringify(body).includes(NEWS));
  expect(asked.length).toBeGreaterThan(0);
}

test('a prepared request is sent by the next owner from its stored bytes, whatever has been said since (rule 29)', async () => {
  await dieInFirstTurn('PrepareCall');
  expect(stage.model.requests.length).toBe(0);
  await decideFirstTurn();
  expect(await callsOfFirstTurn()).toEqual([[1, 'responded', 1]]);
  expect(firstBody()).not.toContain(NEWS);
  await expectGoalReached();
});

test('a stored answer is used by the next owner, who does not ask again (rule 29)', async () => {
  await dieInFirstTurn('SettleCall');
  const asked = countOf(stage, COORDINATOR);
  expect(asked).toBe(1);
  const answered = await callsOfFirstTurn();
  await decideFirstTurn();
  expect(await callsOfFirstTurn()).toEqual(answered);
  expect(stage.model.requests.filter(({ body }) => JSON.stringify(body) === firstBody()).length).toBe(1);
  await expectGoalReached();
});
