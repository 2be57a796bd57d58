import { isProven, isSettled, needsLanding, needsPublish } from '../derive/due.ts';
import { type CriterionGoal, goalOf } from '../derive/goal.ts';
import { isConflicted, isVerify } from '../derive/graph.ts';
import { isEmptyDelivery } from '../derive/result.ts';
import type { ActionState, Choice, HumanRequest, ItemState, RequestSubject } from '../model/index.ts';
import { CHOICES, isUnfinished, isWriter } from '../model/index.ts';

/** A request before it is opened. */
export type Question = Omit<HumanRequest, 'id' | 'openedAt'>;

const DETAIL_CHARS = 1_000;

type Detail = string | undefined;

/** A question with the choices of its subject, without those that would lead nowhere now. */
function ask(subject: RequestSubject, question: string, details: readonly Detail[], without?: Choice): Question {
  const kind = subject.kind === 'action_waiting' ? 'question' : 'recovery';
  const choices: readonly Choice[] = CHOICES[subject.kind];
  const facts = details.flatMap((detail) => (detail ? [detail.slice(-DETAIL_CHARS)] : []));
  return { kind, subject, question, details: facts, choices: choices.filter((choice) => choice !== without) };
}

function aboutFailure(action: ActionState): Question {
  const { id: actionId, failureCode = 'failed', lastRun } = action;
  const kind = isVerify(action) ? 'verification_error' : 'action_failed';
  const what = isVerify(action) ? 'The checks could not be run.' : `Action ${actionId} failed (${failureCode}).`;
  return ask({ kind, actionId }, `${what} What now?`, [failureCode, lastRun?.error, lastRun?.summary]);
}

/** A planned integrate Action that is still to run resolves the conflict; nobody has to be asked. */
const willBeIntegrated = (state: ItemState, { id }: ActionState): boolean =>
  state.actions.some(
    ({ spec, status }) => spec.workspace === 'integrate' && spec.dependsOn.includes(id) && isUnfinished(status),
  );

function aboutAction(state: ItemState, action: ActionState): readonly Question[] {
  const { id: actionId, status, merge, lastRun } = action;
  const isUncertain = state.operations.some((known) => known.actionId === actionId && known.effect === 'unknown');
  if (status === 'failed' && !isUncertain) return [aboutFailure(action)];
  if (status === 'waiting') {
    const question = lastRun?.summary || `Action ${actionId} asks for an answer.`;
    return [ask({ kind: 'action_waiting', actionId }, question, [])];
  }
  if (merge.kind !== 'conflict' || !isConflicted(state, action) || willBeIntegrated(state, action)) return [];
  const { paths, ours, theirs } = merge;
  const question = `The result of ${actionId} conflicts with the item branch in ${paths.length} file(s). What now?`;
  const details = [...paths, `ours ${ours}`, `theirs ${theirs}`];
  return [ask({ kind: 'merge_conflict', actionId }, question, details)];
}

const aboutOperations = (state: ItemState): readonly Question[] =>
  state.operations
    .filter(({ effect }) => effect === 'unknown')
    .map(({ id: operationId, what, actionId }) => {
      const question = `"${what}" acts outside and its end is unknown. Did it take effect?`;
      const subject = { kind: 'operation_unknown', operationId } as const;
      return ask(subject, question, [`Action ${actionId}`]);
    });

/** Actions of the plan that were taken out of it and wait for a person's word. */
export const supersededOf = (state: ItemState): readonly ActionState[] =>
  state.actions.filter((action) => action.status === 'superseded' && !isVerify(action));

function aboutReplan(state: ItemState): readonly Question[] {
  const ids = supersededOf(state).map(({ id }) => id);
  const question = 'These Actions were taken out of the plan. Run them again as things are now?';
  return ids.length === 0 ? [] : [ask({ kind: 'replan' }, question, ids)];
}

const missingOf = (state: ItemState): readonly CriterionGoal[] =>
  goalOf(state).criteria.filter(({ standing }) => standing !== 'passed');

/** Actions that a refused proof sends back: those that are for a criterion still unproven. */
export function suspectsOf(state: ItemState): readonly ActionState[] {
  const missing = missingOf(state).map(({ criterion }) => criterion.id);
  const done = state.actions.filter((action) => !isVerify(action) && action.status === 'completed');
  const citing = done.filter((action) => action.spec.for.some((id) => missing.includes(id)));
  // Where nobody was for what is missing, anybody who wrote may have broken it.
  return citing.length > 0 ? citing : done.filter((action) => isWriter(action.spec));
}

function saySuspect({ claim, criterion, standing, staledBy }: CriterionGoal): string {
  const { verdict, exitCode, log } = claim?.receipt ?? {};
  if (log) return `${criterion.id} is ${standing}: ${verdict} (exit ${exitCode ?? 'none'}): ${log.tail.slice(-400)}`;
  return `${criterion.id} is ${standing}${staledBy ? `, written over by ${staledBy.actionId}` : ''}`;
}

/** Everything ran and was judged, and still something is not proven. */
function aboutProof(state: ItemState): readonly Question[] {
  if (!isSettled(state) || state.actions.some(({ status }) => status === 'ready')) return [];
  const missing = missingOf(state);
  if (missing.length === 0) return [];
  const ids = missing.map(({ criterion }) => criterion.id).join(', ');
  const without = suspectsOf(state).length > 0 ? undefined : 'retry';
  const details = missing.map(saySuspect);
  const verify = missing.some(({ criterion }) => criterion.check) && state.actions.filter(isVerify).at(-1);
  if (!verify) return [ask({ kind: 'proof_missing' }, `Nothing proves ${ids}. What now?`, details, without)];
  const subject = { kind: 'verification_failed', actionId: verify.id } as const;
  return [ask(subject, `Not proven: ${ids}. What now?`, details, without)];
}

const OWN_CODES: ReadonlySet<string> = new Set(['no_response', 'no_change']);

/** Delivery has nothing to deliver: only a person's edit or retry changes that. */
function aboutDelivery(state: ItemState): readonly Question[] {
  if (!isProven(state) || !isEmptyDelivery(state)) return [];
  const isResponse = state.contract.delivery.target === 'response';
  const words = isResponse ? 'No Run left a substantive answer.' : 'Everything is proven, but no file was changed.';
  const subject = { kind: 'delivery_blocked', code: isResponse ? 'no_response' : 'no_change' } as const;
  return [{ ...ask(subject, `${words} What now?`, []), choices: ['stop'] }];
}

/**
 * Every question that the state puts to a person now (D2). Level-triggered like all else: `react` opens those that
 * are not open, and withdraws those that are no longer here. A Coordinator is asked through `needsDecision` instead.
 */
export function questionsOf(state: ItemState): readonly Question[] {
  if (state.lifecycle !== 'open' || state.plan.kind === 'coordinated') return [];
  const about = state.actions.flatMap((action) => aboutAction(state, action));
  const questions = [...aboutOperations(state), ...about, ...aboutReplan(state)];
  return questions.length > 0 ? questions : [...aboutProof(state), ...aboutDelivery(state)];
}

/** What the engine found while delivering cannot be seen in the state; it stands while there is that to deliver. */
export const isBlocked = (state: ItemState, { subject }: HumanRequest): boolean =>
  subject.kind === 'delivery_blocked' &&
  !OWN_CODES.has(subject.code) &&
  state.lifecycle === 'open' &&
  isProven(state) &&
  (needsPublish(state) || needsLanding(state));
