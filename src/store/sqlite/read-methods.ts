import type { Lane } from '../../core/index.ts';
import { changedItems } from '../changed-items.ts';
import { decodeEvent } from '../event-codec.ts';
import { summaryOf } from '../item-summary.ts';
import { likePattern } from '../list-cursor.ts';
import { LANES, type ListSource, listItems, type SearchHits, type SearchStep } from '../list-items.ts';
import { HISTORY_LIMIT } from '../read-limits.ts';
import type { DirectoryFacet, Store } from '../store.ts';
import { StoreError } from '../store-error.ts';
import type { Connection } from './connection.ts';
import type { Statements } from './statements.ts';
import { runRow } from './write-rows.ts';

type ReadMethods = Pick<
  Store,
  | 'events'
  | 'dueItems'
  | 'nextDueAt'
  | 'list'
  | 'directories'
  | 'history'
  | 'findItems'
  | 'submitted'
  | 'runs'
  | 'run'
  | 'changedSince'
>;

const EVENTS_LIMIT = 1_000;
const RUNS_LIMIT = 100;
const FOUND_LIMIT = 20;
const CHANGES_LIMIT = 1_000;
/** Above every character an id may have. */
const ID_END = '\u{10ffff}';

function countLanes(rows: readonly { lane: string; n: number }[]): Record<Lane, number> {
  const counts: Record<Lane, number> = { needs_you: 0, active: 0, done: 0, draft: 0 };
  for (const lane of LANES) counts[lane] = rows.find((row) => row.lane === lane)?.n ?? 0;
  return counts;
}

type LaneRow = { readonly directory: string; readonly lane: string; readonly n: number };

/** Directories of rows that come in their order. */
function directoriesOf(rows: readonly LaneRow[]): readonly DirectoryFacet[] {
  const names = [...new Set(rows.map(({ directory }) => directory))];
  return names.map((directory) => ({
    directory,
    counts: countLanes(rows.filter((row) => row.directory === directory)),
  }));
}

/** Before every item of a lane, counted from the newest. */
const LANE_END = { updatedAt: Number.MIN_SAFE_INTEGER, id: '' };

function searchStep(s: Statements, { lane, directory, from, items, limit, wanted }: SearchStep): SearchHits {
  const pattern = likePattern(wanted.text);
  const scope = directory === undefined ? [lane] : [directory, lane];
  const bounds = [...scope, from.updatedAt, from.id];
  const ends = directory === undefined ? s.searchEnd : s.searchEndOfDirectory;
  const search = directory === undefined ? s.search : s.searchOfDirectory;
  const end = ends.get(...bounds, items - 1);
  const { updatedAt, id } = end ?? LANE_END;
  const rows = search.all(...bounds, updatedAt, id, pattern, pattern, wanted.originClient, wanted.originSession, limit);
  return { hits: rows.map((row) => summaryOf(row, row.quarantined)), ...(end ? { next: end } : {}) };
}

const listSource = ({ statements: s, read }: Connection): ListSource => ({
  slice: (lane, directory, { updatedAt, id }, oldest, limit) =>
    read(() => {
      const rows =
        directory === undefined
          ? s.list.all(lane, updatedAt, id, oldest, limit)
          : s.listOfDirectory.all(directory, lane, updatedAt, id, oldest, limit);
      return rows.map((row) => summaryOf(row, row.quarantined));
    }),
  search: (step) => read(() => searchStep(s, step)),
  counts: (directory) =>
    read(() => countLanes(directory === undefined ? s.laneCounts.all() : s.laneCountsOfDirectory.all(directory))),
});

function changedSince(connection: Connection, cursor: number | undefined) {
  const { statements: s, read } = connection;
  return read(() => {
    if (cursor === undefined) return { cursor: s.lastPosition.get()?.position ?? 0, items: [] };
    const rows = s.changes.all(cursor, CHANGES_LIMIT);
    return { cursor: rows.at(-1)?.position ?? cursor, items: changedItems(rows) };
  });
}

/** Reads beside the door. */
export function readMethods(connection: Connection): ReadMethods {
  const { statements: s, read } = connection;
  const source = listSource(connection);
  return {
    events: (itemId, { after = 0, limit = EVENTS_LIMIT, types } = {}) =>
      read(() => {
        const rows =
          types === undefined
            ? s.eventsPage.all(itemId, after, limit)
            : s.eventsOfTypes.all(itemId, after, JSON.stringify(types), limit);
        return rows.map((row) => {
          const decoded = decodeEvent(row);
          if (decoded.type === 'decoded') return decoded.event;
          throw new StoreError('item_quarantined', `Item ${itemId} cannot be read: ${decoded.reason}.`);
        });
      }),
    dueItems: ({ now, limit, after }) =>
      read(() => s.dueItems.all(now, after?.claimKey ?? Number.MIN_SAFE_INTEGER, after?.itemId ?? '', limit)),
    nextDueAt: (now) => read(() => s.nextDue.get(now)?.at ?? null),
    list: (query) => listItems(source, query),
    directories: ({ after = '', limit }) =>
      // As many rows as these directories can have at most, so that none of them is cut short.
      read(() => directoriesOf(s.directories.all(after, limit * LANES.length)).slice(0, limit)),
    history: (directory) =>
      read(() => {
        const rows =
          directory === undefined ? s.history.all(HISTORY_LIMIT) : s.historyOfDirectory.all(directory, HISTORY_LIMIT);
        return rows.map((row) => summaryOf(row, row.quarantined));
      }),
    submitted: (key) => read(() => s.submission.get(key)?.itemId),
    findItems: (prefix) => read(() => s.findItems.all(prefix, `${prefix}${ID_END}`, FOUND_LIMIT).map((row) => row.id)),
    runs: (itemId, { actionId, before = Number.MAX_SAFE_INTEGER, limit = RUNS_LIMIT } = {}) =>
      read(() => {
        const rows =
          actionId === undefined
            ? s.runs.all(itemId, before, limit)
            : s.runsOfAction.all(itemId, actionId, before, limit);
        return rows.map(runRow);
      }),
    run: (itemId, runId) =>
      read(() => {
        const row = s.runRow.get(itemId, runId);
        return row && runRow(row);
      }),
    changedSince: (cursor) => changedSince(connection, cursor),
  };
}
