import { setImmediate } from 'node:timers/promises';
import type { Lane } from '../core/index.ts';
import { comesBefore, decodeCursor, encodeCursor, LIST_START, type ListPosition } from './list-cursor.ts';
import type { ItemSummary, ListPage, ListQuery } from './store.ts';

export const LANES: readonly Lane[] = ['needs_you', 'active', 'done', 'draft'];

/** What is looked for in an item; an empty part is anything. */
export interface Wanted {
  /** In title or goal. */
  readonly text: string;
  readonly originClient: string;
  readonly originSession: string;
}

/** Looks through the next `items` of a lane behind `from`. */
export interface SearchStep {
  readonly lane: Lane;
  readonly directory: string | undefined;
  readonly from: ListPosition;
  readonly items: number;
  readonly limit: number;
  readonly wanted: Wanted;
}

/** `next`: where the step ended; none at the end of the lane. */
export interface SearchHits {
  readonly hits: readonly ItemSummary[];
  readonly next?: ListPosition;
}

/** What a list is made of. Every call is one short query, so that a long search never blocks the process. */
export interface ListSource {
  /** At most `limit` items of one lane behind `from` that changed at `oldest` or later, newest first. */
  readonly slice: (
    lane: Lane,
    directory: string | undefined,
    from: ListPosition,
    oldest: number,
    limit: number,
  ) => Promise<readonly ItemSummary[]>;
  readonly search: (step: SearchStep) => Promise<SearchHits>;
  readonly counts: (directory: string | undefined) => Promise<Readonly<Record<Lane, number>>>;
}

const LIMIT_MAX = 500;
/** Items looked at per step of a search. */
const SEARCH_STEP = 1_000;

function startOf(cursor: string | undefined): ListPosition {
  if (cursor === undefined) return LIST_START;
  const position = decodeCursor(cursor);
  if (!position) throw new RangeError('The cursor is not one that a list has answered.');
  return position;
}

/** What one lane has to offer to a page: its index gives the order. */
async function laneHits(
  source: ListSource,
  lane: Lane,
  { directory, limit, updatedFrom = Number.MIN_SAFE_INTEGER }: ListQuery,
  wanted: Wanted,
  start: ListPosition,
): Promise<readonly ItemSummary[]> {
  // Whoever looks at the last days must not miss what has waited for them since before.
  const oldest = lane === 'needs_you' ? Number.MIN_SAFE_INTEGER : updatedFrom;
  if (Object.values(wanted).every((part) => part === ''))
    return source.slice(lane, directory, start, oldest, limit + 1);
  const found: ItemSummary[] = [];
  for (let from: ListPosition | undefined = start; from && found.length <= limit; ) {
    const missing = limit + 1 - found.length;
    const step: SearchStep = { lane, directory, from, items: SEARCH_STEP, limit: missing, wanted };
    const { hits, next }: SearchHits = await source.search(step);
    found.push(...hits.filter(({ updatedAt }) => updatedAt >= oldest));
    from = next && next.updatedAt >= oldest ? next : undefined;
    // A search may be long: leases are kept by the same thread.
    if (from) await setImmediate();
  }
  return found;
}

/** One page by keyset: newest change first, ids break ties; exact under concurrent writes to other items. */
export async function listItems(source: ListSource, query: ListQuery): Promise<ListPage> {
  const { limit, search, cursor, directory, originClient = '', originSession = '' } = query;
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) {
    throw new RangeError(`A list takes a limit from 1 to ${LIMIT_MAX}, not ${limit}.`);
  }
  const start = startOf(cursor);
  const wanted = { text: search?.trim() ?? '', originClient, originSession };
  const lanes = query.lane ? [query.lane] : LANES;
  const slices = await Promise.all(lanes.map((lane) => laneHits(source, lane, query, wanted, start)));
  const found = slices.flat().sort(comesBefore);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return {
    items,
    ...(last && found.length > limit ? { nextCursor: encodeCursor(last) } : {}),
    counts: await source.counts(directory),
  };
}
