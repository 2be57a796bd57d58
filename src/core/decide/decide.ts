/*
 * One file per kind of command, each a table of handlers: create, edit-contract, control (stop, reopen, budget),
 * actions (retry, redirect, close), claim (and dispatch), settle (and expiry; `end-run` is how), branch (merge, sync,
 * publish, land), requests (answers), conversation (messages), turns and decision (the Coordinator), calls (model
 * requests and their budget), operations (what acts outside, and leave for it). A handler answers its own events; `react` draws the consequences afterwards,
 * `questions` words what a person is asked, and `side-writes` derives leases and holds from the events.
 */

import type { Command, CommandOf, CommandType, Context, Resources, SideWrite } from '../command.ts';
import { actionById } from '../derive/index.ts';
import type { EventBody } from '../event.ts';
import { evolve } from '../evolve/evolve.ts';
import type { ItemState } from '../model/index.ts';
import { invariant, type Rejection, reject } from '../rejection.ts';
import { ACTION_HANDLERS } from './actions.ts';
import { BRANCH_HANDLERS } from './branch.ts';
import { CALL_HANDLERS } from './calls.ts';
import { CLAIM_HANDLERS, holdKeyOf, leaseResource } from './claim.ts';
import { CONTROL_HANDLERS, LIFE_HANDLERS } from './control.ts';
import { CONVERSATION_HANDLERS } from './conversation.ts';
import { createItem } from './create.ts';
import { DECISION_HANDLERS } from './decision.ts';
import { EDIT_HANDLERS } from './edit-contract.ts';
import { type Answer, type Handlers, refused } from './handler.ts';
import { OPERATION_HANDLERS, RESOLVE_HANDLERS } from './operations.ts';
import { react } from './react.ts';
import { REQUEST_HANDLERS } from './requests.ts';
import { SETTLE_HANDLERS } from './settle.ts';
import { queueWrites, sideWrites } from './side-writes.ts';
import { TURN_HANDLERS } from './turns.ts';

/** What a command leads to: events, the state after them, and the rows beside them. */
export interface Decided {
  readonly type: 'decided';
  readonly events: readonly EventBody[];
  readonly state: ItemState;
  readonly writes: readonly SideWrite[];
}

/** Commands that need a person's authority, whatever their payload says (D16, D20, D28). */
const BY_PERSON = {
  ...{ ...ACTION_HANDLERS, ...CONTROL_HANDLERS, ...EDIT_HANDLERS, ...REQUEST_HANDLERS },
  ...{ ...CONVERSATION_HANDLERS, ...RESOLVE_HANDLERS },
};
const BY_ENGINE = {
  ...{ ...BRANCH_HANDLERS, ...CLAIM_HANDLERS, ...LIFE_HANDLERS, ...SETTLE_HANDLERS },
  ...{ ...CALL_HANDLERS, ...TURN_HANDLERS, ...DECISION_HANDLERS, ...OPERATION_HANDLERS },
};

type Existing = Exclude<CommandType, 'CreateItem'>;
const HANDLERS: Handlers<Existing> = { ...BY_PERSON, ...BY_ENGINE };

/** An agent may propose a draft and nothing else; the engine may do what needs no person. */
function unauthorised({ principal: { kind }, body: { type } }: Command): Rejection | undefined {
  if (kind === 'user' || (kind === 'engine' ? !(type in BY_PERSON) : type === 'CreateItem')) return undefined;
  const more = { expected: 'a user principal', found: kind };
  return reject('user_required', `${type} needs a person's authority.`, more);
}

/** Cross-item rows the door has to read, in its own transaction, before `decide` may be asked. */
export function resources({ body }: Command, state: ItemState | undefined): Resources {
  if (!state) return {};
  if (body.type === 'Claim') {
    const action = actionById(state, body.actionId);
    const holdKey = action && holdKeyOf(state, action);
    return { concurrency: true, ...(holdKey === undefined ? {} : { holdKey }) };
  }
  if (body.type === 'WakeRun') return { concurrency: true };
  if (body.type === 'PrepareCall' || body.type === 'DispatchCall') return { day: true };
  const run = body.type === 'ExpireRun' && state.runs.find((live) => live.id === body.runId);
  return run ? { lease: leaseResource(state.id, run.actionId) } : {};
}

type AnyHandler = (state: ItemState, body: CommandOf<Existing>, ctx: Context, command: Command) => Answer;

function answer(state: ItemState | undefined, command: Command, ctx: Context): Answer {
  const { body, itemId } = command;
  const denied = unauthorised(command);
  if (denied) return denied;
  if (body.type === 'CreateItem') {
    return state ? reject('item_exists', `Item ${itemId} exists already.`) : createItem(body, ctx, command);
  }
  if (!state) return reject('item_not_found', `There is no item ${itemId}.`, { next: 'workcenter ls' });
  return (HANDLERS[body.type] as AnyHandler)(state, body, ctx, command);
}

/** More consequences than any one command can honestly have. */
const MAX_REACTIONS = 200;

/**
 * One pure function decides what may happen to an item. It folds every event it emits, so that consequences are
 * computed from the state they will be applied to, and asks `react` until nothing more follows.
 */
export function decide(before: ItemState | undefined, command: Command, ctx: Context): Decided | Rejection {
  const direct = answer(before, command, ctx);
  if (refused(direct)) return direct;
  const { itemId, body } = command;
  const leaseMs = body.type === 'Claim' ? body.leaseMs : 0;
  const events: EventBody[] = [];
  const writes: SideWrite[] = [];
  let state = before;
  const apply = (event: EventBody): ItemState => {
    if (state) writes.push(...sideWrites(state, event, leaseMs, ctx));
    events.push(event);
    state = evolve(state, itemId, { seq: (state?.version ?? 0) + 1, at: ctx.now, body: event });
    return state;
  };
  for (const event of direct) apply(event);
  invariant(state, 'a decided command leaves an item');
  for (let next = react(state, ctx); next; next = react(apply(next), ctx)) {
    invariant(events.length - direct.length < MAX_REACTIONS, `item ${itemId}: reactions do not come to rest`);
  }
  if (before) writes.push(...queueWrites(before, state));
  return { type: 'decided', events, state, writes };
}
