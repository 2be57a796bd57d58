import type { Timers } from './timers.ts';

export interface WatchdogSpec {
  readonly timeoutMs?: number | undefined;
  readonly silenceMs?: number | undefined;
  readonly timers: Timers;
  /** Called at most once, with what ran out. */
  onExpired(cause: 'timed_out' | 'silent', detail: string): void;
}

/** Limits on a command: its whole length, and how long it may print nothing. */
export interface Watchdog {
  /** Output arrived: the silence ends, and is not counted until `listen`. */
  heard(): void;
  /** The output was taken: silence counts again. */
  listen(): void;
  stop(): void;
}

/**
 * Starts both limits. When one runs out, the event loop is first given two turns to deliver what was already
 * there: after the engine itself was frozen, its timers are due before the output that waits in the pipe.
 */
export function startWatchdog(spec: WatchdogSpec): Watchdog {
  let stopped = false;
  let heardCount = 0;
  let silence: unknown = null;

  const expire = (cause: 'timed_out' | 'silent', limitMs: number, stillTrue: () => boolean) =>
    afterTwoTurns(() => {
      if (stopped || !stillTrue()) return;
      stop();
      const what = cause === 'silent' ? 'printed nothing for' : 'ran longer than';
      spec.onExpired(cause, `The command ${what} ${limitMs} ms.`);
    });
  const arm = (limitMs: number | undefined, fire: (limitMs: number) => void) =>
    limitMs === undefined ? null : spec.timers.setTimeout(() => fire(limitMs), limitMs);
  const disarm = (handle: unknown) => {
    if (handle !== null) spec.timers.clearTimeout(handle);
  };
  const listen = () => {
    if (stopped) return;
    disarm(silence);
    const seen = heardCount;
    silence = arm(spec.silenceMs, (limitMs) => expire('silent', limitMs, () => heardCount === seen));
  };
  const total = arm(spec.timeoutMs, (limitMs) => expire('timed_out', limitMs, () => true));
  const stop = () => {
    stopped = true;
    disarm(total);
    disarm(silence);
  };
  const heard = () => {
    heardCount += 1;
    disarm(silence);
    silence = null;
  };
  listen();
  return { heard, listen, stop };
}

function afterTwoTurns(callback: () => void): void {
  setImmediate(() => setImmediate(callback));
}
