import type { ItemState } from '../core/model/item.ts';
import type { App } from './app.ts';
import { openPause } from './pause.ts';
import type { LiveTail } from './server/live-tail.ts';

/** How often another process's commits, and live output, are looked for. */
const POLL_MS = 400;
/** The same over a network, where every look is a request. */
const REMOTE_POLL_MS = 1_000;

export interface Follower {
  /** Called with the state at first, after each change, and at every poll in between. Must not throw. */
  readonly show: (state: ItemState, changed: boolean) => Promise<void>;
  /** Ends the following. */
  readonly isOver: (state: ItemState) => boolean;
  /** Wakes it when another process has committed; without it that is found by polling alone. */
  readonly onEvent?: LiveTail['onEvent'] | undefined;
}

/**
 * Follows one item until it is over or the signal aborts; answers the last state. Own commits wake it at once, other
 * processes' are found by polling.
 */
export async function followItem(
  app: App,
  itemId: string,
  follower: Follower,
  signal: AbortSignal,
): Promise<ItemState | undefined> {
  const { store } = app;
  const pause = openPause(signal);
  const pollMs = (await app.server?.())?.isRemote ? REMOTE_POLL_MS : POLL_MS;
  const unsubscribe = store.onCommit((state) => {
    if (state.id === itemId) pause.wake();
  });
  const stopListening = follower.onEvent?.(pause.wake);
  try {
    let shown = -1;
    for (;;) {
      const state = await store.load(itemId);
      if (!state) return undefined;
      await follower.show(state, state.version !== shown);
      shown = state.version;
      if (signal.aborted || follower.isOver(state)) return state;
      await pause.wait(pollMs);
    }
  } finally {
    unsubscribe();
    stopListening?.();
  }
}
