import type { Lane } from '../core/index.ts';
import { comesBefore, decodeCursor, encodeCursor, LIST_START, type ListPosition } from './list-cursor.ts';
import type { ItemSummary, ListPage, ListQuery } from './store.ts';

export const LANES: readonly Lane[] = ['needs_you', 'active', 'done', 'draft'];

/** What a list is made of. Every call is one short query, so that a long search never blocks the process. */
export interface ListSource {
  /** At most `limit` items of one lane behind `from`, newest first. */
  readonly slice: (
    lane: Lane,
    directory: string | undefined,
    from: ListPosition,
    limit: number,
  ) => Promise<readonly ItemSummary[]>;
  /** Which of these ids have the text in title or goal. */
  readonly matching: (ids: readonly string[], text: string) => Promise<ReadonlySet<string>>;
  readonly counts: (directory: string | undefined) => Promise<Readonly<Record<Lane, number>>>;
}

const LIMIT_MAX = 500;
/** Items looked at per step of a search. */
const SEARCH_STEP = 200;

function startOf(cursor: string | undefined): ListPosition {
  if (cursor === undefined) return LIST_START;
  const position = decodeCursor(cursor);
  if (!position) throw new RangeError('The cursor is not one that a list has answered.');
  return position;
}

/** The next `limit` items over all wanted lanes: each lane has an index of its own, so their heads are merged. */
async function merged(
  source: ListSource,
  query: ListQuery,
  from: ListPosition,
  limit: number,
): Promise<readonly ItemSummary[]> {
  const lanes = query.lane ? [query.lane] : LANES;
  const slices = await Promise.all(lanes.map((lane) => source.slice(lane, query.directory, from, limit)));
  return slices.flat().sort(comesBefore).slice(0, limit);
}

async function searched(
  source: ListSource,
  query: ListQuery,
  text: string,
  start: ListPosition,
): Promise<readonly ItemSummary[]> {
  const found: ItemSummary[] = [];
  for (let from = start; found.length <= query.limit; ) {
    const step = await merged(source, query, from, SEARCH_STEP);
    const ids = step.map((item) => item.id);
    const hits = await source.matching(ids, text);
    found.push(...step.filter((item) => hits.has(item.id)));
    const last = step.at(-1);
    if (!last || step.length < SEARCH_STEP) break;
    from = last;
  }
  return found;
}

/** One page by keyset: newest change first, ids break ties; exact under concurrent writes to other items. */
export async function listItems(source: ListSource, query: ListQuery): Promise<ListPage> {
  const { limit, search, cursor, directory } = query;
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) {
    throw new RangeError(`A list takes a limit from 1 to ${LIMIT_MAX}, not ${limit}.`);
  }
  const start = startOf(cursor);
  const text = search?.trim() ?? '';
  const found =
    text === '' ? await merged(source, query, start, limit + 1) : await searched(source, query, text, start);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return {
    items,
    ...(last && found.length > limit ? { nextCursor: encodeCursor(last) } : {}),
    counts: await source.counts(directory),
  };
}
