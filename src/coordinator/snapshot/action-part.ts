import {
  type ActionState,
  attemptCap,
  type ItemState,
  isConflicted,
  isUnfinished,
  isVerify,
  isWriter,
} from '../../core/index.ts';
import type { SnapshotInput } from './input.ts';
import { SNAPSHOT_LIMITS as LIMITS } from './limits.ts';
import type { ActionPart, ReportedPart, VerificationPart } from './picture.ts';
import { failure, foreign, optional, own } from './words.ts';

/** Unfinished ones first, then the newest. Superseded and cancelled ones are no longer part of the work. */
export function actionParts(input: SnapshotInput): readonly ActionPart[] {
  const shown = input.state.actions.filter(
    (action) => !isVerify(action) && action.status !== 'superseded' && action.status !== 'cancelled',
  );
  const isOpen = ({ status }: ActionState) => isUnfinished(status);
  const ordered = [...shown.filter(isOpen), ...shown.filter((action) => !isOpen(action)).toReversed()];
  return ordered.map((action) => actionPart(action, input));
}

function actionPart(action: ActionState, { state, redaction }: SnapshotInput): ActionPart {
  const { id, spec, status, generation, failureCode, closeReason } = action;
  const { approach, expectedOutcome } = spec.brief;
  const brief = (text: string | undefined) => text && own(text, LIMITS.briefBytes);
  const said = reportedPart(action, { redaction });
  const asked = requestAbout(state, id);
  return {
    id,
    type: spec.type,
    name: own(spec.name, LIMITS.lineBytes),
    status,
    generation,
    attemptsLeft: Math.max(0, attemptCap(state, action) - action.attempts),
    for: spec.for,
    vp: whoCarries(action),
    workspaceMode: spec.workspace,
    objective: own(spec.brief.objective, LIMITS.briefBytes),
    ...optional('approach', brief(approach)),
    ...optional('expectedOutcome', brief(expectedOutcome)),
    ...(spec.commission?.sources.length ? { sources: spec.commission.sources } : {}),
    ...optional('rationale', brief(spec.commission?.rationale)),
    ...(status === 'failed' ? optional('failureCode', failureCode) : {}),
    ...conflictOf(state, action),
    ...optional('openRequest', asked),
    ...optional('closeReason', closeReason && own(closeReason, LIMITS.summaryBytes)),
    ...(Object.keys(said).length > 0 ? { reported: said } : {}),
  };
}

function whoCarries({ spec: { executor } }: ActionState): string {
  if (executor.kind === 'agent') return executor.vp;
  return executor.kind === 'command' ? executor.identity : 'engine';
}

const conflictOf = (state: ItemState, action: ActionState): Pick<ActionPart, 'conflict'> =>
  isConflicted(state, action) && action.merge.kind === 'conflict'
    ? { conflict: action.merge.paths.slice(0, LIMITS.paths).map((path) => own(path, LIMITS.lineBytes)) }
    : {};

const requestAbout = (state: ItemState, actionId: string): string | undefined =>
  state.requests.find(({ subject }) => 'actionId' in subject && subject.actionId === actionId)?.id;

/** The result of this generation; without one, how the last Run ended. */
function reportedPart(action: ActionState, { redaction }: Pick<SnapshotInput, 'redaction'>): ReportedPart {
  const text = (words: string) => foreign(words, LIMITS.summaryBytes, redaction);
  const line = (words: string) => foreign(words, LIMITS.lineBytes, redaction);
  const outcome = action.status === 'completed' ? action.result?.outcome : undefined;
  if (!outcome) {
    const { summary, error } = action.lastRun ?? {};
    return {
      ...optional('summary', summary && text(summary)),
      ...optional('error', error && failure(error, LIMITS.errorBytes, redaction)),
    };
  }
  const claims = outcome.claims.map((claim) => line(`${claim.criterionId} ${claim.status}: ${claim.evidence}`));
  const files = isWriter(action.spec) ? (action.result?.changedPaths ?? []).map((path) => `file ${path}`) : [];
  const outputs = [...files, ...outcome.outputs.map(({ kind, ref }) => `${kind} ${ref}`)].map(line);
  return {
    ...optional('summary', text(outcome.summary)),
    ...optional('review', outcome.review),
    ...(claims.length > 0 ? { claims: bounded(claims) } : {}),
    ...(outputs.length > 0 ? { outputs: bounded([...new Set(outputs)]) } : {}),
  };
}

function bounded(list: readonly string[]): readonly string[] {
  const over = list.length - LIMITS.resultEntries;
  return over > 0 ? [...list.slice(0, LIMITS.resultEntries), `and ${over} more`] : list;
}

export function verificationPart({ state, redaction }: SnapshotInput): VerificationPart | undefined {
  const newest = state.actions.filter((action) => isVerify(action) && action.status !== 'superseded').at(-1);
  if (!newest) return undefined;
  const { id, status, failureCode, lastRun } = newest;
  const error = status === 'failed' ? lastRun?.error : undefined;
  return {
    id,
    status,
    ...(status === 'failed' ? optional('failureCode', failureCode) : {}),
    ...optional('error', error && failure(error, LIMITS.errorBytes, redaction)),
  };
}
