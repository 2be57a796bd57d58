import type { ActionState, AgentManifest, Outcome, Settlement, Usage } from '../../core/index.ts';
import { isWriter, leaseResource, NO_USAGE, OUTCOME_LIMITS } from '../../core/index.ts';
import type { AgentRun } from '../../executors/agent/agent-executor.ts';
import { LOST_CALL } from '../../executors/agent/loop/agent-loop.ts';
import type { ExecutorEnd } from '../../executors/executor.ts';
import { type PreparedAgent, prepareAgent } from '../agent/prepare-agent.ts';
import { liveOutput } from '../live/live-sources.ts';
import { isDiskFull, isPassing, issueSurely } from '../persist.ts';
import { inSpan } from '../telemetry.ts';
import { issue, type World, wasRefused } from '../world.ts';
import { captureResult, noted } from './capture-result.ts';
import { type Carried, fenceOf, type Live } from './carried.ts';
import { checkClaims } from './claim-check.ts';
import { provideDependencies } from './dependencies.ts';
import { changedInPlace } from './in-place.ts';
import { settleRun } from './settle-run.ts';
import { ioOf, startExecutor } from './start-executor.ts';
import { keepWork, prepareWorkplace, type Workplace } from './workplace.ts';

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
    await settleRun(world, live, settled.settlement, settled.usage);
  } finally {
    liveOutput(world, state.id, run).end();
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

const DETAIL_CHARS = 1_000;

/**
 * What an executor achieved is not judged by a full disk: no attempt is consumed, and the item is held, so that it
 * does not go round until a person has made room; a command that ended well is then taken over (D12).
 */
async function diskFilled(world: World, { state }: Live, error: unknown): Promise<Settled> {
  const cause = String(error).slice(0, DETAIL_CHARS);
  const details = `The disk was full while a result was kept. Free some, then resume. ${cause}`;
  await issue(world, state.id, { type: 'HoldItem', code: 'disk_low', details });
  return interrupted('disk_full', cause);
}

/** A workspace that cannot be made fails the Action with its cause; it never runs somewhere else (quality.md). */
async function workOn(world: World, carried: Live, action: ActionState): Promise<Settled> {
  const { state, run, signal } = carried;
  let workplace: Workplace;
  try {
    workplace = await prepareWorkplace(world, state, action, run);
    if (action.spec.executor.kind !== 'verify')
      await provideDependencies(world, state, workplace, checkRun(world, carried));
  } catch (error) {
    if (signal.aborted) return interrupted('aborted', reasonOf(signal));
    if (isPassing(error)) return storeFailed(error);
    if (isDiskFull(error)) return diskFilled(world, carried, error);
    return carried.fault.store ? storeFailed(carried.fault.store) : failedBefore('workspace_failed', error);
  }
  if (signal.aborted) return interrupted('aborted', reasonOf(signal));
  if (action.spec.executor.kind !== 'agent') return dispatch(world, carried, action, workplace);
  return withAgent(world, carried, action, workplace);
}

/** An agent is made up before it is dispatched, so that what ran is on record; what it lacks fails the Action. */
async function withAgent(world: World, carried: Live, action: ActionState, workplace: Workplace): Promise<Settled> {
  let prepared: PreparedAgent;
  try {
    prepared = await prepareAgent(world, carried, action, workplace);
  } catch (error) {
    if (carried.signal.aborted) return interrupted('aborted', reasonOf(carried.signal));
    if (isPassing(error)) return storeFailed(error);
    return failedBefore('agent_not_prepared', error);
  }
  if (prepared.kind === 'refused') return failedBefore(prepared.code, prepared.error);
  const { run, manifest } = prepared;
  try {
    return await dispatch(world, carried, action, workplace, { run, manifest });
  } finally {
    await run.close();
  }
}

interface Agent {
  readonly run: AgentRun;
  readonly manifest: AgentManifest;
}

/** The last word before anything runs: from here on an ended outcome consumes an attempt (D12). */
async function dispatch(
  world: World,
  carried: Live,
  action: ActionState,
  workplace: Workplace,
  agent?: Agent,
): Promise<Settled> {
  const { state, run, signal } = carried;
  const { sandbox, filesystem, network, processes, reason } = world.enforcement;
  const enforcement = { sandbox, filesystem, network, processes, ...(reason === undefined ? {} : { reason }) };
  const recorded = agent ? { agent: agent.manifest } : {};
  const body = { type: 'Dispatch', fence: fenceOf(run), base: workplace.base, enforcement, ...recorded } as const;
  const dispatched = await issueSurely(world, signal, state.id, body);
  // Nobody else can have dispatched it: the first commit was unknown, and had succeeded.
  if (wasRefused(dispatched) && dispatched.code !== 'already_dispatched')
    return interrupted(dispatched.code, dispatched.message);
  return execute(world, carried, action, workplace, agent?.run);
}

async function execute(
  world: World,
  carried: Live,
  action: ActionState,
  workplace: Workplace,
  agent?: AgentRun,
): Promise<Settled> {
  const { signal } = carried;
  try {
    const end = await startExecutor(world, carried, action, workplace, agent).ended;
    // What is lost is lost, whoever ended the Run: it is not repeated by itself (D11).
    const isLost = end.interrupted?.code === LOST_CALL;
    if (signal.aborted && !isLost) return interrupted('aborted', reasonOf(signal), end.usage);
    if (carried.fault.store) return storeFailed(carried.fault.store, end.usage);
    if (end.interrupted) return { settlement: { kind: 'interrupted', ...end.interrupted }, usage: end.usage };
    const settled = await conclude(world, carried, action, workplace, end);
    return carried.fault.store ? storeFailed(carried.fault.store, end.usage) : settled;
  } catch (error) {
    if (signal.aborted) return interrupted('aborted', reasonOf(signal));
    if (isPassing(error)) return storeFailed(error);
    if (isDiskFull(error)) return await diskFilled(world, carried, error);
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
      ? { ...checked.refusal, summary: wordsOf(end.outcome) }
      : noted(end.outcome, captured.notes),
    commit: captured.commit,
    changedPaths: captured.paths,
    receipts: checked.receipts,
  };
  return { settlement, usage: end.usage };
}

/** What a completed outcome said, with the end of the output that it rests on. */
const wordsOf = ({ summary, evidence }: Extract<Outcome, { kind: 'completed' }>): string =>
  [summary, ...evidence.map(({ label }) => label)].join('\n').slice(0, OUTCOME_LIMITS.summaryChars);
