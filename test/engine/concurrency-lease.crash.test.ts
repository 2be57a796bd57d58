import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ItemState } from '../../src/core/index.ts';
import { openEngine } from '../../src/engine/index.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { startEngine } from '../support/engine-child.ts';
import { aliveOf, complaints, openRig, type Rig, until } from '../support/rig.ts';
import { completions, note, smallPlan, wrongWith } from '../support/scenario.ts';
import { submitPlan } from '../support/submit-plan.ts';

const LEASE_MS = 600;

/** The first to come writes its name and stays; the next one does the work. */
const firstStays = (rig: Rig): string => `
goal: change a file
criteria: [a says hello]
actions:
  - id: fix-a
    run: |
      if [ -e ${rig.ledger}/lines ]; then echo hello > a.txt; ${note(rig, 'end second')}; exit 0; fi
      ${note(rig, 'start first')}; sleep 987654
    for: [c1]
`;

/** A store whose calls wait while its engine is paused, as those of a frozen process do. */
function pausable(store: Store): { readonly store: Store; pause(): void; resume(): void } {
  let gate: Promise<void> = Promise.resolve();
  let open = (): void => undefined;
  const waiting =
    <A extends readonly unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      await gate;
      return call(...args);
    };
  return {
    store: {
      ...store,
      execute: waiting(store.execute),
      renewLease: waiting(store.renewLease),
      heartbeat: waiting(store.heartbeat),
      liveRuns: waiting(store.liveRuns),
      recordProcess: waiting(store.recordProcess),
      forgetProcess: waiting(store.forgetProcess),
    },
    pause: () => {
      gate = new Promise((resolve) => {
        open = resolve;
      });
    },
    resume: () => open(),
  };
}

test('a worker that pauses past its lease while another takes over is told that it lost it; its late word is recorded and charged, and nothing else changes (D8)', async () => {
  const rig = await openRig();
  let control: ReturnType<typeof pausable> | undefined;
  const first = await rig.world({
    leaseMs: LEASE_MS,
    wrap: (store) => {
      control = pausable(store);
      return control.store;
    },
  });
  const second = await rig.world({ leaseMs: LEASE_MS });
  const item = await submitPlan(second, firstStays(rig), rig.repo);
  const paused = openEngine(first);
  await paused.start();
  await until('the first one works', async () => (await rig.noted()).includes('start first'));
  control?.pause();
  const takesOver = openEngine(second);
  await takesOver.start();
  const done = await takesOver.untilSettled(item.id);
  expect(done.lifecycle).toBe('done');
  rig.logs.length = 0;
  control?.resume();
  await until('the first one was refused', () => rig.logs.some((line) => line.startsWith('settlement refused')));
  await paused.stop();
  await takesOver.stop();
  const after = await second.store.events(item.id, { after: done.version });
  expect(after.map(({ body }) => body.type)).toEqual(['LateResultRecorded']);
  const { version, updatedAt, usage } = done;
  const late = await second.store.load(item.id);
  expect({ ...late, version, updatedAt, usage }).toEqual(done);
  expect(late?.usage.wallMs).toBe(usage.wallMs);
  const runs = await second.store.runs(item.id);
  expect(runs.map(({ status, code, attemptCharged }) => [status, code, attemptCharged])).toEqual([
    ['completed', null, true],
    ['interrupted', 'lease_expired', false],
  ]);
  expect(await rig.noted()).toEqual(['start first', 'end second']);
  expect(await aliveOf(second.store)).toBe(0);
  expect(await complaints(second.store)).toEqual([]);
  expect(await rig.close()).toBe(0);
});

test('an engine that is frozen for two leases, with nobody there to take over, finishes the same Run (D8)', async () => {
  const rig = await openRig();
  const world = await rig.world();
  const plan = `
goal: change a file
criteria: [a says hello]
actions:
  - { id: fix-a, run: "${note(rig, 'start fix-a')}; while [ ! -e ${rig.ledger}/go ]; do sleep 0.05; done; echo hello > a.txt; ${note(rig, 'end fix-a')}", for: [c1] }
`;
  const item = await submitPlan(world, plan, rig.repo);
  const engine = startEngine({ root: rig.root, options: { leaseMs: LEASE_MS }, untilIdle: true });
  await until('it works', async () => (await rig.noted()).includes('start fix-a'));
  engine.signal('SIGSTOP');
  const [lease] = await world.store.liveRuns();
  await until(
    'its lease has been over for two lease lengths',
    () => Date.now() > (lease?.expiresAt ?? 0) + 2 * LEASE_MS,
  );
  expect((await world.store.expiredRuns({ limit: 9 })).map(({ runId }) => runId)).toEqual([lease?.runId]);
  await writeGo(rig);
  engine.signal('SIGCONT');
  expect(await engine.ended).toBe(0);
  const runs = await world.store.runs(item.id);
  expect(runs.map(({ runId, status }) => [runId, status])).toEqual([[lease?.runId, 'completed']]);
  expect((await world.store.load(item.id))?.lifecycle).toBe('done');
  expect(await completions(rig)).toEqual({ 'fix-a': 1 });
  expect(await rig.close()).toBe(0);
});

test('an engine that is frozen while another finishes its work finds, once thawed, that nothing is left to do (D8)', async () => {
  const rig = await openRig();
  const world = await rig.world();
  const item = await submitPlan(world, firstStays(rig), rig.repo);
  const order = { root: rig.root, options: { leaseMs: LEASE_MS }, untilIdle: true };
  const frozen = startEngine(order);
  await until('the first one works', async () => (await rig.noted()).includes('start first'));
  frozen.signal('SIGSTOP');
  const other = startEngine(order);
  expect(await other.ended).toBe(0);
  const done = await world.store.load(item.id);
  expect(done?.lifecycle).toBe('done');
  frozen.signal('SIGCONT');
  expect(await frozen.ended).toBe(0);
  expect((await world.store.load(item.id))?.version).toBe(done?.version);
  const runs = await world.store.runs(item.id);
  expect(runs.map(({ status, code, attemptCharged }) => [status, code, attemptCharged])).toEqual([
    ['completed', null, true],
    ['interrupted', 'lease_expired', false],
  ]);
  expect(await rig.noted()).toEqual(['start first', 'end second']);
  expect(await aliveOf(world.store)).toBe(0);
  expect(await rig.close()).toBe(0);
});

const writeGo = (rig: Rig): Promise<void> => writeFile(join(rig.ledger, 'go'), '');

/** Says so when it finds another process of its Action alive; goes on once `atOnce` Actions are at work together. */
const exclusive = (rig: Rig, name: string, atOnce: number): string => `
      mkdir ${rig.ledger}/${name} || ${note(rig, `twice ${name}`)}
      touch ${rig.ledger}/begun-${name}
      while [ $(ls ${rig.ledger} | grep -c '^begun-') -lt ${atOnce} ]; do sleep 0.02; done
      echo hello > ${name}.txt
      ${note(rig, `end ${name}`)}
      rmdir ${rig.ledger}/${name}`;

const manyPlan = (rig: Rig, names: readonly string[], atOnce: number): string => `
goal: change files
criteria: [all say hello]
actions:
${names.map((name) => `  - id: ${name}\n    for: [c1]\n    run: |${exclusive(rig, name, atOnce)}`).join('\n')}
`;

const once = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 1]));

test('two engines that share the Actions of one item never have two processes for one of them (CLM-4)', async () => {
  const rig = await openRig();
  const world = await rig.world();
  const names = ['p', 'q', 'r', 's'];
  const item = await submitPlan(world, manyPlan(rig, names, 3), rig.repo);
  // The first has room for two, and they wait for a third, which only the second has room for.
  const first = startEngine({ root: rig.root, options: { leaseMs: 5_000, concurrency: 2 }, untilIdle: true });
  await first.says('event RunDispatched', 2);
  const second = startEngine({ root: rig.root, options: { leaseMs: 5_000, concurrency: 4 }, untilIdle: true });
  expect(await Promise.all([first.ended, second.ended])).toEqual([0, 0]);
  expect((await world.store.load(item.id))?.lifecycle).toBe('done');
  expect((await rig.noted()).filter((line) => line.startsWith('twice'))).toEqual([]);
  expect(await completions(rig)).toEqual(once(names));
  expect([first, second].map((engine) => engine.text().includes('event RunClaimed'))).toEqual([true, true]);
  expect(`${first.text()}${second.text()}`).not.toMatch(/database is locked|SQLITE_BUSY|store_busy|failed/);
  expect(await wrongWith(rig)).toEqual([]);
  expect(await rig.close()).toBe(0);
});

test('two engines that begin the same items at the same moment do not get in each other’s way (CLM-4)', async () => {
  const rig = await openRig();
  const world = await rig.world();
  const options = { leaseMs: 5_000, concurrency: 6, pollMs: 10 };
  const engines = [0, 1].map(() => startEngine({ root: rig.root, options, untilIdle: false }));
  await Promise.all(engines.map((engine) => engine.says('up')));
  const groups = [
    ['a1', 'a2', 'a3'],
    ['b1', 'b2', 'b3'],
  ];
  const items = await Promise.all(groups.map((names) => submitPlan(world, manyPlan(rig, names, 1), rig.repo)));
  const lifecycles = async (): Promise<readonly (string | undefined)[]> =>
    (await Promise.all(items.map(({ id }) => world.store.load(id)))).map((state) => state?.lifecycle);
  await until('both items are done', async () => (await lifecycles()).every((lifecycle) => lifecycle === 'done'));
  for (const engine of engines) engine.signal('SIGTERM');
  expect(await Promise.all(engines.map(({ ended }) => ended))).toEqual([0, 0]);
  expect((await rig.noted()).filter((line) => line.startsWith('twice'))).toEqual([]);
  expect(await completions(rig)).toEqual(once(groups.flat()));
  const runs = (await Promise.all(items.map(({ id }) => world.store.runs(id)))).flat();
  expect(runs.filter(({ status }) => status !== 'completed')).toEqual([]);
  expect(engines.map((engine) => engine.text()).join('\n')).not.toMatch(/database is locked|SQLITE_BUSY|store_busy/);
  expect(await wrongWith(rig)).toEqual([]);
  expect(await rig.close()).toBe(0);
});

const claimAll = async (store: Store, item: ItemState, owner: string, leaseMs: number): Promise<void> => {
  for (const action of item.actions) {
    const claim = { actionId: action.id, generation: 1, runId: randomUUID(), owner, leaseMs } as const;
    const principal = { kind: 'engine', name: 'engine' } as const;
    const claimed = await store.execute({ itemId: item.id, principal, body: { type: 'Claim', ...claim } });
    expect('code' in claimed && claimed.message).toBe(false);
  }
};

test('sixty-nine claims by owners that died, stopped or were never heard of are all released by the first sweep (REC-2)', async () => {
  const rig = await openRig();
  const world = await rig.world();
  const actions = Array.from({ length: 23 }, (_, index) => `  - { id: x${index}, run: "true", for: [c1] }`);
  const plan = `goal: much\ncriteria: [done]\nactions:\n${actions.join('\n')}\n`;
  const items: ItemState[] = [];
  for (let count = 0; count < 3; count += 1) items.push(await submitPlan(world, plan, rig.repo));
  const open = { path: world.home.database, policy: () => ({ concurrency: 500 }) };
  const present = await openSqliteStore(open);
  // Nothing is known of the third; only that its leases, given by a clock that stood far back, have run out.
  const past = await openSqliteStore({ ...open, now: () => 1_000 });
  const [first, second, third] = items;
  if (!first || !second || !third) throw new Error('three items were submitted');
  await present.heartbeat({ ...world.worker, owner: 'died', startTime: '1' });
  await claimAll(present, first, 'died', 3_600_000);
  await present.heartbeat({ ...world.worker, owner: 'stopped' });
  await claimAll(present, second, 'stopped', 3_600_000);
  await present.stopWorker('stopped');
  await claimAll(past, third, 'unheard-of', 1);
  await present.close();
  await past.close();
  expect((await world.store.liveRuns()).length).toBe(69);
  const engine = openEngine(world, { only: new Set() });
  await engine.start();
  expect(await world.store.liveRuns()).toEqual([]);
  await engine.stop();
  expect(await complaints(world.store)).toEqual([]);
  for (const item of items) {
    const state = await world.store.load(item.id);
    expect(state?.actions.every(({ status, attempts }) => status === 'ready' && attempts === 0)).toBe(true);
  }
  expect(await rig.close()).toBe(0);
});

test('a command at the gate never runs when its lease was taken over before the gate opened (D8)', async () => {
  const rig = await openRig();
  const { store } = await rig.world();
  const recording = pausable(store);
  const upkeep = pausable(store);
  let reached = false;
  let recorded = false;
  let askedAgain = false;
  const world = await rig.world({
    leaseMs: LEASE_MS,
    wrap: (own) => ({
      ...own,
      // Frozen between the start of the process and its recording.
      recordProcess: async (row) => {
        recording.pause();
        upkeep.pause();
        reached = true;
        await recording.store.recordProcess(row);
        recorded = true;
      },
      renewLease: (...args) => {
        askedAgain ||= recorded;
        return (reached ? upkeep.store : own).renewLease(...args);
      },
      heartbeat: (worker) => (reached ? upkeep.store : own).heartbeat(worker),
    }),
  });
  const item = await submitPlan(world, firstStays(rig), rig.repo);
  const engine = openEngine(world);
  await engine.start();
  await until('a command stands at the gate, and its lease is over', async () => {
    return reached && (await world.store.expiredRuns({ limit: 1 })).length === 1;
  });
  // Somebody on another machine, who cannot see our processes, takes over.
  const other = await rig.world();
  const [lease] = await other.store.liveRuns();
  const expire = {
    type: 'ExpireRun',
    runId: lease?.runId ?? '',
    epoch: lease?.epoch ?? 0,
    death: 'lease_expired',
  } as const;
  const principal = { kind: 'engine', name: 'engine' } as const;
  const expired = await other.store.execute({ itemId: item.id, principal, body: expire });
  expect('code' in expired && expired.message).toBe(false);
  const [action] = item.actions;
  const claim = {
    type: 'Claim',
    actionId: action?.id ?? '',
    generation: 1,
    runId: 'theirs',
    owner: 'other',
    leaseMs: 60_000,
  } as const;
  const claimed = await other.store.execute({ itemId: item.id, principal, body: claim });
  expect('code' in claimed && claimed.message).toBe(false);
  recording.resume();
  await until('the process was recorded, and the lease asked for once more', () => askedAgain);
  upkeep.resume();
  await until('the first one was refused', () => rig.logs.some((line) => line.startsWith('settlement refused')));
  await engine.stop();
  expect(await rig.noted()).toEqual([]);
  const state = await other.store.load(item.id);
  expect(state?.runs.map(({ id }) => id)).toEqual(['theirs']);
  expect(await aliveOf(other.store)).toBe(0);
  expect(await rig.close()).toBe(0);
});

test('the branch lease of an engine that died is free for the next one at once (D8)', async () => {
  const rig = await openRig();
  const dead = await rig.world({ mortal: true });
  const item = await submitPlan(dead, smallPlan(rig), rig.repo);
  await dead.store.heartbeat(dead.worker);
  expect(await dead.store.acquireLease(`branch:${item.id}`, dead.worker.owner, 3_600_000)).toBe(1);
  const next = await rig.world();
  const engine = openEngine(next, { only: new Set() });
  await engine.start();
  expect(await next.store.acquireLease(`branch:${item.id}`, next.worker.owner, 60_000)).toBe(2);
  await engine.stop();
  // And an orderly stop lets go of everything as well.
  expect(await next.store.acquireLease(`branch:${item.id}`, 'third', 60_000)).toBe(3);
  expect(await rig.close()).toBe(0);
});
