import type { ActionState, ItemState } from '../model/index.ts';

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
