import { setTimeout as pause } from 'node:timers/promises';
import type { CommandBody } from '../core/index.ts';
import { isStoreError, StoreError } from '../store/store-error.ts';
import { GitFailure } from '../workspace/git/run-git.ts';
import { issue, type World } from './world.ts';

/** What a store may recover from by itself: space, a lock or a disk that comes back. */
export const isPassing = (error: unknown): error is StoreError =>
  isStoreError(error) && (error.code === 'store_busy' || error.code === 'store_full' || error.code === 'store_io');

/** The disk was full where we, or git in our name, write; the executor has no part in it. Its own output says nothing. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof GitFailure
    ? /No space left on device|Disk quota exceeded/.test(error.stderr)
    : error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');

const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2_000;

/**
 * Repeats what the store could not do, for one lease length (for the shutdown time once the signal is given): what
 * a Run has achieved must not be lost to a disk that was full for a moment. Then the last error is thrown, the lease
 * runs out, and the sweeper hands the work on. `work` has to bear being done twice, for a commit may be unknown.
 */
export async function persist<T>(world: World, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const { settings, log } = world;
  const startedMs = performance.now();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      const limitMs = signal.aborted ? Math.min(settings.shutdownMs, settings.leaseMs) : settings.leaseMs;
      if (!isPassing(error) || performance.now() - startedMs + pauseMs > limitMs) throw error;
      log('the store failed; it will be asked again', { code: error.code });
    }
    await pause(pauseMs);
  }
}

/** A command that is repeated like that. A store that was busy for its whole waiting time counts as failing. */
export function issueSurely(
  world: World,
  signal: AbortSignal,
  itemId: string,
  body: CommandBody,
): ReturnType<typeof issue> {
  return persist(world, signal, async () => {
    const result = await issue(world, itemId, body);
    if ('code' in result && result.code === 'store_busy') throw new StoreError('store_busy', result.message);
    return result;
  });
}
