import type { Store } from '../store/store.ts';
import { addKept, changeKept, type Kept, type Queue, queuesOf, readAs } from './records.ts';

/** Which deliveries of which item wait for which webhook. */
interface Place {
  readonly webhookId: string;
  readonly itemId: string;
  readonly deliveryId: string;
}

/**
 * Puts a delivery behind the others of its item, due at `now` when it is the first; where it stands already it stays.
 * `atOnce` makes the first one due whatever it waited for.
 */
export async function enqueue(store: Store, place: Place, now: number, atOnce = false): Promise<void> {
  const { webhookId, itemId, deliveryId } = place;
  const kind = queuesOf(webhookId);
  const first = { id: itemId, at: now, value: { waiting: [deliveryId] } };
  for (;;) {
    if (await addKept(store, kind, first)) return;
    const found = await changeKept(store, kind, itemId, ({ value: { waiting } }) => {
      const isThere = waiting.includes(deliveryId);
      if (isThere && !atOnce) return undefined;
      return { ...(atOnce ? { at: now } : {}), value: { waiting: isThere ? waiting : [...waiting, deliveryId] } };
    });
    // Somebody took the last one out of it in between: it is begun anew.
    if (found) return;
  }
}

/** Takes the first one out; the next one is due at `now`. Nothing happens when somebody else did so. */
export async function takeOut(store: Store, row: Kept<Queue>, now: number): Promise<void> {
  const [, ...waiting] = row.value.waiting;
  if (waiting.length === 0) await store.dropRecord(row.kind, row.id, row.version);
  else await postpone(store, { ...row, value: { waiting } }, now);
}

/** The first one is due at `at`. */
export const postpone = ({ putRecord }: Pick<Store, 'putRecord'>, row: Kept<Queue>, at: number): Promise<boolean> =>
  putRecord({ kind: row.kind, id: row.id, at, value: row.value }, row.version);

/** Queues whose first delivery is due, the longest due first. */
export async function dueQueues(
  store: Store,
  webhookId: string,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<readonly Kept<Queue>[]> {
  const kind = queuesOf(webhookId);
  return (await store.listRecords(kind.name, { until: now, limit })).map((row) => readAs(kind, row));
}
