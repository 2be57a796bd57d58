import { type ItemState, laneOf } from '../../core/index.ts';
import { newWaiter } from '../live/waiter.ts';
import type { McpDeps } from './deps.ts';

/** Why a wait is over: the item ended, or only a person moves it on. */
export type Rest = 'done' | 'cancelled' | 'waits_for_person';

/** Clients give a request up after about a minute in which they heard nothing. */
const SIGN_OF_LIFE_MS = 10_000;
/** How soon a commit of another process is seen. */
const POLL_MS = 1_000;

/** Nothing while the engine carries the item; a draft waits for whoever starts it. */
export function restOf(state: ItemState): Rest | undefined {
  const { lifecycle } = state;
  if (lifecycle === 'done' || lifecycle === 'cancelled') return lifecycle;
  return laneOf(state) === 'active' ? undefined : 'waits_for_person';
}

export interface Wait {
  readonly itemId: string;
  readonly limitMs: number;
  readonly signal: AbortSignal;
  /** Hears of every change that was seen, and now and then that nothing changed. */
  readonly tell: (state: ItemState) => Promise<void>;
}

/** Resolves with the state at which the item rests, or which it had when the limit or the signal came; none: no item. */
export async function waitForRest(
  { store, now }: Pick<McpDeps, 'store' | 'now'>,
  { itemId, limitMs, signal, tell }: Wait,
): Promise<ItemState | undefined> {
  const waiter = newWaiter(signal);
  const unsubscribe = store.onCommit(({ id }) => {
    if (id === itemId) waiter.stir();
  });
  const untilMs = now() + limitMs;
  let told = { version: -1, atMs: 0 };
  try {
    for (;;) {
      const state = await store.load(itemId);
      if (!state || restOf(state) || waiter.ended || now() >= untilMs) return state;
      const atMs = performance.now();
      if (state.version !== told.version || atMs - told.atMs >= SIGN_OF_LIFE_MS) {
        await tell(state);
        told = { version: state.version, atMs };
      }
      await waiter.next(POLL_MS);
    }
  } finally {
    unsubscribe();
    waiter.end();
  }
}
