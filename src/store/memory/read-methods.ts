import type { Lane } from '../../core/index.ts';
import { changedItems } from '../changed-items.ts';
import { decodeEvent } from '../event-codec.ts';
import { summaryOf } from '../item-summary.ts';
import { comesBefore, LIST_START, type ListPosition } from '../list-cursor.ts';
import { type ListSource, listItems } from '../list-items.ts';
import { CALLS_LIMIT, ENTRIES_LIMIT, HISTORY_LIMIT } from '../read-limits.ts';
import type { DueItem, ItemSummary, Store } from '../store.ts';
import { StoreError } from '../store-error.ts';
import type { Tables } from './tables.ts';

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

/** LIKE ignores the case of ASCII letters only. */
const asciiLower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

const sliceOf = (t: Tables, lane: Lane, directory: string | undefined, from: ListPosition): readonly ItemSummary[] =>
  [...t.items.values()]
    .filter((row) => row.lane === lane && (directory === undefined || row.directory === directory))
    .sort(comesBefore)
    .filter((row) => comesBefore(from, row) < 0)
    .map((row) => summaryOf(row, t.quarantined.get(row.id) ?? null));

const listSource = (t: Tables): ListSource => ({
  slice: async (lane, directory, from, oldest, limit) =>
    sliceOf(t, lane, directory, from)
      .filter(({ updatedAt }) => updatedAt >= oldest)
      .slice(0, limit),
  search: async ({ lane, directory, from, limit, wanted: { text, originClient, originSession } }) => {
    const wanted = asciiLower(text);
    const hit = (id: string): boolean => {
      const row = t.texts.get(id);
      if (!row || !['', row.originClient].includes(originClient)) return false;
      if (!['', row.originSession].includes(originSession)) return false;
      return [row.title, row.goal].some((where) => asciiLower(where).includes(wanted));
    };
    return {
      hits: sliceOf(t, lane, directory, from)
        .filter((row) => hit(row.id))
        .slice(0, limit),
    };
  },
  counts: async (directory) => {
    const counts: Record<Lane, number> = { needs_you: 0, active: 0, done: 0, draft: 0 };
    for (const row of t.items.values()) {
      if (directory === undefined || row.directory === directory) counts[row.lane] += 1;
    }
    return counts;
  },
});

const inTurn = (a: DueItem, b: DueItem): number =>
  a.claimKey - b.claimKey || (a.itemId < b.itemId ? -1 : a.itemId > b.itemId ? 1 : 0);

function changedSince(t: Tables, cursor: number | undefined) {
  if (cursor === undefined) return { cursor: t.changes.length, items: [] };
  const fresh = t.changes.slice(cursor, cursor + 1_000);
  return { cursor: cursor + fresh.length, items: changedItems(fresh) };
}

type TalkMethods = Pick<Store, 'entries' | 'calls' | 'call'>;

export const talkMethods = (t: Tables): TalkMethods => ({
  entries: async (itemId, { after, before = Number.MAX_SAFE_INTEGER, limit = ENTRIES_LIMIT } = {}) => {
    const all = [...(t.rows.get(itemId)?.entries.values() ?? [])].sort((a, b) => a.seq - b.seq);
    const within = all.filter(({ seq }) => seq < before && seq > (after ?? 0));
    return after === undefined ? within.slice(-limit) : within.slice(0, limit);
  },
  calls: async (itemId, { ownerId, before = Number.MAX_SAFE_INTEGER, limit = CALLS_LIMIT } = {}) =>
    [...(t.rows.get(itemId)?.calls.values() ?? [])]
      .filter((call) => (ownerId === undefined || call.ownerId === ownerId) && call.seq < before)
      .sort((a, b) => b.seq - a.seq)
      .slice(0, limit),
  call: async (itemId, callId) => t.rows.get(itemId)?.calls.get(callId),
});

/** The same reads as the databases offer, said with filter and sort: the oracle they are compared with. */
export function readMethods(t: Tables): ReadMethods {
  const source = listSource(t);
  return {
    events: async (itemId, { after = 0, limit = 1_000, types } = {}) =>
      (t.events.get(itemId) ?? [])
        .slice(after)
        .filter(({ type }) => types === undefined || types.includes(type))
        .slice(0, limit)
        .map((row) => {
          const decoded = decodeEvent(row);
          if (decoded.type === 'decoded') return decoded.event;
          throw new StoreError('item_quarantined', `Item ${itemId} cannot be read: ${decoded.reason}.`);
        }),
    dueItems: async ({ now, limit, after }) =>
      [...t.items.values()]
        .filter((row) => row.dueAt !== null && row.dueAt <= now)
        .map((row): DueItem => ({ itemId: row.id, claimKey: row.claimKey }))
        .sort(inTurn)
        .filter((row) => !after || inTurn(after, row) < 0)
        .slice(0, limit),
    nextDueAt: async (now) => {
      const ahead = [...t.items.values()].flatMap(({ dueAt }) => (dueAt !== null && dueAt > now ? [dueAt] : []));
      return ahead.length === 0 ? null : Math.min(...ahead);
    },
    list: (query) => listItems(source, query),
    directories: async ({ after = '', limit }) => {
      const names = [...new Set([...t.items.values()].map(({ directory }) => directory))];
      const page = names
        .filter((name) => name > after)
        .sort()
        .slice(0, limit);
      return Promise.all(page.map(async (directory) => ({ directory, counts: await source.counts(directory) })));
    },
    history: async (directory) =>
      sliceOf(t, 'done', directory, LIST_START)
        .filter(({ lifecycle }) => lifecycle === 'done')
        .slice(0, HISTORY_LIMIT),
    submitted: async (key) => t.submissions.get(key)?.itemId,
    findItems: async (prefix) =>
      [...t.items.keys()]
        .filter((id) => id.startsWith(prefix))
        .sort()
        .slice(0, 20),
    runs: async (itemId, { actionId, before = Number.MAX_SAFE_INTEGER, limit = 100 } = {}) =>
      [...(t.rows.get(itemId)?.runs.values() ?? [])]
        .filter((run) => (actionId === undefined || run.actionId === actionId) && run.startedSeq < before)
        .sort((a, b) => b.startedSeq - a.startedSeq)
        .slice(0, limit),
    run: async (itemId, runId) => [...(t.rows.get(itemId)?.runs.values() ?? [])].find((run) => run.runId === runId),
    changedSince: async (cursor) => changedSince(t, cursor),
  };
}
