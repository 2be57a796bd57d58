import { setImmediate } from 'node:timers/promises';
import { sha256Hex, toBytes } from '../sha256.ts';
import type { Store } from '../store.ts';
import type { Connection } from './connection.ts';
import type { Statements } from './statements.ts';

/** A body with its hash, ready to be stored. */
export interface Body {
  readonly hash: string;
  readonly bytes: Uint8Array;
}

export function bodyOf(content: Uint8Array | string): Body {
  const bytes = toBytes(content);
  return { hash: sha256Hex(bytes), bytes };
}

/** Stores a body inside the caller's transaction. */
export const putBody = (s: Statements, { hash, bytes }: Body, at: number): unknown =>
  s.putContent.run(hash, bytes.byteLength, bytes, at);

type ContentMethods = Pick<Store, 'putContent' | 'getContent' | 'gcContent'>;

/** Bodies removed per transaction, so that nobody waits long for the write lock. */
const GC_BATCH = 200;

interface OldBody {
  readonly hash: string;
  readonly storedAt: number;
}

/** The age is asked again under the lock: a body that was put in between is young. */
const drop = (s: Statements, hashes: readonly string[], olderThan: number): number =>
  hashes.reduce((sum, hash) => sum + s.dropContent.run(hash, olderThan).changes, 0);

async function collect(connection: Connection, olderThan: number, referenced: ReadonlySet<string>): Promise<number> {
  const s = connection.statements;
  let removed = 0;
  let from: OldBody | undefined = { hash: '', storedAt: Number.MIN_SAFE_INTEGER };
  while (from) {
    const { storedAt, hash }: OldBody = from;
    const batch: readonly OldBody[] = await connection.read(() =>
      s.oldContent.all(olderThan, storedAt, hash, GC_BATCH),
    );
    const dead = batch.filter((row) => !referenced.has(row.hash));
    const hashes = dead.map(({ hash: each }) => each);
    if (hashes.length > 0) removed += await connection.write(() => drop(s, hashes, olderThan));
    from = batch.at(-1);
    await setImmediate();
  }
  return removed;
}

/** Big bodies by the hash of their bytes: stored once, never inside events. */
export const contentMethods = (connection: Connection, now: () => number): ContentMethods => ({
  putContent: async (body) => {
    const made = bodyOf(body);
    await connection.write(() => putBody(connection.statements, made, now()));
    return { hash: made.hash, bytes: made.bytes.byteLength };
  },
  getContent: (hash) => connection.read(() => connection.statements.getContent.get(hash)?.body),
  gcContent: ({ olderThan, referenced = new Set(), only }) =>
    only
      ? connection.write(() =>
          drop(
            connection.statements,
            only.filter((hash) => !referenced.has(hash)),
            olderThan,
          ),
        )
      : collect(connection, olderThan, referenced),
});
