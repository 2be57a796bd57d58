import type { ActionState, ItemState } from '../../core/index.ts';
import { canOfAction } from './can.ts';
import { sharesFilesWith } from './shared-files.ts';
import { shownFailure } from './shown-failure.ts';

/** A result may touch a whole tree; the diff has them all. */
const PATHS = 200;

/** Who carries it out. */
export function executorView({ executor }: ActionState['spec']) {
  switch (executor.kind) {
    case 'command':
      return { kind: executor.kind, who: executor.identity, model: null };
    case 'agent':
      return { kind: executor.kind, who: executor.vp, model: executor.model ?? null };
    case 'verify':
      return { kind: executor.kind, who: 'engine', model: null };
  }
}

/** An Action in one line: what a list shows of it. */
export function actionLine(state: ItemState, action: ActionState) {
  const { id, ordinal, spec, status, generation, runId, attempts, runs, messages, usage, lastRun } = action;
  return {
    ...{ id, ordinal, name: spec.name, type: spec.type, status, generation, attempts, runs },
    executor: executorView(spec),
    runId: runId ?? null,
    lastRunStatus: lastRun?.status ?? null,
    messages: messages.length,
    for: [...spec.for],
    dependsOn: [...spec.dependsOn],
    sharesFilesWith: [...sharesFilesWith(state, action)],
    wallMs: usage.wallMs,
    can: canOfAction(state, action),
  };
}

function resultView({ runId, outcome, commit, changedPaths }: NonNullable<ActionState['result']>) {
  return {
    runId,
    summary: outcome.summary,
    review: outcome.review ?? null,
    evidence: [...outcome.evidence],
    claims: [...outcome.claims],
    outputs: [...outcome.outputs],
    commit: commit ?? null,
    changedPaths: changedPaths.slice(0, PATHS),
    changed: changedPaths.length,
  };
}

function mergeView(merge: ActionState['merge']) {
  switch (merge.kind) {
    case 'none':
      return { kind: merge.kind };
    case 'merged':
      return { kind: merge.kind, head: merge.head };
    case 'conflict':
      return { kind: merge.kind, paths: merge.paths.slice(0, PATHS), ours: merge.ours, theirs: merge.theirs };
  }
}

function lastRunView({ id, status, code, summary, error }: NonNullable<ActionState['lastRun']>, directory: string) {
  return {
    id,
    status,
    code: code ?? null,
    summary,
    error: error === undefined ? null : shownFailure(error, directory),
  };
}

/** An Action in full. Its environment stays inside: it may hold what a person would not show. */
export function actionView(state: ItemState, action: ActionState) {
  const { spec, contractVersion, guidance, readyAt, result, merge, lastRun, failureCode, closeReason, usage } = action;
  const { brief, effects, workspace, timeoutSec, commission } = spec;
  return {
    ...actionLine(state, action),
    ...{ contractVersion, workspace, effects, timeoutSec, readyAt },
    brief: {
      objective: brief.objective,
      approach: brief.approach ?? null,
      expectedOutcome: brief.expectedOutcome ?? null,
    },
    rationale: commission?.rationale ?? null,
    guidance: [...guidance],
    result: result ? resultView(result) : null,
    merge: mergeView(merge),
    lastRun: lastRun ? lastRunView(lastRun, state.contract.directory) : null,
    failureCode: failureCode ?? null,
    closeReason: closeReason ?? null,
    usage: { ...usage },
  };
}
