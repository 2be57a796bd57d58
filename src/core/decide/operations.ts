import type { CommandOf, Context } from '../command.ts';
import { actionById } from '../derive/index.ts';
import type { EventBody } from '../event.ts';
import { CHOICES, type Grant, type ItemState } from '../model/index.ts';
import { reject } from '../rejection.ts';
import { slotsFull } from './claim.ts';
import {
  type Answer,
  fencedRun,
  type Handlers,
  isLive,
  landingInProgress,
  mustBeOpen,
  tooLong,
  whyHalted,
} from './handler.ts';

/** A leave that covers this call: its own, used by it, or one for its pattern. */
const grantFor = (grants: readonly Grant[], key: string): Grant | undefined =>
  grants.find((grant) => grant.key === key);

/** On the ledger before it happens; the leave for it is used in the same step, so never twice (O2, D16). */
function begin(state: ItemState, body: CommandOf<'BeginOperation'>): Answer {
  const live = fencedRun(state, body.fence.runId, body.fence.epoch, body.fence.owner);
  if (!isLive(live)) return live;
  const halted = mustBeOpen(state) ?? whyHalted(state);
  if (halted) return halted;
  const { operationId: id, what, tool, grant } = body;
  if (state.operations.some((known) => known.id === id))
    return reject('wrong_state', `Operation ${id} was begun before.`);
  if (grant !== undefined && !grantFor(live.action.grants, grant)) {
    return reject('approval_needed', `Nobody has allowed this call of ${tool}.`, { next: 'Ask for approval.' });
  }
  const { action, run } = live;
  const used: readonly EventBody[] =
    grant === undefined ? [] : [{ type: 'GrantUsed', actionId: action.id, key: grant }];
  const operation = { id, actionId: action.id, runId: run.id, what, effect: 'pending', tool } as const;
  return [...used, { type: 'OperationBegun', operation }];
}

function end(state: ItemState, { fence, operationId, effect }: CommandOf<'EndOperation'>): Answer {
  const live = fencedRun(state, fence.runId, fence.epoch, fence.owner);
  if (!isLive(live)) return live;
  const isMine = state.operations.some(
    ({ id, runId, effect: now }) => id === operationId && runId === live.run.id && now === 'pending',
  );
  if (!isMine) return reject('wrong_state', `Run ${live.run.id} has no pending operation ${operationId}.`);
  return [{ type: 'OperationResolved', operationId, effect }];
}

/** The Run keeps lease and process, and gives its slot back (D16). The second asking may be answered for a pattern. */
function ask(state: ItemState, { fence, approval, risk }: CommandOf<'AskApproval'>, ctx: Context): Answer {
  const live = fencedRun(state, fence.runId, fence.epoch, fence.owner);
  if (!isLive(live)) return live;
  const halted = mustBeOpen(state) ?? whyHalted(state);
  if (halted) return halted;
  const { action, run } = live;
  const { tool, call, directory, key } = approval;
  const isOpen = state.requests.some(({ subject }) => subject.kind === 'tool_approval' && subject.key === key);
  if (isOpen) return reject('nothing_changed', 'This approval has been asked for already.');
  const { id: actionId, generation } = action;
  const subject = { kind: 'tool_approval', actionId, generation, ...approval } as const;
  const choices = CHOICES.tool_approval.filter((choice) => choice !== 'approve_pattern' || action.approvals > 0);
  const id = `r${state.requestCount + 1}`;
  const question = `${action.spec.name} wants to use ${tool}: ${call}. Allow it?`;
  const details = [`in ${directory}`, risk];
  const request = { id, kind: 'approval', subject, question, details, choices, openedAt: ctx.now } as const;
  const idled: readonly EventBody[] = run.idle ? [] : [{ type: 'RunIdled', runId: run.id, idle: true }];
  return [{ type: 'RequestOpened', request }, ...idled];
}

export const OPERATION_HANDLERS: Handlers<'BeginOperation' | 'EndOperation' | 'AskApproval' | 'UseGrant' | 'WakeRun'> =
  {
    BeginOperation: begin,
    EndOperation: end,
    AskApproval: ask,
    UseGrant(state, { fence, key }) {
      const live = fencedRun(state, fence.runId, fence.epoch, fence.owner);
      if (!isLive(live)) return live;
      const { action } = live;
      if (grantFor(action.grants, key)) return [{ type: 'GrantUsed', actionId: action.id, key }];
      return reject('approval_needed', 'Nobody has allowed this call.', { next: 'Ask for approval.' });
    },
    WakeRun(state, { fence }, ctx) {
      const live = fencedRun(state, fence.runId, fence.epoch, fence.owner);
      if (!isLive(live)) return live;
      if (!live.run.idle) return reject('wrong_state', `Run ${fence.runId} is not idle.`);
      return slotsFull(ctx) ?? [{ type: 'RunIdled', runId: fence.runId, idle: false }];
    },
  };

/** What took effect is not repeated by itself, even if its Action was made ready meanwhile (invariant 5). */
export function resolveOperation(
  state: ItemState,
  operationId: string,
  effect: 'applied' | 'not_applied',
): readonly EventBody[] {
  const resolved: EventBody = { type: 'OperationResolved', operationId, effect };
  const operation = state.operations.find(({ id }) => id === operationId);
  const action = operation && !operation.tool && actionById(state, operation.actionId);
  if (!action || effect !== 'applied' || action.status !== 'ready') return [resolved];
  return [resolved, { type: 'ActionRetired', actionId: action.id, as: 'superseded' }];
}

/** A person says what became of an effect whose end is unknown (OPS-7). */
export const RESOLVE_HANDLERS: Handlers<'ResolveOperation'> = {
  ResolveOperation(state, { operationId, effect, reason }) {
    const shut = landingInProgress(state) ?? tooLong(reason);
    if (shut) return shut;
    const known = state.operations.find(({ id }) => id === operationId);
    if (!known) return reject('operation_not_found', `Item ${state.id} has no operation ${operationId}.`);
    if (known.effect !== 'unknown')
      return reject('wrong_state', `Operation ${operationId} is ${known.effect}.`, { expected: 'unknown' });
    return resolveOperation(state, operationId, effect);
  },
};
