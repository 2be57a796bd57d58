import type { CommandOf, Context } from '../command.ts';
import { decisionDueAt } from '../derive/due.ts';
import type { EventBody } from '../event.ts';
import { COORDINATOR_LIMITS, type ItemState, type OpenTurn } from '../model/index.ts';
import { reject } from '../rejection.ts';
import { lostWith } from './calls.ts';
import { type Answer, fencedTurn, type Handlers, mustBeOpen, openRequest, whyHalted } from './handler.ts';

const BACKOFF = Object.freeze({ firstMs: 1_000, maxMs: 300_000 });

/** Back-off of a Coordinator that failed `failures` times in a row. */
const backOffMs = (failures: number): number => Math.min(BACKOFF.firstMs * 2 ** failures, BACKOFF.maxMs);

const generationsOf = ({ actions }: ItemState): OpenTurn['generations'] =>
  Object.fromEntries(actions.map(({ id, generation }) => [id, generation]));

/** One turn at a time; only what a person said gives it a person's origin (D17, D20). */
function open(state: ItemState, { turnId, epoch, owner }: CommandOf<'OpenTurn'>, ctx: Context): Answer {
  const shut = mustBeOpen(state) ?? whyHalted(state);
  if (shut) return shut;
  if (state.coordinator.turn) return reject('wrong_state', `Turn ${state.coordinator.turn.id} is open already.`);
  if (epoch < state.coordinator.epoch)
    return reject('lease_lost', `Turns were held at epoch ${state.coordinator.epoch}.`);
  const at = decisionDueAt(state);
  if (at === undefined || at > ctx.now) return reject('no_decision_due', `Item ${state.id} owes no decision now.`);
  const turn: OpenTurn = {
    id: turnId,
    origin: state.inbox.length > 0 ? 'user' : 'automatic',
    epoch,
    owner,
    openedSeq: state.version,
    contractVersion: state.contractVersion,
    generations: generationsOf(state),
  };
  return [{ type: 'TurnOpened', turn }];
}

/** A request that was sent and whose answer is lost is not sent again without a person (invariant 5). */
function askAgain(state: ItemState, callId: string, ctx: Context): EventBody {
  const question = "The Coordinator's model request was sent, and its answer was lost. Ask again?";
  const details = ['The request may have been charged; its estimate stays on the budget.'];
  const subject = { kind: 'call_unknown', callId } as const;
  return openRequest(state, { kind: 'recovery', subject, question, details }, ctx.now);
}

function fail(state: ItemState, body: CommandOf<'FailTurn'>, ctx: Context): Answer {
  const turn = fencedTurn(state, body);
  if ('code' in turn) return turn;
  const { code, error, counted, permanent, park } = body;
  const failures = state.coordinator.failures + (counted ? 1 : 0);
  const isHeld = permanent || (counted && failures >= COORDINATOR_LIMITS.failures);
  const times = permanent ? 'cannot work' : `failed ${failures} times in a row`;
  const details = `The Coordinator ${times} (${code}): ${error.slice(0, 1_000)}`;
  const hold: EventBody = { type: 'ItemHeld', hold: { code: 'coordinator_failures', at: ctx.now, details } };
  const sent = lostWith(state, turn.id);
  const known = state.uncertain.find(({ of }) => of.kind === 'turn' && of.turnId === turn.id);
  const lost = body.lostCall ?? known?.id ?? sent[0]?.callId;
  // Who waits for a person promises no other try, and is not kept waiting once the person has spoken.
  const isAgain = counted && !isHeld && lost === undefined;
  const retryAt = isAgain ? ctx.now + backOffMs(failures - 1) : ctx.now;
  const failed: EventBody = { type: 'TurnFailed', turnId: turn.id, code, error, retryAt, counted };
  if (lost !== undefined) return [...sent, failed, askAgain(state, lost, ctx)];
  return [failed, ...(park ? [{ type: 'ItemParked', parked: park } as const] : []), ...(isHeld ? [hold] : [])];
}

export const TURN_HANDLERS: Handlers<'OpenTurn' | 'AdoptTurn' | 'FailTurn'> = {
  OpenTurn: open,
  /** A lease under a higher epoch is proof that nobody else holds the turn (D8). */
  AdoptTurn(state, { turnId, epoch, owner }) {
    const { turn } = state.coordinator;
    if (turn?.id !== turnId) return reject('lease_lost', `Turn ${turnId} is not open.`);
    if (epoch > turn.epoch) return [{ type: 'TurnAdopted', turnId, epoch, owner }];
    return reject('lease_lost', `Turn ${turnId} is held at epoch ${turn.epoch}.`, { found: `epoch ${epoch}` });
  },
  FailTurn: fail,
};
