import type { RowChange, RunRow } from './rows.ts';
import type { CallRow, EntryRow, TalkChange } from './talk-rows.ts';

/** The rows of one item that grow with its stream, kept in memory. */
export interface StreamRows {
  /** By the event of the claim. */
  readonly runs: Map<number, RunRow>;
  readonly entries: Map<string, EntryRow>;
  readonly calls: Map<string, CallRow>;
}

export const noRows = (): StreamRows => ({ runs: new Map(), entries: new Map(), calls: new Map() });

/** Rows of a store, by the key that their changes use. */
export const keyed = (rows: {
  readonly runs: readonly RunRow[];
  readonly entries: readonly EntryRow[];
  readonly calls: readonly CallRow[];
}): StreamRows => ({
  runs: new Map(rows.runs.map((run) => [run.startedSeq, run])),
  entries: new Map(rows.entries.map((entry) => [entry.entryId, entry])),
  calls: new Map(rows.calls.map((call) => [call.callId, call])),
});

const isOnItsWay = ({ delivery }: EntryRow): boolean => delivery === 'queued' || delivery === 'scheduled';

function applyToEntries(entries: StreamRows['entries'], change: TalkChange): void {
  if (change.kind === 'entry_add') entries.set(change.row.entryId, change.row);
  if (change.kind !== 'entry_move') return;
  const known = entries.get(change.row.entryId);
  if (known && isOnItsWay(known)) entries.set(known.entryId, { ...known, ...change.row });
}

function applyToCalls(calls: StreamRows['calls'], change: TalkChange): void {
  if (change.kind === 'entry_add' || change.kind === 'entry_move') return;
  if (change.kind === 'call_start') {
    calls.set(change.row.callId, change.row);
    return;
  }
  const known = calls.get(change.row.callId);
  if (!known) return;
  const again = { status: 'dispatching', tries: known.tries + 1, code: null, error: null, endedAt: null } as const;
  calls.set(known.callId, { ...known, ...(change.kind === 'call_dispatch' ? again : {}), ...change.row });
}

/** Applies one change to rows kept in memory: what the drivers do with SQL. */
export function applyToRows({ runs, entries, calls }: StreamRows, change: RowChange): void {
  switch (change.kind) {
    case 'item_put':
    case 'text_put':
    case 'lane_count':
      return;
    case 'run_start':
      runs.set(change.row.startedSeq, change.row);
      return;
    case 'run_dispatch':
    case 'run_end': {
      const known = runs.get(change.row.startedSeq);
      if (known) runs.set(known.startedSeq, { ...known, ...change.row });
      return;
    }
    default:
      applyToEntries(entries, change);
      applyToCalls(calls, change);
  }
}
