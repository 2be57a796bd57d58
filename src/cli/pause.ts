/** Resolves after `ms`, when `wake` is called, or when the signal aborts; never rejects. */
export interface Pause {
  readonly wait: (ms: number) => Promise<void>;
  readonly wake: () => void;
}

export function openPause(signal: AbortSignal): Pause {
  let release: (() => void) | undefined;
  let woken = false;
  const wake = (): void => {
    woken = true;
    release?.();
  };
  const wait = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      if (woken || signal.aborted) {
        woken = false;
        resolve();
        return;
      }
      const finish = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', finish);
        release = undefined;
        woken = false;
        resolve();
      };
      const timer = setTimeout(finish, ms);
      signal.addEventListener('abort', finish, { once: true });
      release = finish;
    });
  return { wait, wake };
}
