import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { homeAt } from '../../src/engine/index.ts';
import { findTagged } from '../../src/workspace/process/tagged-processes.ts';
import { probeSandbox } from '../../src/workspace/sandbox/probe-sandbox.ts';
import { type EngineChild, startEngine } from '../support/engine-child.ts';
import { aliveOf, openRig, type Rig, until } from '../support/rig.ts';
import { completions, note, wrongWith } from '../support/scenario.ts';
import { submitPlan } from '../support/submit-plan.ts';

const { sandbox } = await probeSandbox();
const confined = sandbox !== 'none';

/** A server that forks twice, leaves the session and ignores every polite request. */
const STUBBORN = `setsid sh -c 'trap "" TERM HUP INT; sleep 987654 & sleep 987654' >/dev/null 2>&1 &`;

/** One command after the other, so that no kill falls between the last word of one and its exit code. */
const plan = (rig: Rig): string => `
goal: change both files
criteria:
  - text: a says hello
    check: grep -q hello a.txt
  - text: b says hello
delivery: merge
order: linear
sandbox: { writable: ["${rig.ledger}"] }
actions:
  - id: fix-a
    run: |
      ${STUBBORN}
      ${note(rig, 'start fix-a')}; sleep 0.3; echo hello > a.txt; ${note(rig, 'end fix-a')}
    for: [c1]
  - id: fix-b
    run: |
      ${STUBBORN}
      ${note(rig, 'start fix-b')}; echo hello > b.txt; ${note(rig, 'end fix-b')}
    for: [c2]
`;

type Moment = (engine: EngineChild, rig: Rig, itemId: string) => Promise<void>;

const event =
  (type: string, times = 1): Moment =>
  (engine) =>
    engine.says(`event ${type}`, times);

const noted =
  (line: string): Moment =>
  (_engine, rig) =>
    until(`a command has written ${line}`, async () => (await rig.noted()).includes(line));

const exitCodeLeft: Moment = async (_engine, rig, itemId) => {
  const { store } = await rig.world();
  await until('a command has left its exit code', async () => {
    const runs = await store.runs(itemId);
    return runs.some(({ runId }) => existsSync(join(homeAt(join(rig.root, 'home')).run(runId), 'report', 'exit')));
  });
};

const MOMENTS: readonly (readonly [string, Moment])[] = [
  ['its first claim', event('RunClaimed')],
  ['its first dispatch', event('RunDispatched')],
  ['the command had begun', noted('start fix-a')],
  ['the command had left its exit code', exitCodeLeft],
  ['the first result was settled', event('RunSettled')],
  ['the first result was merged', event('ResultMerged')],
  ['the second command had been settled', event('RunSettled', 2)],
  ['verification was dispatched', event('RunDispatched', 3)],
  ['the result was published', event('ResultPublished')],
  ['the landing was reserved', event('LandingReserved')],
];

describe(`an engine killed with SIGKILL ${confined ? 'in bubblewrap' : 'without a sandbox (there is none here)'}`, () => {
  test.concurrent.each(MOMENTS)(
    'when %s is followed by one that finishes, repeats no completed command and leaves no process (REC-1)',
    async (_, moment) => {
      const rig = await openRig();
      const world = await rig.world();
      const item = await submitPlan(world, plan(rig), rig.repo);
      const order = { root: rig.root, options: { sandbox: confined }, untilIdle: true };
      const first = startEngine(order);
      await moment(first, rig, item.id);
      await first.kill();
      if (confined)
        await until('every process has gone with its engine', async () => (await aliveOf(world.store)) === 0);
      expect(await wrongWith(rig)).toEqual([]);

      const second = startEngine(order);
      await second.says('up');
      expect([await second.ended, second.lines().at(-1)]).toEqual([0, 'idle']);
      expect((await world.store.load(item.id))?.lifecycle).toBe('done');
      expect(await completions(rig)).toEqual({ 'fix-a': 1, 'fix-b': 1 });
      expect(await rig.git('show', 'main:a.txt', 'main:b.txt')).toBe('hello\nhello');
      expect(await wrongWith(rig)).toEqual([]);
      expect(await aliveOf(world.store)).toBe(0);
      expect(await rig.close()).toBe(0);
    },
    120_000,
  );
});

test('without a sandbox the next engine kills what the dead one left, before anything is started again (D12)', async () => {
  const rig = await openRig();
  const world = await rig.world();
  const item = await submitPlan(world, plan(rig).replace('sleep 0.3', 'sleep 4; sleep 1'), rig.repo);
  const order = { root: rig.root, options: { sandbox: false }, untilIdle: false };
  const first = startEngine(order);
  await noted('start fix-a')(first, rig, item.id);
  await first.kill();
  const [orphaned] = await world.store.runs(item.id);
  const orphans = (): Promise<readonly unknown[]> => findTagged({ runId: orphaned?.runId ?? '' });
  expect((await orphans()).length).toBeGreaterThan(2);
  const second = startEngine(order);
  await second.says('event RunSettled');
  await second.says('event RunDispatched');
  await until('the command runs again', async () => (await rig.noted()).length === 2);
  expect(await orphans()).toEqual([]);
  const [live, ...others] = await world.store.runs(item.id);
  expect([live?.status, others.map(({ status, code }) => [status, code])]).toEqual([
    'running',
    [['interrupted', 'engine_died']],
  ]);
  second.signal('SIGTERM');
  expect(await second.ended).toBe(0);
  expect(await aliveOf(world.store)).toBe(0);
  expect(await rig.close()).toBe(0);
});
