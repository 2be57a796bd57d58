import type { ItemState } from '../../core/index.ts';
import type { ItemSummary, Store } from '../../store/store.ts';
import { canOf } from '../views/can.ts';
import { requestView } from '../views/entry.ts';

/** The lane is read in pages of so many, and no further than so many items. */
const PAGE = 500;
const MOST_ITEMS = 5_000;

/** Requests come in the order in which they were opened; what stops the whole item goes before them. */
interface Line {
  readonly at: number;
  readonly itemId: string;
  /** Of its request; 0 for a hold. */
  readonly number: number;
  readonly view: InboxLine;
}

export type InboxLine = ReturnType<typeof requestLine> | ReturnType<typeof holdLine>;

/** Where a page of the inbox ended. */
export interface InboxPlace {
  readonly at: number;
  readonly itemId: string;
  readonly number: number;
}

/** Some of what waits, and how much waits in all. */
export interface Waiting {
  readonly lines: readonly Line[];
  readonly total: number;
}

const itemOf = ({ id, title, directory, statusSentence }: ItemSummary, controlVersion: number) => ({
  ...{ id, title, directory, sentence: statusSentence, controlVersion },
});

const requestLine = (item: ReturnType<typeof itemOf>, state: ItemState, request: ItemState['requests'][number]) => ({
  item,
  request: requestView(state, request),
  hold: null,
});

const NOT_READABLE = { allowed: false, reason: 'It cannot be read.' } as const;

/** A hold has no number of its own; `can` says how it is cleared. */
function holdLine(summary: ItemSummary, state: ItemState | undefined) {
  const { resume = NOT_READABLE, extend = NOT_READABLE } = state ? canOf(state) : {};
  const { code, details, at } = state?.hold ?? {
    ...{ code: 'quarantined', details: summary.quarantined ?? '', at: summary.updatedAt },
  };
  const hold = { code, details, at, can: { resume, extend } };
  return { item: itemOf(summary, state?.controlVersion ?? 0), request: null, hold };
}

function requestLines(summary: ItemSummary, state: ItemState): readonly Line[] {
  const item = itemOf(summary, state.controlVersion);
  return state.requests.map((request) => ({
    ...{ at: request.openedAt, itemId: state.id, number: Number(request.id.slice(1)) },
    view: requestLine(item, state, request),
  }));
}

async function linesOf(store: Store, summary: ItemSummary): Promise<readonly Line[]> {
  const state = summary.quarantined === undefined ? await store.load(summary.id) : undefined;
  const requests = state ? requestLines(summary, state) : [];
  if (state && !state.hold) return requests;
  const view = holdLine(summary, state);
  return [{ at: view.hold.at, itemId: summary.id, number: 0, view }, ...requests];
}

const inOrder = (a: InboxPlace, b: InboxPlace): number =>
  a.at - b.at || (a.itemId < b.itemId ? -1 : a.itemId > b.itemId ? 1 : 0) || a.number - b.number;

async function waiting(store: Store): Promise<readonly ItemSummary[]> {
  const found: ItemSummary[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.list({ lane: 'needs_you', limit: PAGE, ...(cursor === undefined ? {} : { cursor }) });
    found.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined && found.length < MOST_ITEMS);
  return found;
}

/**
 * Everything that waits for a person, over all items, oldest first. What an item asks is read again only when the item
 * has moved, so that a page costs the reading of the lane and of what is new in it.
 */
export function openInbox(store: Store): (behind: InboxPlace | undefined, limit: number) => Promise<Waiting> {
  let known = new Map<string, { readonly version: number; readonly lines: readonly Line[] }>();
  return async (behind, limit) => {
    const next: typeof known = new Map();
    for (const summary of await waiting(store)) {
      const before = known.get(summary.id);
      const isFresh = before?.version === summary.version && summary.quarantined === undefined;
      const lines = isFresh ? before.lines : await linesOf(store, summary);
      next.set(summary.id, { version: summary.version, lines });
    }
    known = next;
    const all = [...next.values()].flatMap(({ lines }) => lines).sort(inOrder);
    const lines = behind ? all.filter((line) => inOrder(line, behind) > 0) : all;
    return { lines: lines.slice(0, limit), total: all.length };
  };
}
