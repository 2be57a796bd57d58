import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ActionState, CommandBody, ItemState, LiveRun, Settlement, Usage } from '../../core/index.ts';
import { isWriter, leaseResource, NO_USAGE } from '../../core/index.ts';
import { commandExecutor } from '../../executors/command/command-executor.ts';
import { runFiles } from '../../executors/command/run-files.ts';
import type { Executor, ExecutorEnd, Job, RunIo, RunningJob } from '../../executors/executor.ts';
import { verifyExecutor } from '../../executors/verify/verify-executor.ts';
import { removeWorkspace } from '../../workspace/isolated/remove.ts';
import type { LeaseKeeper } from '../loop/lease-keeper.ts';
import { isPassing, issueSurely, persist } from '../persist.ts';
import { inSpan } from '../telemetry.ts';
import { type World, wasRefused } from '../world.ts';
import { captureResult, noted } from './capture-result.ts';
import { knownBaseOf, rememberBase, sourceOf } from './checks.ts';
import { checkClaims } from './claim-check.ts';
import { confinementOf } from './confinement.ts';
import { provideDependencies } from './dependencies.ts';
import { changedInPlace } from './in-place.ts';
import { keepWork, prepareWorkplace, type Workplace, workspaceName } from './workplace.ts';

/** Who carries out an Action, when it is not the engine's own executor. */
export type ExecutorFor = (action: ActionState) => Executor | undefined;

export interface Carried {
  readonly state: ItemState;
  readonly run: LiveRun;
  readonly signal: AbortSignal;
  readonly leases: LeaseKeeper;
  readonly onLost: () => void;
  readonly executorFor?: ExecutorFor;
}

/** A Run on its way, with what went wrong on our own side: then nothing that its processes said counts. */
interface Live extends Carried {
  readonly fault: { store?: Error };
}

type Sent = Extract<CommandBody, { type: 'Settle' }>;

/**
 * Carries one Run from claim to settlement: lease, workspace, dispatch, executor, capture, claim check. Whatever
 * goes wrong ends in a settlement or in a lost lease; a Run is never left to hang (D11).
 */
export async function carryRun(world: World, carried: Carried): Promise<void> {
  const { state, run, leases, onLost } = carried;
  const resource = leaseResource(state.id, run.actionId);
  leases.keep({ resource, epoch: run.epoch, onLost });
  try {
    const action = state.actions.find((candidate) => candidate.id === run.actionId);
    if (!action) throw new Error(`run ${run.id} belongs to no action`);
    const live: Live = { ...carried, fault: {} };
    const about = { 'workcenter.item': state.id, 'workcenter.action': run.actionId, 'workcenter.run': run.id };
    const settled = await inSpan('workcenter.run', about, () => workOn(world, live, action));
    await settle(world, live, settled.settlement, settled.usage);
  } finally {
    leases.drop(resource);
    // A row that stays is found by the sweeper.
    await world.store
      .forgetProcess(run.id)
      .catch((error) => world.log('process not forgotten', { error: String(error) }));
  }
}

interface Settled {
  readonly settlement: Settlement;
  readonly usage: Usage;
}

const interrupted = (code: string, error: string, usage: Usage = NO_USAGE): Settled => ({
  settlement: { kind: 'interrupted', code, error },
  usage,
});

const failedBefore = (code: string, error: unknown): Settled => ({
  settlement: {
    kind: 'outcome',
    outcome: { kind: 'failed', code, error: error instanceof Error ? error.message : String(error) },
    changedPaths: [],
    receipts: [],
  },
  usage: NO_USAGE,
});

const reasonOf = (signal: AbortSignal): string =>
  signal.reason instanceof Error ? signal.reason.message : String(signal.reason);

/** The store failed us, not the executor: it consumes no attempt, and a command that ended well is taken over (D12). */
const storeFailed = (error: Error, usage?: Usage): Settled => interrupted('store_failed', error.message, usage);

/** A workspace that cannot be made fails the Action with its cause; it never runs somewhere else (quality.md). */
async function workOn(world: World, carried: Live, action: ActionState): Promise<Settled> {
  const { state, run, signal } = carried;
  let workplace: Workplace;
  try {
    workplace = await prepareWorkplace(world, state, action, run);
    if (action.spec.executor.kind === 'command')
      await provideDependencies(world, state, workplace, checkRun(world, carried));
  } catch (error) {
    if (signal.aborted) return interrupted('aborted', reasonOf(signal));
    if (isPassing(error)) return storeFailed(error);
    return carried.fault.store ? storeFailed(carried.fault.store) : failedBefore('workspace_failed', error);
  }
  if (signal.aborted) return interrupted('aborted', reasonOf(signal));
  const { sandbox, filesystem, network, processes, reason } = world.enforcement;
  const enforcement = { sandbox, filesystem, network, processes, ...(reason === undefined ? {} : { reason }) };
  const dispatch = { type: 'Dispatch', fence: fenceOf(run), base: workplace.base, enforcement } as const;
  const dispatched = await issueSurely(world, signal, state.id, dispatch);
  // Nobody else can have dispatched it: the first commit was unknown, and had succeeded.
  if (wasRefused(dispatched) && dispatched.code !== 'already_dispatched')
    return interrupted(dispatched.code, dispatched.message);
  return execute(world, carried, action, workplace);
}

const fenceOf = (run: LiveRun) => ({ runId: run.id, epoch: run.epoch, owner: run.owner });

async function execute(world: World, carried: Live, action: ActionState, workplace: Workplace): Promise<Settled> {
  const { signal } = carried;
  try {
    const end = await start(world, carried, action, workplace).ended;
    if (signal.aborted) return interrupted('aborted', reasonOf(signal), end.usage);
    if (carried.fault.store) return storeFailed(carried.fault.store, end.usage);
    const settled = await conclude(world, carried, action, workplace, end);
    return carried.fault.store ? storeFailed(carried.fault.store, end.usage) : settled;
  } catch (error) {
    if (signal.aborted) return interrupted('aborted', reasonOf(signal));
    if (isPassing(error)) return storeFailed(error);
    world.log('executor failed', { run: carried.run.id, error: String(error) });
    return { ...failedBefore('engine_error', error), usage: NO_USAGE };
  } finally {
    if (signal.aborted && workplace.repo && isWriter(action.spec)) await keepAborted(world, carried, action, workplace);
  }
}

/** A superseded or stopped Run's files are kept for the person and the next attempt (D15, D31). */
async function keepAborted(
  world: World,
  { state, run }: Carried,
  action: ActionState,
  workplace: Workplace,
): Promise<void> {
  if (!workplace.repo) return;
  const name = `${action.id}-g${action.generation}-r${run.ordinal}`;
  await keepWork(world, state, workplace.repo, workplace.path, name).catch((error) =>
    world.log('work could not be kept', { run: run.id, error: String(error) }),
  );
}

function ioOf(world: World, { run, signal, state, fault }: Live): RunIo {
  const { store, worker, settings } = world;
  const stored = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await persist(world, signal, work);
    } catch (error) {
      if (error instanceof Error) fault.store ??= error;
      throw error;
    }
  };
  const record = async (pid: number, startTime: number, machine: string): Promise<void> => {
    const row = { runId: run.id, itemId: state.id, owner: worker.owner, machine, pid, startTime: String(startTime) };
    await store.recordProcess(row);
    // Renewed in the moment before the gate opens: whoever took over while we were frozen runs it, not we (D8).
    const resource = leaseResource(state.id, run.actionId);
    if (!(await store.renewLease(resource, worker.owner, run.epoch, settings.leaseMs)))
      throw new Error('The lease was lost before the command could start.');
  };
  return {
    // The executor writes its redacted output to the Run's directory, where followers read it.
    onOutput: () => undefined,
    onSpawned: ({ pid, startTime, machine }) => stored(() => record(pid, startTime, machine)),
    putContent: (bytes) => stored(() => store.putContent(bytes)),
    signal,
    now: world.now,
    log: (message) => world.log(message, { run: run.id }),
  };
}

function start(world: World, carried: Live, action: ActionState, workplace: Workplace): RunningJob {
  const { state, run } = carried;
  const job: Job = {
    itemId: state.id,
    actionId: action.id,
    runId: run.id,
    epoch: run.epoch,
    // Interruptions are not attempts (D12): the brief never says "attempt 4 of 3".
    attempt: action.attempts + 1,
    spec: action.spec,
    contract: state.contract,
    guidance: action.guidance,
    ...(action.lastRun ? { lastRun: action.lastRun } : {}),
    workspacePath: workplace.path,
    projectPath: workplace.projectPath,
    runDir: world.home.run(run.id),
    timeLimitSec: run.timeLimitSec,
    confinement: confinementOf(world, state, workplace),
    ...(workplace.adopt ? { adopt: workplace.adopt } : {}),
  };
  const io = ioOf(world, carried);
  const given = carried.executorFor?.(action);
  if (given) return given.start(job, io);
  if (action.spec.executor.kind === 'command') return commandExecutor().start(job, io);
  return verifier(world, state, workplace).start(job, io);
}

/** The engine's own executor, bound to the commit this Run was given (D32). */
function verifier(world: World, state: ItemState, workplace: Workplace): Executor {
  return verifyExecutor({
    engine: `workcenter ${world.worker.version}`,
    verificationOf: async () => ({
      source: await sourceOf(world, state, workplace.base),
      cacheRoot: world.home.setups,
      workRoot: join(world.home.root, 'checks'),
      knownBase: knownBaseOf(state.id),
    }),
    onBaseResults: async (_job, results) => rememberBase(state.id, results),
  });
}

const checkRun = (world: World, carried: Live) => ({
  runId: carried.run.id,
  epoch: carried.run.epoch,
  io: ioOf(world, carried),
});

/** What the executor left becomes a commit, and its claims are checked, before anything is believed (D22, D23). */
async function conclude(
  world: World,
  carried: Live,
  action: ActionState,
  workplace: Workplace,
  end: ExecutorEnd,
): Promise<Settled> {
  const plain = (changedPaths: readonly string[] = []): Settled => ({
    settlement: { kind: 'outcome', outcome: end.outcome, changedPaths, receipts: end.receipts },
    usage: end.usage,
  });
  if (end.outcome.kind !== 'completed' || !isWriter(action.spec)) return plain();
  if (!workplace.repo) return plain(await changedInPlace(world, carried.state, action));
  const captured = await captureResult(world, carried.state, action, workplace);
  if (captured.kind === 'refused') {
    return { settlement: { ...plain().settlement, outcome: captured.outcome } as Settlement, usage: end.usage };
  }
  const checked = await checkClaims(world, carried.state, action, checkRun(world, carried), captured.commit);
  if (carried.signal.aborted) return interrupted('aborted', reasonOf(carried.signal), end.usage);
  const settlement: Settlement = {
    kind: 'outcome',
    // The words of a refused claim stay beside the refusal: the next attempt and the person should see both.
    outcome: checked.refusal
      ? { ...checked.refusal, summary: end.outcome.summary }
      : noted(end.outcome, captured.notes),
    commit: captured.commit,
    changedPaths: captured.paths,
    receipts: checked.receipts,
  };
  return { settlement, usage: end.usage };
}

/** A refused settlement means that the Run was taken away; the work is kept, nothing else changes (D8). */
async function settle(world: World, carried: Live, settlement: Settlement, usage: Usage): Promise<void> {
  const { state, run, signal } = carried;
  const body: Sent = { type: 'Settle', fence: fenceOf(run), settlement, usage };
  const result = await issueSurely(world, signal, state.id, body);
  if (wasRefused(result)) {
    world.log('settlement refused', { item: state.id, run: run.id, code: result.code });
    return;
  }
  // What it says is settled, redacted; the raw file is the one thing left that may hold a secret (D38).
  if (settlement.kind === 'outcome') await rm(runFiles(world.home.run(run.id)).outcome, { force: true });
  await reclaim(world, result.state, run);
}

/** A completed result is a commit now; its clone is not needed any more. A `shared` clone serves the next Action. */
async function reclaim(world: World, state: ItemState, run: LiveRun): Promise<void> {
  const action = state.actions.find((candidate) => candidate.id === run.actionId);
  if (action?.status !== 'completed' || state.contract.workspace === 'in-place') return;
  if (action.spec.workspace === 'shared') return;
  const root = world.home.workspaces(state.id);
  await mkdir(root, { recursive: true });
  await removeWorkspace(world.home.workspace(state.id, workspaceName(action)), { root });
}
