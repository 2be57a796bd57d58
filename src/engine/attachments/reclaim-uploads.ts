import type { Store } from '../../store/store.ts';
import { dropUpload, expiredUploads, type Upload } from './uploads.ts';

const HOUR_MS = 3_600_000;
const PAGE = 500;
const HASH = /[0-9a-f]{64}/g;

/** Which of these hashes the events of any item name. */
async function namedByItems(store: Store, wanted: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const named = new Set<string>();
  for (let cursor: string | undefined = '', isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const page = await store.list({ limit: PAGE, ...(cursor ? { cursor } : {}) });
    for (const { id } of page.items) {
      for await (const text of eventTexts(store, id)) {
        for (const [hash] of text.matchAll(HASH)) if (wanted.has(hash)) named.add(hash);
      }
    }
    cursor = page.nextCursor;
  }
  return named;
}

async function* eventTexts(store: Store, itemId: string): AsyncGenerator<string> {
  for (let after = 0; ; ) {
    const events = await store.events(itemId, { after, limit: PAGE });
    for (const { body } of events) yield JSON.stringify(body);
    const last = events.at(-1);
    if (events.length < PAGE || !last) return;
    after = last.seq;
  }
}

/**
 * Uploads that expired unused or used; with `apply` they are forgotten, and their bytes are removed unless an item names
 * them or somebody stored the same bytes within the last hour. An item that cannot be read keeps all bytes.
 */
export async function reclaimUploads(store: Store, now: number, apply: boolean): Promise<readonly Upload[]> {
  const expired = await expiredUploads(store, now);
  if (!apply || expired.length === 0) return expired;
  const hashes = new Set(expired.map(({ hash }) => hash));
  const named = await namedByItems(store, hashes);
  for (const upload of expired) await dropUpload(store, upload.id);
  const only = [...hashes].filter((hash) => !named.has(hash));
  await store.gcContent({ olderThan: now - HOUR_MS, only });
  return expired;
}
