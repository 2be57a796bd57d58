import { type ItemState, laneOf } from '../../core/index.ts';
import { newWaiter } from '../routes/waiter.ts';
import type { McpDeps } from './deps.ts';

/** Why a wait is over: the item ended, or only a person moves it on. */
export type Rest = 'done' | 'cancelled' | 'waits_for_person';

/** Clients give a request up after about a minute in which they heard nothing. */
const SIGN_OF_LIFE_MS = 10_000;

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
  const waiter = newWaiter(store, SIGN_OF_LIFE_MS, signal);
  const untilMs = now() + limitMs;
  let toldVersion = -1;
  try {
    for (let isQuiet = false; ; isQuiet = (await waiter.next()) === 'quiet') {
      const state = await store.load(itemId);
      if (!state || restOf(state) || waiter.ended || now() >= untilMs) return state;
      if (isQuiet || state.version !== toldVersion) await tell(state);
      toldVersion = state.version;
    }
  } finally {
    waiter.end();
  }
}
