/** The two functions that time-outs go through, so that tests can move time. */
export interface Timers {
  setTimeout(callback: () => void, delayMs: number): unknown;
  clearTimeout(handle: unknown): void;
}

/** Longer delays would overflow into an immediate firing. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

export const systemTimers: Timers = Object.freeze({
  setTimeout: (callback: () => void, delayMs: number) => setTimeout(callback, Math.min(delayMs, LONGEST_DELAY_MS)),
  clearTimeout: (handle: unknown) => clearTimeout(handle as NodeJS.Timeout | undefined),
});
