import type { Store } from '../src/store/index.ts';
import { claim, create, dispatch, itemId, settle } from './items.ts';
import { mustHave } from './seed.ts';

/**
 * One cycle as the engine drives it: ask what is due, claim it, dispatch it, settle it. The settlement proves every
 * criterion, so it also ends the item.
 */
export async function carryNext(store: Store, run: string): Promise<void> {
  const [due] = await store.dueItems({ now: Date.now() + 1_000, limit: 1 });
  if (!due) throw new Error('nothing is due');
  const cycle = { item: due.itemId, run };
  mustHave(await store.execute(claim(cycle)));
  mustHave(await store.execute(dispatch(cycle)));
  mustHave(await store.execute(settle(cycle)));
}

/** Creates `count` items behind all others; kept out of what is timed. */
export async function topUp(store: Store, from: number, count: number): Promise<void> {
  for (let index = from; index < from + count; index++) mustHave(await store.execute(create(itemId(index), index)));
}
