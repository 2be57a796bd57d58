import type { Death } from '../../core/index.ts';
import { currentMachine } from '../../workspace/process/process-identity.ts';
import { killTagged } from '../../workspace/process/tagged-processes.ts';
import { type Standing, standingOf } from '../worker.ts';
import { issue, type World, wasRefused } from '../world.ts';

const DEATH: Partial<Record<Standing, Death>> = {
  died: 'engine_died',
  stopped: 'engine_stopped',
  rebooted: 'machine_rebooted',
};

type LiveRunRow = Awaited<ReturnType<World['store']['liveRuns']>>[number];
type WorkerRow = Awaited<ReturnType<World['store']['workers']>>[number];
type Judged = readonly (readonly [WorkerRow, Standing])[];

async function judge(world: World): Promise<Judged> {
  const workers = await world.store.workers();
  return Promise.all(workers.map(async (worker) => [worker, await standingOf(worker, world.worker)] as const));
}

/**
 * Why a Run may be expired now; undefined while its owner may still be alive. One of our own that nobody carries was
 * lost to a failing store: its lease is not renewed any more.
 */
function deathOf(
  world: World,
  run: LiveRunRow,
  standings: ReadonlyMap<string, Standing>,
  carried: ReadonlySet<string>,
  nowMs: number,
): Death | undefined {
  if (carried.has(run.runId)) return undefined;
  const proven = run.owner === world.worker.owner ? undefined : DEATH[standings.get(run.owner) ?? 'unknown'];
  if (proven) return proven;
  return run.expiresAt <= nowMs ? 'lease_expired' : undefined;
}

/**
 * Ends what its owner can no longer end: ordinary commands, idempotent per row, nothing special at start
 * (architecture, "Sweeper"). Dead owners' processes go first, so that an Action never has two alive. `carried`:
 * Runs that this process is carrying; `nowMs`: an instant of the store's clock that is known to be no jump. Answers
 * how many Runs were ended.
 */
export async function sweepRuns(
  world: World,
  carried: ReadonlySet<string> = new Set(),
  nowMs: number = world.now(),
): Promise<number> {
  const { store } = world;
  const judged = await judge(world);
  const standings = new Map(judged.map(([worker, standing]) => [worker.owner, standing]));
  const dead = (await store.liveRuns()).flatMap((run) => {
    const death = deathOf(world, run, standings, carried, nowMs);
    return death ? [{ ...run, death }] : [];
  });
  if (dead.length > 0) await killTagged({ runIds: new Set(dead.map(({ runId }) => runId)) });
  // Asked for at once, so that a store can commit many of them together.
  const ended = await Promise.all(dead.map((run) => expire(world, run)));
  await bury(world, judged);
  return ended.filter(Boolean).length;
}

async function expire(world: World, { itemId, runId, epoch, death }: LiveRunRow & { death: Death }): Promise<boolean> {
  const result = await issue(world, itemId, { type: 'ExpireRun', runId, epoch, death });
  world.log('run expired', { item: itemId, run: runId, death });
  return !wasRefused(result);
}

/** Nobody waits for the branch and target leases of a worker that is provably gone. */
async function bury(world: World, judged: Judged): Promise<void> {
  for (const [worker, standing] of judged) {
    if (standing === 'died' || standing === 'rebooted') await world.store.stopWorker(worker.owner);
  }
}

/** Processes of this machine whose Run is no longer live are killed, and their rows forgotten. */
export async function sweepProcesses(world: World): Promise<number> {
  const machine = await currentMachine();
  const rows = await world.store.processes({ machine });
  if (rows.length === 0) return 0;
  const live = new Set((await world.store.liveRuns()).map((run) => run.runId));
  const orphans = new Set(rows.map((row) => row.runId).filter((runId) => !live.has(runId)));
  if (orphans.size === 0) return 0;
  await killTagged({ runIds: orphans });
  for (const runId of orphans) await world.store.forgetProcess(runId);
  return orphans.size;
}
