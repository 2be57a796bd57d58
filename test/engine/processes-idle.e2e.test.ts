import { expect, test } from 'vitest';
import { startEngine } from '../support/engine-child.ts';
import { openRig } from '../support/rig.ts';
import { completions, smallPlan, wrongWith } from '../support/scenario.ts';
import { submitPlan } from '../support/submit-plan.ts';

test('an engine that is to run until nothing can move ends by itself, also without any work (REC-8)', async () => {
  const rig = await openRig();
  const idle = startEngine({ root: rig.root, options: {}, untilIdle: true });
  expect([await idle.ended, idle.lines().at(-1)]).toEqual([0, 'idle']);
  const world = await rig.world();
  const item = await submitPlan(world, smallPlan(rig), rig.repo);
  const engine = startEngine({ root: rig.root, options: {}, untilIdle: true });
  expect([await engine.ended, engine.lines().at(-1)]).toEqual([0, 'idle']);
  expect((await world.store.load(item.id))?.lifecycle).toBe('done');
  expect(await completions(rig)).toEqual({ 'fix-a': 1, 'fix-b': 1 });
  expect(await wrongWith(rig)).toEqual([]);
  expect(await rig.close()).toBe(0);
});
