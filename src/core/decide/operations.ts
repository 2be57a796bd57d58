import type { CommandOf, Context } from '../command.ts';
import { actionById } from '../derive/index.ts';
import type { EventBody } from '../event.ts';
import { CHOICES, type Grant, type ItemState } from '../model/index.ts';
import { reject } from '../rejection.ts';
import { whyNoSlot } from './claim.ts';
import {
  type Answer,
  byOwner,
  type Handlers,
  type Live,
  landingInProgress,
  mustBeOpen,
  openRequest,
  tooLong,
  whyHalted,
} from './handler.ts';

/** A leave that covers this call: its own, used by it, or one for its pattern. */
const grantFor = (grants: readonly Grant[], key: string): Grant | undefined =>
  grants.find((grant) => grant.key === key);

/** On the ledger before it happens; the leave for it is used in the same step, so never twice (O2, D16). */
function begin({ state, action, run }: Live, body: CommandOf<'BeginOperation'>): Answer {
  const halted = mustBeOpen(state) ?? whyHalted(state);
  if (halted) return halted;
  const { operationId: id, what, tool, grant } = body;
  if (state.operations.some((known) => known.id === id))
    return reject('wrong_state', `Operation ${id} was begun before.`);
  if (grant !== undefined && !grantFor(action.grants, grant)) {
    return reject('approval_needed', `Nobody has allowed this call of ${tool}.`, { next: 'Ask for approval.' });
  }
  const used: readonly EventBody[] =
    grant === undefined ? [] : [{ type: 'GrantUsed', actionId: action.id, key: grant }];
  const operation = { id, actionId: action.id, runId: run.id, what, effect: 'pending', tool } as const;
  return [...used, { type: 'OperationBegun', operation }];
}

function end({ state, run }: Live, { operationId, effect }: CommandOf<'EndOperation'>): Answer {
  const isMine = state.operations.some(
    ({ id, runId, effect: now }) => id === operationId && runId === run.id && now === 'pending',
  );
  if (!isMine) return reject('wrong_state', `Run ${run.id} has no pending operation ${operationId}.`);
  return [{ type: 'OperationResolved', operationId, effect }];
}

/** The Run keeps lease and process, and gives its slot back (D16). The second asking may be answered for a pattern. */
function ask({ state, action, run }: Live, { approval, risk }: CommandOf<'AskApproval'>, ctx: Context): Answer {
  const halted = mustBeOpen(state) ?? whyHalted(state);
  if (halted) return halted;
  const { tool, call, directory, key } = approval;
  const isOpen = state.requests.some(
    ({ subject: it }) => it.kind === 'tool_approval' && it.actionId === action.id && it.key === key,
  );
  if (isOpen) return reject('nothing_changed', 'This approval has been asked for already.');
  const { id: actionId, generation } = action;
  const subject = { kind: 'tool_approval', actionId, generation, ...approval } as const;
  const hasPattern = action.approvals > 0 && approval.pattern !== '';
  const choices = CHOICES.tool_approval.filter((choice) => choice !== 'approve_pattern' || hasPattern);
  const question = `${action.spec.name} wants to use ${tool}: ${call}. Allow it?`;
  const details = [`in ${directory}`, risk];
  const opened = openRequest(state, { kind: 'approval', subject, question, details, choices }, ctx.now);
  const idled: readonly EventBody[] = run.idle ? [] : [{ type: 'RunIdled', runId: run.id, idle: true }];
  return [opened, ...idled];
}

export const OPERATION_HANDLERS: Handlers<'BeginOperation' | 'EndOperation' | 'AskApproval' | 'UseGrant' | 'WakeRun'> =
  {
    BeginOperation: byOwner(begin),
    EndOperation: byOwner(end),
    AskApproval: byOwner(ask),
    UseGrant: byOwner(({ action }, { key }: CommandOf<'UseGrant'>) => {
      if (grantFor(action.grants, key)) return [{ type: 'GrantUsed', actionId: action.id, key }];
      return reject('approval_needed', 'Nobody has allowed this call.', { next: 'Ask for approval.' });
    }),
    WakeRun: byOwner(({ run: { id: runId, actionId, idle, alone } }, _body: CommandOf<'WakeRun'>, ctx) => {
      if (!idle) return reject('wrong_state', `Run ${runId} is not idle.`);
      const full = whyNoSlot(actionId, alone, !alone && ctx.facts.liveRuns.ownerAlone, ctx);
      return full ?? [{ type: 'RunIdled', runId, idle: false }];
    }),
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
