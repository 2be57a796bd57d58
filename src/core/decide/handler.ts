import type { Command, CommandOf, CommandType, Context, RunFence, TurnFence } from '../command.ts';
import { actionById } from '../derive/index.ts';
import type { EventBody } from '../event.ts';
import {
  ACTION_LIMITS,
  type ActionState,
  CHOICES,
  type HumanRequest,
  type ItemState,
  type LiveRun,
  type OpenTurn,
} from '../model/index.ts';
import { invariant, type Rejection, reject } from '../rejection.ts';

/** What every command handler answers: the events it causes directly, or why not. */
export type Answer = readonly EventBody[] | Rejection;

/** A handler sees state, its own command body, the context, and the whole command (for the principal). */
type Handler<T extends CommandType> = (state: ItemState, body: CommandOf<T>, ctx: Context, command: Command) => Answer;
export type Handlers<T extends CommandType> = { readonly [K in T]: Handler<K> };

export const refused = (answer: Answer): answer is Rejection => !Array.isArray(answer);

/** Only an open item takes work or words about it. */
export function mustBeOpen({ id, lifecycle }: ItemState): Rejection | undefined {
  if (lifecycle === 'open') return undefined;
  const code = lifecycle === 'done' || lifecycle === 'cancelled' ? 'item_ended' : 'item_not_open';
  const ways = {
    draft: `workcenter start ${id}`,
    cancelled: `workcenter reopen ${id}`,
    cancelling: 'Wait for its end.',
  };
  const next = lifecycle === 'done' ? 'Submit a follow-up as a new item.' : ways[lifecycle];
  return reject(code, `Item ${id} is ${lifecycle}.`, { expected: 'an open item', found: lifecycle, next });
}

/** The `nth` request that this command opens; all choices of its subject unless fewer make sense. */
export const openRequest = (
  { requestCount }: ItemState,
  what: Pick<HumanRequest, 'kind' | 'subject' | 'question'> & Partial<HumanRequest>,
  openedAt: number,
  nth = 1,
): EventBody => {
  const defaults = { details: [], choices: CHOICES[what.subject.kind] };
  return { type: 'RequestOpened', request: { ...defaults, ...what, id: `r${requestCount + nth}`, openedAt } };
};

/** While a landing is reserved nothing may take it away (D32, INT-3). */
export function landingInProgress({ id, landing }: ItemState): Rejection | undefined {
  if (landing.kind !== 'reserved') return undefined;
  const next = 'Wait until the landing has ended, then try again.';
  return reject('landing_in_progress', `The result of ${id} is being landed on ${landing.branch}.`, { next });
}

export function tooLong(text: string | undefined): Rejection | undefined {
  const { guidanceChars } = ACTION_LIMITS;
  if (text === undefined || text.length <= guidanceChars) return undefined;
  const more = { expected: `at most ${guidanceChars} characters`, found: `${text.length}` };
  return reject('invalid_field', 'The text is too long.', more);
}

/** The addressed Action at the generation the caller read, or the refusal (D5). */
export function fencedAction(state: ItemState, actionId: string, generation: number): ActionState | Rejection {
  const action = actionById(state, actionId);
  if (!action) {
    const expected = `one of: ${state.actions.map(({ id }) => id).join(', ') || 'none'}`;
    return reject('action_not_found', `Item ${state.id} has no Action ${actionId}.`, { expected });
  }
  if (action.generation === generation) return action;
  return reject('generation_stale', `Action ${actionId} has moved on.`, {
    expected: `generation ${generation}`,
    found: `generation ${action.generation}`,
    next: 'Read the Action again and decide on what it is now.',
  });
}

export const isAction = (value: ActionState | Rejection): value is ActionState => 'spec' in value;

/** A Run that is live, and whose it is. */
export type Live = Readonly<{ state: ItemState; run: LiveRun; action: ActionState }>;

/** The live Run that an owner claims to hold; anything else is a lost lease (D8, LSE-1). */
export function fencedRun(state: ItemState, runId: string, epoch: number, owner?: string): Live | Rejection {
  const run = state.runs.find(({ id }) => id === runId);
  if (!run || run.epoch !== epoch || (owner !== undefined && run.owner !== owner)) {
    const found = run ? `epoch ${run.epoch} of ${run.owner}` : 'no live Run';
    const next = 'Stop working on it; what it left behind is kept.';
    return reject('lease_lost', `Run ${runId} is no longer held at epoch ${epoch}.`, { found, next });
  }
  const action = actionById(state, run.actionId);
  invariant(action, `item ${state.id}: live run ${runId} belongs to no action`);
  return { state, run, action };
}

export const isLive = (value: Live | Rejection): value is Live => 'run' in value;

/** A handler of an owner's command: it sees the live Run that the fence speaks for, or nothing (D8). */
export const byOwner =
  <B extends { readonly fence: RunFence }>(handle: (live: Live, body: B, ctx: Context) => Answer) =>
  (state: ItemState, body: B, ctx: Context): Answer => {
    const live = fencedRun(state, body.fence.runId, body.fence.epoch, body.fence.owner);
    return isLive(live) ? handle(live, body, ctx) : live;
  };

/** What a hold shuts out: no claim, no dispatch, no decision (D9). */
export const whyHalted = ({ id, hold }: ItemState): Rejection | undefined =>
  hold && reject('item_held', `Item ${id} is held: ${hold.details}`);

/** The open turn that an owner claims to hold (D21). */
export function fencedTurn({ coordinator }: ItemState, { turnId, epoch, owner }: TurnFence): OpenTurn | Rejection {
  const { turn } = coordinator;
  if (turn?.id === turnId && turn.epoch === epoch && turn.owner === owner) return turn;
  const found = turn ? `turn ${turn.id}, epoch ${turn.epoch} of ${turn.owner}` : 'no open turn';
  const next = 'What it decided changes nothing; what it used is charged.';
  return reject('lease_lost', `Turn ${turnId} is no longer held at epoch ${epoch}.`, { found, next });
}
