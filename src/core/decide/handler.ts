import type { Command, CommandBody, CommandType, Context } from '../command.ts';
import { actionById } from '../derive/graph.ts';
import type { EventBody } from '../event.ts';
import type { ActionState, LiveRun } from '../model/action.ts';
import type { ItemState } from '../model/item.ts';
import { type Rejection, reject } from '../rejection.ts';

/** What every command handler answers: the events it causes directly, or why not. */
export type Answer = readonly EventBody[] | Rejection;

export type BodyOf<T extends CommandType> = Extract<CommandBody, { type: T }>;

/** A handler sees state, its own command body, the whole command (for the principal) and the context. */
export type Handler<T extends CommandType> = (
  state: ItemState,
  body: BodyOf<T>,
  ctx: Context,
  command: Command,
) => Answer;

export const refused = (answer: Answer): answer is Rejection => !Array.isArray(answer);

/** The addressed Action at the generation the caller read, or the refusal (D5). */
export function fencedAction(state: ItemState, actionId: string, generation: number): ActionState | Rejection {
  const action = actionById(state, actionId);
  if (!action) {
    const known = state.actions.map((candidate) => candidate.id).join(', ') || 'none';
    return reject('action_not_found', `Item ${state.id} has no Action ${actionId}.`, { expected: `one of: ${known}` });
  }
  if (action.generation !== generation) {
    return reject('generation_stale', `Action ${actionId} has moved on.`, {
      expected: `generation ${generation}`,
      found: `generation ${action.generation}`,
      next: 'Read the Action again and decide on what it is now.',
    });
  }
  return action;
}

/** The live Run that an owner claims to hold; anything else is a lost lease (D8, LSE-1). */
export function fencedRun(state: ItemState, runId: string, epoch: number, owner?: string): LiveRun | Rejection {
  const run = state.runs.find((live) => live.id === runId);
  if (run && run.epoch === epoch && (owner === undefined || run.owner === owner)) return run;
  return reject('lease_lost', `Run ${runId} is no longer held at epoch ${epoch}.`, {
    expected: `a live Run at epoch ${epoch}`,
    found: run ? `epoch ${run.epoch}` : 'no live Run',
    next: 'Stop working on it; what it left behind is kept.',
  });
}

export const isAction = (value: ActionState | Rejection): value is ActionState => 'spec' in value;
export const isRun = (value: LiveRun | Rejection): value is LiveRun => 'epoch' in value;

/** While a landing is reserved nothing may take it away (D32, INT-3). */
export const landingInProgress = (state: ItemState): Rejection | undefined =>
  state.landing.kind === 'reserved'
    ? reject('landing_in_progress', `The result of ${state.id} is being landed on ${state.landing.branch}.`, {
        next: 'Wait until the landing has ended, then try again.',
      })
    : undefined;

/** Terminal items take no more work; only an open one does. */
export function mustBeOpen(state: ItemState): Rejection | undefined {
  if (state.lifecycle === 'open') return undefined;
  const ended = state.lifecycle === 'done' || state.lifecycle === 'cancelled';
  return reject(ended ? 'item_ended' : 'item_not_open', `Item ${state.id} is ${state.lifecycle}.`, {
    expected: 'an open item',
    found: state.lifecycle,
    next:
      state.lifecycle === 'draft'
        ? `workcenter start ${state.id}`
        : state.lifecycle === 'cancelled'
          ? `workcenter reopen ${state.id}`
          : 'Submit a follow-up as a new item.',
  });
}
