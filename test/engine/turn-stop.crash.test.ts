import { afterEach, expect, test } from 'vitest';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import { AGENT, COORDINATOR, countOf, finish, openStage, outside, type Stage } from '../support/agent-scenario.ts';
import { ledgerFlaws } from '../support/call-ledger.ts';
import { startEngine } from '../support/engine-child.ts';
import { holdRequest } from '../support/held.ts';
import { complaints, until } from '../support/rig.ts';
import { agent, submit } from '../support/scripted-agent.ts';

let stage: Stage;

afterEach(async () => {
  expect(await stage.close()).toBe(0);
});

/** A stop waits for the tick that is under way: without ticks it is told to all at once. */
const NO_TICKS_MS = 3_600_000;

/** An engine of this process; `shutdownMs`: how long its stop may take. */
async function startHere(shutdownMs: number): Promise<Engine> {
  const world = await stage.rig.world({ ...stage.options, pollMs: NO_TICKS_MS });
  const engine = openEngine({ ...world, settings: { ...world.settings, shutdownMs } });
  await engine.start();
  return engine;
}

async function expectBooksInOrder(): Promise<void> {
  expect(await ledgerFlaws(stage)).toEqual([]);
  expect(await complaints(stage.world.store)).toEqual([]);
}

const statuses = async (): Promise<readonly string[]> =>
  (await stage.world.store.calls(stage.item.id)).map(({ status }) => status);

test('an engine that is stopped while the Coordinator waits takes the answer that comes in time; nothing is unknown, nobody is asked, and the next engine goes on (D12)', async () => {
  const request = holdRequest(COORDINATOR);
  stage = await openStage({ onRequest: request.onRequest });
  const engine = await startHere(60_000);
  await request.come;
  const stopped = engine.stop();
  request.release();
  await stopped;
  const { requests, uncertain } = await stage.state();
  expect([requests, uncertain, await statuses()]).toEqual([[], [], ['responded']]);
  expect((await finish(stage)).lifecycle).toBe('done');
  await expectBooksInOrder();
});

test.each([
  ['the Coordinator', COORDINATOR],
  ['an agent', AGENT],
] as const)(
  'an engine that is stopped while %s waits gives up on an answer that does not come: it is unknown, and a person says whether to ask again (D11)',
  async (_, step) => {
    const request = holdRequest(step);
    stage = await openStage({ onRequest: request.onRequest });
    const engine = await startHere(1_000);
    await request.come;
    const sent = stage.model.requests.length;
    await engine.stop();
    await until('a person is asked', async () => (await stage.state()).requests.length > 0);
    const { requests, uncertain, runs } = await stage.state();
    expect([requests.map(({ kind }) => kind), uncertain.length, runs]).toEqual([['recovery'], 1, []]);
    expect((await statuses())[0]).toBe('unknown');
    const next = await startHere(1_000);
    await next.untilSettled(stage.item.id);
    await next.stop();
    expect(stage.model.requests.length).toBe(sent);
    await expectBooksInOrder();
  },
);

test('a call that acts outside is not begun by an engine that is stopping: its Run ends at the boundary before it (D12)', async () => {
  const request = holdRequest(AGENT);
  stage = await openStage({
    onRequest: request.onRequest,
    rules: [{ tool: 'shell', decide: 'allow' }],
    steps: (rig) => [
      { ...agent(/Make a true/, outside(rig, '; echo hello > a.txt'), submit('Wrote a.txt.')), name: AGENT },
    ],
  });
  const engine = await startHere(60_000);
  await request.come;
  const stopped = engine.stop();
  request.release();
  await stopped;
  const { requests, operations, actions } = await stage.state();
  expect([requests, operations, await stage.rig.noted()]).toEqual([[], [], []]);
  expect(actions.map(({ status, attempts, lastRun }) => [status, attempts, lastRun?.status])).toEqual([
    ['ready', 0, 'interrupted'],
  ]);
  expect((await finish(stage)).lifecycle).toBe('done');
  expect(await stage.rig.noted()).toEqual(['outside']);
  await expectBooksInOrder();
});

test('SIGTERM is such a stop', async () => {
  const request = holdRequest(COORDINATOR);
  stage = await openStage({ onRequest: request.onRequest });
  const engine = startEngine({ root: stage.rig.root, options: stage.options, untilIdle: false });
  await request.come;
  engine.signal('SIGTERM');
  request.release();
  expect([await engine.ended, engine.lines().at(-1)]).toEqual([0, 'idle']);
  const { requests, uncertain, runs } = await stage.state();
  expect([requests, uncertain, runs]).toEqual([[], [], []]);
  expect(countOf(stage, COORDINATOR)).toBe(1);
  await expectBooksInOrder();
});
