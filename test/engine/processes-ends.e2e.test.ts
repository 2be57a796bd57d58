import { expect, test } from 'vitest';
import type { CommandBody, ItemState } from '../../src/core/index.ts';
import { openEngine, type World } from '../../src/engine/index.ts';
import { startEngine } from '../support/engine-child.ts';
import { aliveOf, complaints, openRig, until } from '../support/rig.ts';
import { carryOn, note } from '../support/scenario.ts';
import { submitPlan } from '../support/submit-plan.ts';

/** A person's command; throws what it is refused with. */
async function tell(world: World, itemId: string, body: CommandBody): Promise<ItemState> {
  const answer = await world.store.execute({ itemId, principal: { kind: 'user', name: 'test' }, body });
  if ('code' in answer) throw new Error(`${answer.code}: ${answer.message}`);
  return answer.state;
}

const onePlan = (run: string, more = ''): string => `
goal: change a file
criteria: [a says hello]
${more}
actions:
  - { id: fix-a, run: ${JSON.stringify(run)}, for: [c1], maxAttempts: 2, silenceSec: 1 }
`;

test('a command that waits in silence for a password is ended by the watchdog, which says so (D22)', async () => {
  const rig = await openRig();
  const world = await rig.world();
  const silent = onePlan('printf "Password: "; sleep 987654').replace('maxAttempts: 2', 'maxAttempts: 1');
  const item = await submitPlan(world, silent, rig.repo);
  const state = await carryOn(rig, item.id);
  const [action] = state.actions;
  expect([action?.status, action?.attempts, action?.lastRun?.code]).toEqual(['failed', 1, 'silent']);
  expect(action?.lastRun?.error).toMatch(/printed nothing for 1000 ms.*waiting for an answer[\s\S]*Password:/);
  expect(state.requests.map(({ subject }) => subject.kind)).toEqual(['action_failed']);
  expect(await aliveOf(world.store)).toBe(0);
  expect(await rig.close()).toBe(0);
});

test('a command that exits 0 without doing its work, then fails otherwise, is dispatched exactly maxAttempts times, whatever restarts (D12)', async () => {
  const rig = await openRig();
  const world = await rig.world();
  const plan = `
goal: change a file
criteria: [{ text: a says hello, check: grep -q hello a.txt }]
actions:
  - id: fix-a
    run: |
      ${note(rig, 'start fix-a')}
      test "$WORKCENTER_ATTEMPT" = 1 && exit 0
      exit 3
    for: [c1]
    maxAttempts: 2
`;
  const item = await submitPlan(world, plan, rig.repo);
  for (let life = 1; life <= 4; life += 1) {
    const engine = openEngine(await rig.world());
    await engine.start();
    await until('one attempt more has ended, or nothing is to be done', async () => {
      const state = await world.store.load(item.id);
      return (state?.actions[0]?.attempts ?? 0) >= Math.min(life, 2) && state?.runs.length === 0;
    });
    await engine.stop();
  }
  const runs = await world.store.runs(item.id);
  expect(runs.filter(({ dispatchedAt }) => dispatchedAt !== null).map(({ code }) => code)).toEqual([
    'exit_3',
    'claim_refused',
  ]);
  expect(await rig.noted()).toEqual(['start fix-a', 'start fix-a']);
  const state = await world.store.load(item.id);
  expect([state?.actions[0]?.status, state?.actions[0]?.failureCode]).toEqual(['failed', 'attempts_exhausted']);
  expect(state?.requests.length).toBe(1);
  expect(await rig.close()).toBe(0);
});

test('a nearly full disk holds the item with a clear message before anything starts, and resume carries it on', async () => {
  const rig = await openRig();
  const world = await rig.world();
  const item = await submitPlan(world, onePlan('echo hello > a.txt'), rig.repo);
  const full = openEngine(await rig.world({ minFreeBytes: Number.MAX_SAFE_INTEGER }));
  await full.start();
  const held = await full.untilSettled(item.id);
  await full.untilIdle();
  await full.stop();
  expect([held.hold?.code, held.runs.length, held.actions[0]?.runs]).toEqual(['disk_low', 0, 0]);
  expect(held.hold?.details).toMatch(/MiB are free.*resume/);
  await tell(world, item.id, { type: 'ResumeItem', controlVersion: held.controlVersion });
  expect((await carryOn(rig, item.id)).lifecycle).toBe('done');
  expect(await rig.close()).toBe(0);
});

test('the wall-clock budget holds the item, no restart gives any of it back, and extend with resume carries it on (D26, D28)', async () => {
  const rig = await openRig();
  const world = await rig.world();
  const plan = `
goal: change a file
criteria: [a says hello]
budget: { wallClock: 1 }
actions:
  - id: fix-a
    run: if [ "$WORKCENTER_ATTEMPT" -ge 2 ]; then echo hello > a.txt; else sleep 987654; fi
    for: [c1]
`;
  const item = await submitPlan(world, plan, rig.repo);
  const held = await carryOn(rig, item.id);
  expect([held.hold?.code, held.actions[0]?.lastRun?.code]).toEqual(['wall_clock_exhausted', 'timed_out']);
  const again = await carryOn(rig, item.id);
  expect([again.version, again.usage.wallMs]).toEqual([held.version, held.usage.wallMs]);
  await expect(tell(world, item.id, { type: 'ResumeItem', controlVersion: held.controlVersion })).rejects.toThrow(
    'budget_exhausted',
  );
  const extended = await tell(world, item.id, {
    type: 'ExtendBudget',
    controlVersion: held.controlVersion,
    wallClockSec: 600,
  });
  expect((await carryOn(rig, item.id)).version).toBe(extended.version);
  await tell(world, item.id, { type: 'ResumeItem', controlVersion: extended.controlVersion });
  expect((await carryOn(rig, item.id)).lifecycle).toBe('done');
  expect(await complaints(world.store)).toEqual([]);
  expect(await rig.close()).toBe(0);
});

test('a clean shutdown raises no suspicion, consumes no attempt and keeps what was written (D12, D31, V2)', async () => {
  const rig = await openRig();
  const world = await rig.world();
  const half = `echo half > a.txt; ${note(rig, 'half')}; trap 'exit 0' TERM; sleep 987654 & wait`;
  const run = `if [ -e ${rig.ledger}/lines ]; then echo hello > a.txt; else ${half}; fi`;
  const item = await submitPlan(world, onePlan(run).replace('silenceSec: 1', 'silenceSec: 0'), rig.repo);
  const engine = startEngine({ root: rig.root, options: {}, untilIdle: false });
  await until('half of it is written', async () => (await rig.noted()).includes('half'));
  engine.signal('SIGTERM');
  expect(await engine.ended).toBe(0);
  const state = await world.store.load(item.id);
  const [action] = state?.actions ?? [];
  expect([action?.status, action?.attempts, action?.suspicions, action?.lastRun?.status]).toEqual([
    'ready',
    0,
    0,
    'interrupted',
  ]);
  expect(await world.store.liveRuns()).toEqual([]);
  // Ended by us with exit code 0: that is no completion.
  const done = await carryOn(rig, item.id);
  expect([done.lifecycle, done.actions[0]?.runs, done.actions[0]?.suspicions]).toEqual(['done', 2, 0]);
  expect(await rig.git('show', `workcenter/${item.id}:a.txt`)).toBe('hello');
  expect(await rig.close()).toBe(0);
});
