import type { Death } from '../core/index.ts';
import { currentMachine } from '../workspace/process/process-identity.ts';
import { killTagged } from '../workspace/process/tagged-processes.ts';
import { type Standing, standingOf } from './worker.ts';
import { issue, type World } from './world.ts';

const DEATH: Partial<Record<Standing, Death>> = {
  died: 'engine_died',
  stopped: 'engine_stopped',
  rebooted: 'machine_rebooted',
};

type LiveRunRow = Awaited<ReturnType<World['store']['liveRuns']>>[number];

/** Why a Run may be expired now; undefined while its owner may still be alive. */
async function deathOf(
  world: World,
  run: LiveRunRow,
  standings: ReadonlyMap<string, Standing>,
): Promise<Death | undefined> {
  if (run.owner === world.worker.owner) return undefined;
  const proven = DEATH[standings.get(run.owner) ?? 'unknown'];
  if (proven) return proven;
  return run.expiresAt <= world.now() ? 'lease_expired' : undefined;
}

async function standings(world: World): Promise<ReadonlyMap<string, Standing>> {
  const workers = await world.store.workers();
  const known = await Promise.all(
    workers.map(async (worker) => [worker.owner, await standingOf(worker, world.worker)] as const),
  );
  return new Map(known);
}

/**
 * Ends what its owner can no longer end: ordinary commands, idempotent per row, nothing special at start
 * (architecture, "Sweeper"). A dead owner's processes go first, so that an Action never has two alive.
 */
export async function sweepRuns(world: World): Promise<number> {
  const live = await world.store.liveRuns();
  if (live.length === 0) return 0;
  const known = await standings(world);
  let ended = 0;
  for (const run of live) {
    const death = await deathOf(world, run, known);
    if (!death) continue;
    await killTagged({ runId: run.runId });
    const result = await issue(world, run.itemId, { type: 'ExpireRun', runId: run.runId, epoch: run.epoch, death });
    if (!('code' in result)) ended += 1;
    world.log('run expired', { item: run.itemId, run: run.runId, death });
  }
  return ended;
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
