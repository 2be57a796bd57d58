import { evolve, type ItemState, type StoredEvent } from '../core/index.ts';
import { decodeEvent } from './event-codec.ts';
import { ask, type StoreProgram } from './ops.ts';
import type { EventRow, SnapshotRow } from './rows.ts';

/** Shape of the state inside snapshots; raise it when `ItemState` changes, and old snapshots are not read again. */
export const SNAPSHOT_FORMAT = 2;

/**
 * Events between snapshots: what a cold load folds at most. A snapshot holds the whole item, so that writing one often
 * would make an old item slow; folding this many events takes about as long as reading one snapshot.
 */
export const SNAPSHOT_EVERY = 256;

/** The folded state (none for an empty stream), or why the stream cannot be folded. */
export type ReadState =
  | { readonly type: 'read'; readonly state: ItemState | undefined; readonly chars: number }
  | { readonly type: 'quarantined'; readonly reason: string };

export type FoldResult =
  | { readonly type: 'folded'; readonly state: ItemState | undefined }
  | { readonly type: 'unfoldable'; readonly reason: string };

/** Folds stored rows onto a state; stops at the first row that is damaged, missing or refuses to fold. */
export function foldRows(
  itemId: string,
  rows: readonly EventRow[],
  from: ItemState | undefined,
  each?: (before: ItemState | undefined, after: ItemState, event: StoredEvent) => void,
): FoldResult {
  let state = from;
  for (const row of rows) {
    const expected = (state?.version ?? 0) + 1;
    if (row.seq !== expected) return { type: 'unfoldable', reason: `event ${expected} is missing` };
    const decoded = decodeEvent(row);
    if (decoded.type === 'unreadable') return { type: 'unfoldable', reason: decoded.reason };
    try {
      const next = evolve(state, itemId, decoded.event);
      each?.(state, next, decoded.event);
      state = next;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { type: 'unfoldable', reason: `event ${row.seq} does not fold: ${why}` };
    }
  }
  return { type: 'folded', state };
}

/** A snapshot is only a shortcut: one that cannot be used is ignored, and the events are folded instead. */
export function decodeSnapshot(row: SnapshotRow | undefined, itemId: string): ItemState | undefined {
  if (row?.format !== SNAPSHOT_FORMAT) return undefined;
  try {
    const state = JSON.parse(row.data) as ItemState;
    return state.id === itemId && state.version === row.version ? state : undefined;
  } catch {
    return undefined;
  }
}

/**
 * State at `version`: the cached one when it is current, else cached or snapshot plus the events behind it.
 * `chars` measures what had to be read, for the cache's size bound.
 */
export function* readState(itemId: string, version: number, cached: ItemState | undefined): StoreProgram<ReadState> {
  if (version === 0) return { type: 'read', state: undefined, chars: 0 };
  if (cached?.version === version) return { type: 'read', state: cached, chars: 0 };
  let from = cached && cached.version < version ? cached : undefined;
  let chars = 0;
  if (!from) {
    const row = yield* ask({ op: 'snapshot', itemId });
    const usable = row && row.version <= version ? row : undefined;
    from = decodeSnapshot(usable, itemId);
    chars = from ? (usable?.data.length ?? 0) : 0;
  }
  const rows = yield* ask({ op: 'events', itemId, after: from?.version ?? 0, through: version });
  const folded = foldRows(itemId, rows, from);
  if (folded.type === 'unfoldable') return { type: 'quarantined', reason: folded.reason };
  if (folded.state?.version !== version) {
    return { type: 'quarantined', reason: `event ${(folded.state?.version ?? 0) + 1} is missing` };
  }
  for (const row of rows) chars += row.data.length;
  return { type: 'read', state: folded.state, chars };
}
