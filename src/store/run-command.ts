import { type Command, type ItemState, isRejection, type Policy, type Rejection } from '../core/index.ts';
import type { CommitFeed } from './commit-feed.ts';
import type { DoorEnv, DoorResult, Executed } from './door.ts';
import { DEFAULT_POLICY } from './door.ts';
import { sha256Hex } from './sha256.ts';
import type { StateCache } from './state-cache.ts';
import { StoreError } from './store-error.ts';

/** What every store does around the door, whatever database answers it. */
export interface Around {
  readonly cache: StateCache;
  readonly feed: CommitFeed;
  /** Takes an item that cannot be read out of everybody's way. */
  readonly quarantine: (itemId: string, reason: string) => Promise<void>;
}

/** The limits that somebody sets; the others are `DEFAULT_POLICY`'s. */
export type PolicyChoice = Partial<Policy>;

export const doorEnv = (cache: StateCache, policy: () => PolicyChoice = () => DEFAULT_POLICY): DoorEnv => ({
  hash: sha256Hex,
  get policy() {
    return { ...DEFAULT_POLICY, ...policy() };
  },
  cached: cache.get,
});

/** After the transaction: remembers the state, wakes listeners, puts a broken item aside. */
export async function finishCommand(
  { cache, feed, quarantine }: Around,
  { itemId }: Command,
  { answer, chars }: DoorResult,
): Promise<Executed | Rejection> {
  if (isRejection(answer)) {
    if (answer.code !== 'item_quarantined') return answer;
    cache.drop(itemId);
    await quarantine(itemId, answer.found ?? answer.message);
    return answer;
  }
  cache.put(answer.state, chars);
  if (!answer.replayed) feed.publish(answer.state, answer.events);
  return answer;
}

/** After a read: the state, or the error that names the damage of this one item. */
export async function finishLoad(
  { cache, quarantine }: Around,
  itemId: string,
  { answer, chars }: { readonly answer: ItemState | undefined | Rejection; readonly chars: number },
): Promise<ItemState | undefined> {
  if (answer === undefined) return undefined;
  if (!isRejection(answer)) {
    if (chars > 0) cache.put(answer, chars);
    return answer;
  }
  cache.drop(itemId);
  await quarantine(itemId, answer.found ?? answer.message);
  throw new StoreError('item_quarantined', answer.message);
}
