import { dueOf, isProven, isSettled, needsLanding, needsPublish, needsPullRequest } from '../derive/due.ts';
import { type CriterionGoal, goalOf } from '../derive/goal.ts';
import { isConflicted, isVerify } from '../derive/graph.ts';
import { isEmptyDelivery, responseOf } from '../derive/result.ts';
import type { ActionState, Choice, HumanRequest, ItemState, RequestSubject } from '../model/index.ts';
import { CHOICES, COORDINATOR_LIMITS, isUnfinished, isWriter } from '../model/index.ts';

/** A request before it is opened. */
export type Question = Omit<HumanRequest, 'id' | 'openedAt'>;

const DETAIL_CHARS = 1_000;

const QUESTIONS: ReadonlySet<RequestSubject['kind']> = new Set(['action_waiting', 'idle'] as const);

type Detail = string | undefined;

/** A question with the choices of its subject, without those that would lead nowhere now. */
function ask(subject: RequestSubject, question: string, details: readonly Detail[], without?: Choice): Question {
  const kind = QUESTIONS.has(subject.kind) ? 'question' : 'recovery';
  const choices: readonly Choice[] = CHOICES[subject.kind];
  const facts = details.flatMap((detail) => (detail ? [detail.slice(-DETAIL_CHARS)] : []));
  return { kind, subject, question, details: facts, choices: choices.filter((choice) => choice !== without) };
}

function aboutFailure(action: ActionState): Question {
  const { id: actionId, spec, failureCode = 'failed', lastRun } = action;
  const kind = isVerify(action) ? 'verification_error' : 'action_failed';
  const ended = lastRun?.status === 'unknown' ? `Nobody knows how ${spec.name} ended.` : `${spec.name} failed.`;
  const question = `${isVerify(action) ? 'The checks could not be run.' : ended} What now?`;
  return ask({ kind, actionId }, question, [failureCode, lastRun?.error, lastRun?.summary]);
}

/** A planned integrate Action that is still to run resolves the conflict; nobody has to be asked. */
const willBeIntegrated = (state: ItemState, { id }: ActionState): boolean =>
  state.actions.some(
    ({ spec, status }) => spec.workspace === 'integrate' && spec.dependsOn.includes(id) && isUnfinished(status),
  );

function aboutAction(state: ItemState, action: ActionState): readonly Question[] {
  const { id: actionId, spec, status, merge, lastRun } = action;
  const isUncertain = state.operations.some((known) => known.actionId === actionId && known.effect === 'unknown');
  if (status === 'failed' && !isUncertain) return [aboutFailure(action)];
  if (status === 'waiting') {
    if (hasApproval(state, action)) return [];
    const question = lastRun?.summary || `${spec.name} asks for an answer.`;
    return [ask({ kind: 'action_waiting', actionId }, question, [])];
  }
  if (merge.kind !== 'conflict' || !isConflicted(state, action) || willBeIntegrated(state, action)) return [];
  const { paths, ours, theirs } = merge;
  const question = `The result of ${spec.name} conflicts with the item branch in ${paths.length} file(s). What now?`;
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
  const mayAnswer = !isResponse && state.plan.kind === 'coordinated' && responseOf(state) !== '';
  return [{ ...ask(subject, `${words} What now?`, []), choices: mayAnswer ? ['response', 'stop'] : ['stop'] }];
}

/** What a person has to settle in a coordinated item too: unknown effects, lost answers, an executor's own question. */
function besideCoordinator(state: ItemState, action: ActionState): readonly Question[] {
  if (isVerify(action)) return action.status === 'failed' ? [aboutFailure(action)] : [];
  const isLost = action.status === 'failed' && action.lastRun?.status === 'unknown';
  return isLost || action.status === 'waiting' ? aboutAction(state, action) : [];
}

const hasApproval = (state: ItemState, { id }: ActionState): boolean =>
  state.requests.some(({ subject }) => subject.kind === 'tool_approval' && subject.actionId === id);

const { dryTurns: DRY_MAX } = COORDINATOR_LIMITS;

/** Turn after turn brought nothing new: a person says how to go on, or that it ends here (D17). */
const aboutProgress = ({ coordinator, completion }: ItemState): readonly Question[] =>
  coordinator.dryTurns < DRY_MAX || completion
    ? []
    : [ask({ kind: 'no_progress' }, `${DRY_MAX} decisions in a row brought nothing new. How to go on?`, [])];

/** The last turn left nothing that could move: never a silent stall (D17). */
function aboutIdleness(state: ItemState): readonly Question[] {
  const { hold, inbox, runs, requests, completion } = state;
  const others = requests.some(({ subject }) => subject.kind !== 'idle');
  if (hold || completion || others || inbox.length > 0 || runs.length > 0 || dueOf(state).length > 0) return [];
  return [ask({ kind: 'idle' }, 'The Coordinator has nothing more to do by itself. What next?', [])];
}

/** A Coordinator decides the rest itself; it is woken by facts, not asked by requests. */
function coordinatedQuestions(state: ItemState): readonly Question[] {
  const own = [...aboutOperations(state), ...state.actions.flatMap((action) => besideCoordinator(state, action))];
  if (own.length > 0) return own;
  const stuck = [...aboutProgress(state), ...(state.completion ? aboutDelivery(state) : [])];
  return stuck.length > 0 ? stuck : aboutIdleness(state);
}

/**
 * Every question that the state puts to a person now (D2). Level-triggered like all else: `react` opens those that
 * are not open, and withdraws those that are no longer here.
 */
export function questionsOf(state: ItemState): readonly Question[] {
  if (state.lifecycle !== 'open') return [];
  if (state.plan.kind === 'coordinated') return coordinatedQuestions(state);
  const about = state.actions.flatMap((action) => aboutAction(state, action));
  const questions = [...aboutOperations(state), ...about, ...aboutReplan(state)];
  return questions.length > 0 ? questions : [...aboutProof(state), ...aboutDelivery(state)];
}

/** What the engine found while delivering cannot be seen in the state; it stands while there is that to deliver. */
const isBlocked = (state: ItemState, { subject }: HumanRequest): boolean =>
  subject.kind === 'delivery_blocked' &&
  !OWN_CODES.has(subject.code) &&
  state.lifecycle === 'open' &&
  isProven(state) &&
  (needsPublish(state) || needsPullRequest(state) || needsLanding(state));

/** What somebody asked stands until it is answered, or until what it is about has moved on. */
export function stands(state: ItemState, request: HumanRequest): boolean {
  const { subject } = request;
  if (state.lifecycle !== 'open') return false;
  switch (subject.kind) {
    case 'coordinator_question':
    case 'call_unknown':
      return true;
    case 'idle':
      return state.hold !== undefined;
    case 'contract_proposal':
      return subject.proposal.baseVersion === state.contractVersion;
    case 'tool_approval': {
      const action = state.actions.find(({ id }) => id === subject.actionId);
      const waits = action?.status === 'running' || action?.status === 'waiting';
      return waits && action.generation === subject.generation;
    }
    default:
      return isBlocked(state, request);
  }
}
