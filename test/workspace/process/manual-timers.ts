import type { Timers } from '../../../src/workspace/process/timers.ts';

/** Timers that fire only when told to. */
export interface ManualTimers extends Timers {
  pendingDelaysMs(): number[];
  fire(delayMs: number): void;
}

export function manualTimers(): ManualTimers {
  const pending = new Map<object, { callback: () => void; delayMs: number }>();
  return {
    setTimeout: (callback, delayMs) => {
      const handle = {};
      pending.set(handle, { callback, delayMs });
      return handle;
    },
    clearTimeout: (handle) => {
      if (typeof handle === 'object' && handle !== null) pending.delete(handle);
    },
    pendingDelaysMs: () => [...pending.values()].map(({ delayMs }) => delayMs),
    fire: (delayMs) => {
      const due = [...pending].filter(([, timer]) => timer.delayMs === delayMs);
      if (due.length === 0) throw new Error(`No timer of ${delayMs} ms is pending.`);
      for (const [handle, { callback }] of due) {
        pending.delete(handle);
        callback();
      }
    },
  };
}
