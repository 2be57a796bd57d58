import { mkdir, rm } from 'node:fs/promises';
import type { ItemState, LiveRun, RunStatus, Settlement, Usage } from '../../core/index.ts';
import { runFiles } from '../../executors/command/run-files.ts';
import { removeWorkspace } from '../../workspace/isolated/remove.ts';
import { issueSurely } from '../persist.ts';
import { issue, type World, wasRefused } from '../world.ts';
import { type Carried, fenceOf } from './carried.ts';
import { workspaceName } from './workplace.ts';

/** A refused settlement means that the Run was taken away; the work is kept, the lateness recorded (D8). */
export async function settleRun(world: World, carried: Carried, settlement: Settlement, usage: Usage): Promise<void> {
  const { state, run, signal } = carried;
  const body = { type: 'Settle', fence: fenceOf(run), settlement, usage } as const;
  const result = await issueSurely(world, signal, state.id, body);
  if (wasRefused(result)) {
    world.log('settlement refused', { item: state.id, run: run.id, code: result.code });
    // A person wrote while its claims were checked: another Run hears it and goes on in the same workspace (I7).
    if (result.code === 'messages_pending') {
      const heard = {
        kind: 'interrupted',
        code: 'messages_pending',
        error: 'A person wrote before it was settled.',
      } as const;
      return settleRun(world, carried, heard, usage);
    }
    if (settlement.kind !== 'outcome') return;
    await recordLate(world, carried, settlement, usage).catch((error) =>
      world.log('late result not recorded', { run: run.id, error: String(error) }),
    );
    return;
  }
  // What it says is settled, redacted; the raw file is the one thing left that may hold a secret (D38).
  // A command may have put a directory there.
  if (settlement.kind === 'outcome')
    await rm(runFiles(world.home.run(run.id)).outcome, { force: true, recursive: true });
  await reclaim(world, result.state, run);
}

const SUMMARY_CHARS = 2_000;
/** How Runs end that their own executors ended. */
const OWN_WORDS: ReadonlySet<RunStatus> = new Set(['completed', 'waiting', 'retryable', 'failed']);

/**
 * An executor that ended after its Run was taken from it changes nothing, but what it said is on record and what it
 * used is charged (D8). Its time was charged when it was taken away. Once per Run, however often it is said.
 */
async function recordLate(
  world: World,
  { state, run }: Carried,
  { outcome, commit }: Extract<Settlement, { kind: 'outcome' }>,
  usage: Usage,
): Promise<void> {
  const now = await world.store.load(state.id);
  const last = now?.actions.find((action) => action.id === run.actionId)?.lastRun;
  // Said twice because the first answer was lost: then it was accepted, and is not late.
  if (last?.id === run.id && OWN_WORDS.has(last.status)) return;
  const words = outcome.kind === 'waiting' ? outcome.question : (outcome.summary ?? '');
  const summary = `${outcome.kind}: ${words.slice(0, SUMMARY_CHARS)}${commit === undefined ? '' : ` (kept as ${commit})`}`;
  const late = {
    type: 'RecordLate',
    actionId: run.actionId,
    runId: run.id,
    summary,
    usage: { ...usage, wallMs: 0 },
  } as const;
  await issue(world, state.id, late, `late:${run.id}`);
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
