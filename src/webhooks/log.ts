import type { SideRecord, Store } from '../store/store.ts';
import { type Delivery, deliveriesOf, type Kept, type Kind, readAs } from './records.ts';

/** What is kept of the deliveries of a webhook; what still waits is kept whatever its age. */
export const LOG_LIMITS = Object.freeze({ deliveries: 200, ageMs: 30 * 24 * 3_600_000 });

const PAGE = 100;

type Behind = Pick<SideRecord, 'at' | 'id'>;

export interface LogPage {
  readonly deliveries: readonly Kept<Delivery>[];
  /** The place behind which the next page begins; absent on the last one. */
  readonly next?: Behind;
}

/** Deliveries of a webhook, newest first. */
export async function readLog(
  store: Store,
  webhookId: string,
  { limit, behind }: { readonly limit: number; readonly behind?: Behind },
): Promise<LogPage> {
  const kind = deliveriesOf(webhookId);
  const from = behind === undefined ? {} : { behind };
  const rows = await store.listRecords(kind.name, { newestFirst: true, limit: limit + 1, ...from });
  const deliveries = rows.slice(0, limit).map((row) => readAs(kind, row));
  const last = deliveries.at(-1);
  return { deliveries, ...(rows.length > limit && last ? { next: { at: last.at, id: last.id } } : {}) };
}

/** Drops what is settled and too old, or beyond the newest; answers how many. */
export async function pruneLog(store: Store, webhookId: string, now: number): Promise<number> {
  const kind = deliveriesOf(webhookId);
  let dropped = 0;
  let seen = 0;
  let behind: Behind | undefined;
  for (;;) {
    const page = await readLog(store, webhookId, { limit: PAGE, ...(behind === undefined ? {} : { behind }) });
    for (const { id, at, version, value } of page.deliveries) {
      seen += 1;
      const isOld = seen > LOG_LIMITS.deliveries || now - at > LOG_LIMITS.ageMs;
      if (isOld && value.state !== 'waiting' && (await store.dropRecord(kind.name, id, version))) dropped += 1;
    }
    if (!page.next) return dropped;
    behind = page.next;
  }
}

/** Drops every record of a kind. */
export async function dropAll<T>(store: Store, { name }: Pick<Kind<T>, 'name'>): Promise<void> {
  for (;;) {
    const rows = await store.listRecords(name, { limit: PAGE });
    for (const { id } of rows) await store.dropRecord(name, id);
    if (rows.length < PAGE) return;
  }
}
