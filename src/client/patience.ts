import type { ClientProblem } from './answer.ts';

/** A server that is not there now, or busy, may be there again; every other refusal stands. */
export const mayPass = ({ status }: ClientProblem): boolean => status === 0 || status === 429 || status >= 500;

/** Resolves after a while, or at once when the signal aborts. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    if (signal?.aborted) done();
    else signal?.addEventListener('abort', done, { once: true });
  });
}
