import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openEngine } from '../../src/engine/index.ts';
import { repositoryOf } from '../../src/engine/repository.ts';
import { startEngine } from '../support/engine-child.ts';
import { aliveOf, complaints, openRig, until } from '../support/rig.ts';
import { carryOn, note, smallPlan } from '../support/scenario.ts';
import { submitPlan } from '../support/submit-plan.ts';

test('locks that git left when the power failed stop nothing: the item branch moves on and the item is done', async () => {
  const rig = await openRig();
  const world = await rig.world();
  const item = await submitPlan(world, smallPlan(rig), rig.repo);
  const { gitDir, branch } = await repositoryOf(world, item);
  const longAgo = new Date(Date.now() - 600_000);
  for (const name of [
    'HEAD',
    'packed-refs',
    branch,
    'refs/workcenter/actions/fix-a/1',
    'refs/workcenter/actions/fix-b/1',
  ]) {
    const lock = join(gitDir, `${name}.lock`);
    await mkdir(dirname(lock), { recursive: true });
    await writeFile(lock, '');
    await utimes(lock, longAgo, longAgo);
  }
  expect((await carryOn(rig, item.id)).lifecycle).toBe('done');
  expect(rig.logs.filter((line) => line.startsWith('locks of a dead git')).length).toBe(1);
  expect(await complaints(world.store)).toEqual([]);
  expect(await rig.close()).toBe(0);
});

test('a Run that was cancelled in the moment its engine died leaves no process to the next one (D13)', async () => {
  const rig = await openRig();
  const world = await rig.world();
  const run = `trap "" TERM; ${note(rig, 'hanging')}; sleep 987654 & sleep 987654`;
  const plan = `goal: x\ncriteria: [done]\nactions:\n  - { id: hang, run: ${JSON.stringify(run)}, for: [c1] }\n`;
  const item = await submitPlan(world, plan, rig.repo);
  const dying = startEngine({ root: rig.root, options: { sandbox: false }, untilIdle: false });
  await until('it hangs', async () => (await rig.noted()).includes('hanging'));
  dying.signal('SIGSTOP');
  const stop = { type: 'StopItem', reason: 'enough' } as const;
  await world.store.execute({ itemId: item.id, principal: { kind: 'user', name: 'test' }, body: stop });
  await dying.kill();
  expect(await aliveOf(world.store)).toBeGreaterThan(1);
  const next = openEngine(await rig.world());
  await next.start();
  expect(await aliveOf(world.store)).toBe(0);
  expect(await world.store.processes()).toEqual([]);
  await next.stop();
  expect((await world.store.load(item.id))?.lifecycle).toBe('cancelled');
  expect(await rig.close()).toBe(0);
});
