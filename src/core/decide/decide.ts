import type { Command, CommandType, Context, Resources, SideWrite } from '../command.ts';
import { actionById } from '../derive/graph.ts';
import type { EventBody } from '../event.ts';
import { evolve } from '../evolve/evolve.ts';
import type { ItemState } from '../model/item.ts';
import { invariant, type Rejection, reject } from '../rejection.ts';
import { closeAction, redirectAction, retryAction } from './actions.ts';
import { beginLanding, blockDelivery, recordMerge, recordPublish, recordSync, settleLanding } from './branch.ts';
import { claim, dispatch, holdKeyOf, leaseResource } from './claim.ts';
import { askVerification, extendBudget, holdItem, reopenItem, resumeItem, startItem, stopItem } from './control.ts';
import { createItem } from './create.ts';
import { editContract } from './edit-contract.ts';
import type { Answer, Handler } from './handler.ts';
import { react } from './react.ts';
import { answerRequest } from './requests.ts';
import { expireRun, settle } from './settle.ts';
import { queueWrites, sideWrites } from './side-writes.ts';

/** What a command leads to: events, the state after them, and the rows beside them. */
export interface Decided {
  readonly type: 'decided';
  readonly events: readonly EventBody[];
  readonly state: ItemState;
  readonly writes: readonly SideWrite[];
}

type Handlers = { readonly [T in Exclude<CommandType, 'CreateItem'>]: Handler<T> };

const HANDLERS: Handlers = {
  StartItem: startItem,
  EditContract: editContract,
  Claim: claim,
  Dispatch: dispatch,
  Settle: settle,
  ExpireRun: expireRun,
  RecordMerge: recordMerge,
  RecordSync: recordSync,
  RecordPublish: recordPublish,
  BlockDelivery: blockDelivery,
  BeginLanding: beginLanding,
  SettleLanding: settleLanding,
  RetryAction: retryAction,
  RedirectAction: redirectAction,
  CloseAction: closeAction,
  AnswerRequest: answerRequest,
  AskVerification: askVerification,
  StopItem: stopItem,
  ReopenItem: reopenItem,
  HoldItem: holdItem,
  ResumeItem: resumeItem,
  ExtendBudget: extendBudget,
};

/** Commands that need a person's authority, whatever their payload says (D16, D20, D28). */
const USER_ONLY: ReadonlySet<CommandType> = new Set<CommandType>([
  'EditContract',
  'RetryAction',
  'RedirectAction',
  'CloseAction',
  'AnswerRequest',
  'AskVerification',
  'StopItem',
  'ReopenItem',
  'ResumeItem',
  'ExtendBudget',
]);

/** An agent may propose a draft and nothing else; the engine may do what needs no person. */
function unauthorised(command: Command): Rejection | undefined {
  const { kind } = command.principal;
  const { type } = command.body;
  if (kind === 'user' || (kind === 'engine' ? !USER_ONLY.has(type) : type === 'CreateItem')) return undefined;
  return reject('user_required', `${command.body.type} needs a person's authority.`, {
    expected: 'a user principal',
    found: command.principal.kind,
  });
}

/** Cross-item rows the door has to read, in its own transaction, before `decide` may be asked. */
export function resources(command: Command, state: ItemState | undefined): Resources {
  const { body } = command;
  if (!state) return {};
  if (body.type === 'Claim') {
    const action = actionById(state, body.actionId);
    const holdKey = action && holdKeyOf(state, action);
    return { concurrency: true, ...(holdKey === undefined ? {} : { holdKey }) };
  }
  if (body.type === 'ExpireRun') {
    const run = state.runs.find((live) => live.id === body.runId);
    return run ? { lease: leaseResource(state.id, run.actionId) } : {};
  }
  return {};
}

function answer(state: ItemState, command: Command, ctx: Context): Answer {
  const handler = HANDLERS[command.body.type as Exclude<CommandType, 'CreateItem'>] as Handler<CommandType>;
  return handler(state, command.body, ctx, command);
}

const MAX_REACTIONS = 200;

/**
 * One pure function decides what may happen to an item. It folds every event it emits, so that consequences are
 * computed from the state they will be applied to, and asks `react` until nothing more follows.
 */
export function decide(state: ItemState | undefined, command: Command, ctx: Context): Decided | Rejection {
  const { body, itemId } = command;
  const denied = unauthorised(command);
  if (denied) return denied;
  if (body.type === 'CreateItem') {
    if (state) return reject('item_exists', `Item ${itemId} exists already.`);
    const created = createItem(body, ctx, command);
    return Array.isArray(created) ? settleDown(undefined, created, command, ctx) : (created as Rejection);
  }
  if (!state) return reject('item_not_found', `There is no item ${itemId}.`, { next: 'workcenter ls' });
  const direct = answer(state, command, ctx);
  return Array.isArray(direct) ? settleDown(state, direct, command, ctx) : (direct as Rejection);
}

function settleDown(
  before: ItemState | undefined,
  direct: readonly EventBody[],
  command: Command,
  ctx: Context,
): Decided {
  const events: EventBody[] = [];
  const writes: SideWrite[] = [];
  const leaseMs = command.body.type === 'Claim' ? command.body.leaseMs : 0;
  let state = before;
  const apply = (body: EventBody): void => {
    const known = state;
    state = evolve(known, command.itemId, { seq: (known?.version ?? 0) + 1, at: ctx.now, body });
    events.push(body);
    if (known) writes.push(...sideWrites(known, body, leaseMs, ctx));
  };
  for (const body of direct) apply(body);
  invariant(state, 'a decided command leaves an item');
  for (let next = react(state, ctx); next; next = react(state, ctx)) {
    apply(next);
    invariant(events.length - direct.length < MAX_REACTIONS, `item ${command.itemId}: reactions do not come to rest`);
  }
  if (before) writes.push(...queueWrites(before, state));
  return { type: 'decided', events, state, writes };
}
