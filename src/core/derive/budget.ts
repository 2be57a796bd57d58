import type { ActionState, BudgetCode, Charge, ItemState } from '../model/index.ts';

/** Attempts an Action may still consume over its life (D12, D26). */
export const attemptCap = (state: ItemState, action: ActionState): number =>
  Math.min(action.spec.maxAttempts + state.limits.attemptsExtension, state.limits.attempts) + action.grantedAttempts;

export const hasAttempts = (state: ItemState, action: ActionState): boolean =>
  action.attempts < attemptCap(state, action);

/** Attempts a person must grant so that one more try is possible. */
export const missingAttempts = (state: ItemState, action: ActionState): number =>
  Math.max(0, action.attempts + 1 - attemptCap(state, action));

export interface WallClock {
  readonly limitSec: number | null;
  readonly usedSec: number;
  /** Time limits of live Runs: reserved before dispatch, settled after (D26). */
  readonly reservedSec: number;
  readonly exhausted: boolean;
  /** Four fifths are used. */
  readonly warning: boolean;
}

export function wallClock(state: ItemState): WallClock {
  const limitSec = state.limits.wallClockSec;
  const usedSec = state.usage.wallMs / 1000;
  const reservedSec = state.runs.reduce((sum, run) => sum + run.timeLimitSec, 0);
  return {
    limitSec,
    usedSec,
    reservedSec,
    exhausted: limitSec !== null && usedSec >= limitSec,
    warning: limitSec !== null && usedSec >= limitSec * 0.8,
  };
}

/**
 * Seconds a new Run may take: its own limit, or what is left when nothing else runs. Undefined when it has to
 * wait for reserved time to be settled (D26: fits the settled total but not the reserved one).
 */
export function grantSeconds(state: ItemState, wantedSec: number): number | undefined {
  const { limitSec, usedSec, reservedSec, exhausted } = wallClock(state);
  if (exhausted) return undefined;
  if (limitSec === null || usedSec + reservedSec + wantedSec <= limitSec) return wantedSec;
  if (state.runs.length > 0) return undefined;
  return Math.max(1, Math.ceil(limitSec - usedSec));
}

/** One limited resource of model calls: what was settled, and what open calls have reserved (D26). */
export interface Room {
  readonly code: BudgetCode;
  readonly what: 'requests' | 'tokens' | 'costMicros';
  readonly limit: number | null;
  readonly used: number;
  readonly reserved: number;
}

const ROOMS: readonly (readonly [Room['what'], BudgetCode])[] = [
  ['requests', 'requests_exhausted'],
  ['tokens', 'tokens_exhausted'],
  ['costMicros', 'money_exhausted'],
];

/** What one call takes of each. */
const WANTED: Readonly<Record<Room['what'], (estimate: Charge) => number>> = {
  requests: () => 1,
  tokens: ({ tokens }) => tokens,
  costMicros: ({ costMicros }) => costMicros ?? 0,
};

/** Requests, tokens and money of an item, each against its limit. */
export function roomsOf({ usage, limits, calls }: ItemState): readonly Room[] {
  const open = calls.filter(({ status }) => status === 'prepared' || status === 'dispatching');
  return ROOMS.map(([what, code]) => {
    const reserved = open.reduce((sum, { estimate }) => sum + WANTED[what](estimate), 0);
    return { code, what, limit: limits[what], used: usage[what], reserved };
  });
}

/** `$0.0384`, `120 requests`: for people. */
export function sayAmount(what: Room['what'], amount: number): string {
  if (what === 'costMicros') return `$${(amount / 1_000_000).toFixed(4)}`;
  return `${amount} ${amount === 1 ? what.slice(0, -1) : what}`;
}

const isSpent = ({ limit, used }: Room): boolean => limit !== null && used >= limit;

/** The first resource whose settled use leaves no room for another call. */
export const spentRoom = (state: ItemState): Room | undefined => roomsOf(state).find(isSpent);

/** Four fifths of something are used. */
export const nearlySpent = (state: ItemState): readonly Room[] =>
  roomsOf(state).filter(({ limit, used }) => limit !== null && used >= limit * 0.8);

/**
 * The resource for which a call has to wait until others have settled. One that is alone may use the rest of the room,
 * whatever it may cost: so a limit is passed by one call at most.
 */
export const fullRoom = (state: ItemState, estimate: Charge): Room | undefined =>
  roomsOf(state).find(
    ({ limit, used, reserved, what }) =>
      limit !== null && reserved > 0 && used + reserved + WANTED[what](estimate) > limit,
  );
