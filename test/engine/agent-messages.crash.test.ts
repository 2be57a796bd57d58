import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { CommandBody } from '../../src/core/index.ts';
import { openEngine } from '../../src/engine/index.ts';
import type { Store } from '../../src/store/store.ts';
import { AGENT, finish, openStage, type Stage } from '../support/agent-scenario.ts';
import { ledgerFlaws } from '../support/call-ledger.ts';
import { liveUntil } from '../support/die-at.ts';
import { held } from '../support/held.ts';
import type { Moment } from '../support/moments.ts';
import { complaints, type Rig, until } from '../support/rig.ts';
import { note } from '../support/scenario.ts';
import { agent, call, submit, write } from '../support/scripted-agent.ts';

const WORDS = 'Please use the word heliotrope.';

let stage: Stage;

afterEach(async () => {
  expect(await stage.close()).toBe(0);
});

const doorOf = (rig: Rig): string => join(rig.ledger, 'door');

/** A tool call that takes until somebody opens the door. */
const lingering = (rig: Rig) =>
  call('shell', { command: `${note(rig, 'lingers')}; until [ -e ${doorOf(rig)} ]; do sleep 0.05; done` });

const openWithTool = (): Promise<Stage> =>
  openStage({
    action: {},
    steps: (rig) => [
      {
        ...agent(
          /Make a true/,
          write('a.txt', 'hello\n'),
          lingering(rig),
          write('b.txt', 'b\n'),
          submit('Wrote a.txt.'),
        ),
        name: AGENT,
      },
    ],
  });

async function post(): Promise<void> {
  const target = { kind: 'action', actionId: 'a' } as const;
  const body = { type: 'PostMessage', target, text: WORDS, attachments: [] } as const;
  await stage.world.store.execute({ itemId: stage.item.id, principal: { kind: 'user', name: 'ada' }, body });
}

/** Speaks to the Action while its tool call lasts, then lets that end. */
async function speakDuringCall(): Promise<void> {
  await until('the tool call lasts', async () => (await stage.rig.noted()).length > 0);
  await post();
  await writeFile(doorOf(stage.rig), '');
}

const timesIn = (text: string): number => text.split(WORDS).length - 1;

/** How often the words stand in each request of each Run, first to last. */
async function hearings(): Promise<readonly (readonly number[])[]> {
  const { store } = stage.world;
  const runs = (await store.runs(stage.item.id, { actionId: 'a' })).toReversed();
  return Promise.all(
    runs.map(async ({ runId }) => {
      const calls = await store.calls(stage.item.id, { ownerId: runId });
      const sorted = calls.filter(({ tries }) => tries > 0).toSorted((a, b) => a.n - b.n);
      return Promise.all(
        sorted.map(async ({ requestHash }) =>
          timesIn(Buffer.from((await store.getContent(requestHash)) ?? []).toString('utf8')),
        ),
      );
    }),
  );
}

async function expectDelivery(delivery: string, detail: string | null): Promise<void> {
  const entries = await stage.world.store.entries(stage.item.id);
  const said = entries.filter(({ text }) => text === WORDS);
  expect(said.map((entry) => [entry.delivery, entry.detail])).toEqual([[delivery, detail]]);
  expect((await stage.state()).lifecycle).toBe('done');
  expect(await ledgerFlaws(stage)).toEqual([]);
  expect(await complaints(stage.world.store)).toEqual([]);
}

test('a message to a running Action during a tool call is in its next request, and once in each after it (D15)', async () => {
  stage = await openWithTool();
  await Promise.all([finish(stage), speakDuringCall()]);
  expect(await hearings()).toEqual([[0, 0, 1, 1]]);
  await expectDelivery('delivered', null);
});

const justAfter = (what: string, nth: number): Moment => ({ phase: 'after', what, nth });

/** Somebody speaks during the tool call, the engine dies, another one finishes. */
async function kill(moment: Moment): Promise<void> {
  stage = await openWithTool();
  const life = await liveUntil({ root: stage.rig.root, options: stage.options, moment }, speakDuringCall);
  expect(life.died).toBeDefined();
  await finish(stage);
}

/** Request 1 is the Coordinator's, 4 is the first that carries the message. */
describe('a message to a running Action is once in every request of the Run that goes on after a kill', () => {
  test.each([
    ['before the request that carries it was sent', justAfter('PrepareCall', 4)],
    ['when the answer to it was stored', justAfter('SettleCall', 4)],
  ])('%s (D15, rule 16)', async (_, moment) => {
    await kill(moment);
    const heard = await hearings();
    expect([heard.length, heard.at(-1)]).toEqual([2, [1, 1, 1, 1]]);
    await expectDelivery('delivered', null);
  });

  test('also when the request that carries it was lost: the try that a person allows is told from the start (D15)', async () => {
    await kill(justAfter('DispatchCall', 4));
    expect(await hearings()).toEqual([
      [0, 0, 1],
      [1, 1, 1, 1],
    ]);
    await expectDelivery('delivered', null);
  });
});

test('a message that comes between the last word and its settlement is heard by another Run (I7)', async () => {
  stage = await openWithTool();
  await writeFile(doorOf(stage.rig), '');
  const settlement = held();
  const wrap = (store: Store): Store => ({
    ...store,
    execute: async (command) => {
      if (isFirstWord(command.body)) await settlement.pass();
      return store.execute(command);
    },
  });
  const engine = openEngine(await stage.rig.world({ ...stage.options, wrap }));
  await engine.start();
  await settlement.come;
  await post();
  settlement.release();
  await engine.untilSettled(stage.item.id);
  await engine.stop();
  expect(existsSync(doorOf(stage.rig))).toBe(true);
  expect(await hearings()).toEqual([
    [0, 0, 0, 0],
    [1, 1, 1, 1],
  ]);
  const runs = await stage.world.store.runs(stage.item.id, { actionId: 'a' });
  expect(runs.map(({ status, code }) => [status, code])).toEqual([
    ['completed', null],
    ['interrupted', 'messages_pending'],
  ]);
  await expectDelivery('delivered', null);
});

const isFirstWord = (body: CommandBody): boolean =>
  body.type === 'Settle' && body.settlement.kind === 'outcome' && body.settlement.outcome.kind === 'completed';
