import { isDeliverable, isSettled, mergesDue } from '../derive/due.ts';
import { type CriterionGoal, goalOf } from '../derive/goal.ts';
import { isConflicted, isVerify } from '../derive/graph.ts';
import { isEmptyDelivery } from '../derive/result.ts';
import type { ActionState } from '../model/action.ts';
import type { ItemState } from '../model/item.ts';
import type { Choice, HumanRequest, RequestSubject } from '../model/request.ts';
import { suspectsOf } from './requests.ts';

type Opening = Omit<HumanRequest, 'id' | 'openedAt'>;

const DETAIL_CHARS = 1_000;

const opening = (
  subject: RequestSubject,
  question: string,
  details: readonly (string | undefined)[],
  choices: readonly Choice[],
  kind: HumanRequest['kind'] = 'recovery',
): Opening => ({
  kind,
  subject,
  question,
  details: details
    .filter((detail) => detail !== undefined && detail !== '')
    .map((detail) => `${detail}`.slice(-DETAIL_CHARS)),
  choices,
});

const asked = (state: ItemState, kind: RequestSubject['kind'], actionId?: string): boolean =>
  state.requests.some(
    ({ subject }) =>
      subject.kind === kind && (actionId === undefined || ('actionId' in subject && subject.actionId === actionId)),
  );

function aboutFailure(action: ActionState): Opening {
  const details = [action.failureCode, action.lastRun?.error, action.lastRun?.summary];
  if (isVerify(action)) {
    const subject = { kind: 'verification_error', actionId: action.id } as const;
    return opening(subject, 'The checks could not be run. What now?', details, ['verify', 'stop']);
  }
  const question = `Action ${action.id} failed (${action.failureCode ?? 'failed'}). What now?`;
  return opening({ kind: 'action_failed', actionId: action.id }, question, details, ['retry', 'close', 'stop']);
}

function aboutWaiting(action: ActionState): Opening {
  const question = action.lastRun?.summary || `Action ${action.id} asks for an answer.`;
  return opening({ kind: 'action_waiting', actionId: action.id }, question, [], ['text', 'close', 'stop'], 'question');
}

/** A planned integrate Action that is still to run resolves the conflict; nobody has to be asked. */
const willBeIntegrated = (state: ItemState, action: ActionState): boolean =>
  state.actions.some(
    ({ spec, status }) =>
      spec.workspace === 'integrate' &&
      spec.dependsOn.includes(action.id) &&
      (status === 'ready' || status === 'running' || status === 'waiting' || status === 'failed'),
  );

function aboutConflict(action: ActionState): Opening | undefined {
  if (action.merge.kind !== 'conflict') return undefined;
  const { paths, ours, theirs } = action.merge;
  const question = `The result of ${action.id} conflicts with the item branch in ${paths.length} file(s). What now?`;
  const details = [...paths, `ours ${ours}`, `theirs ${theirs}`];
  return opening({ kind: 'merge_conflict', actionId: action.id }, question, details, ['retry', 'close', 'stop']);
}

function aboutActions(state: ItemState): Opening | undefined {
  for (const action of state.actions) {
    if (
      action.status === 'failed' &&
      !state.operations.some((op) => op.actionId === action.id && op.effect === 'unknown')
    ) {
      const kind = isVerify(action) ? 'verification_error' : 'action_failed';
      if (!asked(state, kind, action.id)) return aboutFailure(action);
    }
    if (action.status === 'waiting' && !asked(state, 'action_waiting', action.id)) return aboutWaiting(action);
    if (isConflicted(state, action) && !willBeIntegrated(state, action) && !asked(state, 'merge_conflict', action.id)) {
      return aboutConflict(action);
    }
  }
  return undefined;
}

function aboutOperations(state: ItemState): Opening | undefined {
  const unknown = state.operations.find(
    (operation) =>
      operation.effect === 'unknown' &&
      !state.requests.some(
        ({ subject }) => subject.kind === 'operation_unknown' && subject.operationId === operation.id,
      ),
  );
  if (!unknown) return undefined;
  const question = `"${unknown.what}" acts outside and its end is unknown. Did it take effect?`;
  const subject = { kind: 'operation_unknown', operationId: unknown.id } as const;
  return opening(subject, question, [`Action ${unknown.actionId}`], ['applied', 'not_applied', 'stop']);
}

function aboutReplan(state: ItemState): Opening | undefined {
  const superseded = state.actions.filter((action) => action.status === 'superseded' && !isVerify(action));
  if (superseded.length === 0 || asked(state, 'replan')) return undefined;
  const details = superseded.map((action) => action.id);
  const question = 'These Actions were taken out of the plan. Run them again as things are now?';
  return opening({ kind: 'replan' }, question, details, ['retain', 'close', 'stop']);
}

function saySuspect(goal: CriterionGoal): string {
  const { claim, criterion, standing } = goal;
  const receipt = claim?.receipt;
  if (receipt)
    return `${criterion.id} is ${standing}: ${receipt.verdict} (exit ${receipt.exitCode ?? 'none'}): ${receipt.log.tail.slice(-400)}`;
  const stale = goal.staledBy ? `, written over by ${goal.staledBy.actionId}` : '';
  return `${criterion.id} is ${standing}${stale}`;
}

/** Everything ran and was judged, and still something is not proven. */
function aboutProof(state: ItemState): Opening | undefined {
  if (!isSettled(state) || mergesDue(state).length > 0 || asked(state, 'proof_missing')) return undefined;
  if (state.actions.some(({ status }) => status === 'ready')) return undefined;
  const missing = goalOf(state).criteria.filter((goal) => goal.standing !== 'passed');
  if (missing.length === 0 || state.requests.length > 0) return undefined;
  const verify = state.actions.filter(isVerify).at(-1);
  const details = missing.map(saySuspect);
  const retry: readonly Choice[] = suspectsOf(state).length > 0 ? ['retry'] : [];
  const ids = missing.map((goal) => goal.criterion.id).join(', ');
  if (verify && missing.some((goal) => goal.criterion.check)) {
    const subject = { kind: 'verification_failed', actionId: verify.id } as const;
    return opening(subject, `Not proven: ${ids}. What now?`, details, [...retry, 'verify', 'stop']);
  }
  return opening({ kind: 'proof_missing' }, `Nothing proves ${ids}. What now?`, details, [...retry, 'stop']);
}

function aboutDelivery(state: ItemState): Opening | undefined {
  if (!isDeliverable(state)) return undefined;
  if (!isEmptyDelivery(state)) return undefined;
  const { target } = state.contract.delivery;
  const code = target === 'response' ? 'no_response' : 'no_change';
  const words =
    target === 'response' ? 'No Run left a substantive answer.' : 'Everything is proven, but no file was changed.';
  return opening({ kind: 'delivery_blocked', code }, `${words} What now?`, [], ['stop']);
}

/** The next question a person has to be asked, if any. */
export function openingFor(state: ItemState): Opening | undefined {
  if (state.plan.kind === 'coordinated') return undefined;
  return (
    aboutOperations(state) ?? aboutActions(state) ?? aboutReplan(state) ?? aboutProof(state) ?? aboutDelivery(state)
  );
}
