import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { collectGarbage, openEngine } from '../../src/engine/index.ts';
import { openEngineRepository } from '../../src/workspace/engine-repository/engine-repository.ts';
import { listSnapshots, restoreSnapshot } from '../../src/workspace/isolated/snapshot.ts';
import { startEngine } from '../support/engine-child.ts';
import { complaints, openRig, until } from '../support/rig.ts';
import { carryOn, note } from '../support/scenario.ts';
import { submitPlan } from '../support/submit-plan.ts';

test('a command that kills its engine every time is quarantined after it did so alone, while others progress (D12)', async () => {
  const rig = await openRig();
  const world = await rig.world();
  const pidFile = join(rig.root, 'engine.pid');
  const killer = await submitPlan(
    world,
    `
goal: kill the engine
criteria: [it is dead]
actions:
  - { id: killer, run: "${note(rig, 'start killer')}; kill -9 $(cat ${pidFile}); sleep 30", for: [c1] }
`,
    rig.repo,
  );
  const steady = await submitPlan(
    world,
    `
goal: change a file
criteria: [b says hello]
actions:
  - { id: steady, run: "echo hello > b.txt", for: [c1] }
`,
    rig.repo,
  );
  const lives: (number | null)[] = [];
  while (lives.length < 8) {
    const engine = startEngine({ root: rig.root, options: {}, untilIdle: true, pidFile });
    lives.push(await engine.ended);
    if (lives.at(-1) === 0) break;
  }
  // Two lives for two suspicions, one in which it ran alone, and one that survives.
  expect(lives).toEqual([null, null, null, 0]);
  const state = await world.store.load(killer.id);
  const [action] = state?.actions ?? [];
  expect([action?.status, action?.failureCode, action?.suspicions, action?.attempts]).toEqual([
    'failed',
    'quarantined',
    3,
    0,
  ]);
  expect(state?.requests.map(({ question, details }) => [question, details[0]])).toEqual([
    ['killer failed. What now?', 'quarantined'],
  ]);
  expect((await world.store.runs(killer.id)).map(({ alone, code }) => [alone, code])).toEqual([
    [true, 'engine_died'],
    [false, 'engine_died'],
    [false, 'engine_died'],
  ]);
  expect((await world.store.load(steady.id))?.lifecycle).toBe('done');
  expect(await complaints(world.store)).toEqual([]);
  expect(await rig.close()).toBe(0);
}, 120_000);

test('what an executor left uncommitted when it was killed can be restored, after a restart and after a clean-up (D31)', async () => {
  const rig = await openRig({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
  const world = await rig.world();
  const writes = ['a', 'b', 'c', 'new1', 'new2'].map((name) => `echo "work on ${name}" > ${name}.txt`).join('; ');
  const item = await submitPlan(
    world,
    `
goal: change files
criteria: [all say so]
actions:
  - id: write
    run: |
      if [ -e ${rig.ledger}/lines ]; then echo other > a.txt; exit 0; fi
      ${writes}; ${note(rig, 'written')}; sleep 987654
    for: [c1]
`,
    rig.repo,
  );
  const engine = startEngine({ root: rig.root, options: {}, untilIdle: false });
  await until('five files are written', async () => (await rig.noted()).includes('written'));
  await engine.kill();
  const DAYS_MS = 3 * 86_400_000;
  const now = (): number => Date.now() + DAYS_MS;
  const later = { ...(await rig.world({ store: { now } })), now };
  const next = openEngine(later);
  await next.start();
  expect((await next.untilSettled(item.id)).lifecycle).toBe('done');
  await next.stop();
  const entries = await collectGarbage(later, { apply: true, olderThanMs: DAYS_MS });
  expect(entries.map(({ what, action, why }) => [what, action, why])).toEqual([
    ['repository', 'keep', expect.stringContaining('ended less than the retention time ago')],
  ]);
  const repo = await openEngineRepository({ gitDir: world.home.repository(item.id), itemId: item.id });
  if (!repo) throw new Error('The repository that holds the kept work is gone.');
  const kept = await listSnapshots(repo);
  expect(kept.map(({ name }) => name)).toEqual(['write-g1-r1']);
  const path = join(rig.root, 'restored');
  await restoreSnapshot({ repo, path, name: 'write-g1-r1', head: repo.base });
  for (const name of ['a', 'b', 'c', 'new1', 'new2']) {
    expect(await readFile(join(path, `${name}.txt`), 'utf8')).toBe(`work on ${name}\n`);
  }
  expect(await rig.close()).toBe(0);
});

test('work of a killed Run whose item was then stopped is kept by the clean-up that removes its workspace, which says so (D31)', async () => {
  const rig = await openRig();
  const world = await rig.world();
  const item = await submitPlan(
    world,
    `
goal: change files
criteria: [a says so]
actions:
  - { id: write, run: "echo mine > a.txt; echo mine > new.txt; ${note(rig, 'written')}; sleep 987654", for: [c1] }
`,
    rig.repo,
  );
  const engine = startEngine({ root: rig.root, options: {}, untilIdle: false });
  await until('it is written', async () => (await rig.noted()).includes('written'));
  await engine.kill();
  const stop = { type: 'StopItem', reason: 'enough' } as const;
  await world.store.execute({ itemId: item.id, principal: { kind: 'user', name: 'test' }, body: stop });
  expect((await carryOn(rig, item.id)).lifecycle).toBe('cancelled');
  const DAY_MS = 86_400_000;
  const inADay = { ...world, now: () => Date.now() + DAY_MS };
  const entries = await collectGarbage(inADay, { apply: true, olderThanMs: DAY_MS / 2 });
  const told = entries.map(({ what, action, why, keptRef }) => [what, action, keptRef ?? why]);
  expect(told).toEqual([
    ['workspace', 'remove', 'refs/workcenter/kept/gc-write-g1'],
    ['run', 'remove', 'its item has ended'],
    ['repository', 'keep', 'holds work that was kept just now'],
  ]);
  const again = await collectGarbage(inADay, { apply: true, olderThanMs: DAY_MS / 2 });
  expect(again.map(({ what, action, why }) => [what, action, why])).toEqual([
    ['repository', 'keep', expect.stringContaining('refs/workcenter/kept/gc-write-g1')],
  ]);
  const repo = await openEngineRepository({ gitDir: world.home.repository(item.id), itemId: item.id });
  if (!repo) throw new Error('The repository that holds the kept work is gone.');
  const path = join(rig.root, 'restored');
  await restoreSnapshot({ repo, path, name: 'gc-write-g1', head: repo.base });
  expect(await readFile(join(path, 'a.txt'), 'utf8')).toBe('mine\n');
  expect(await readFile(join(path, 'new.txt'), 'utf8')).toBe('mine\n');
  const late = { ...world, now: () => Date.now() + 3 * DAY_MS };
  const gone = await collectGarbage(late, { apply: true, olderThanMs: DAY_MS / 2 });
  expect(gone.map(({ what, action }) => [what, action])).toEqual([['repository', 'remove']]);
  expect(await rig.close()).toBe(0);
});
