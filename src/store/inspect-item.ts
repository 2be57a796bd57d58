import {
  canonical,
  checkInvariants,
  type HoldRow,
  holdDirectoryOf,
  type ItemState,
  leaseResource,
} from '../core/index.ts';
import { itemRow, projectRuns, textRow } from './projection.ts';
import { decodeSnapshot, foldRows, SNAPSHOT_FORMAT } from './read-state.ts';
import type { EventRow, ItemRow, ItemTextRow, RowChange, RunRow, SnapshotRow } from './rows.ts';
import type { Finding, RunLease } from './store.ts';

/** Everything stored about one item, read in one view. */
export interface ItemView {
  readonly itemId: string;
  readonly events: readonly EventRow[];
  readonly item: ItemRow | undefined;
  readonly text: ItemTextRow | undefined;
  /** In the order of their claims. */
  readonly runs: readonly RunRow[];
  readonly snapshot: SnapshotRow | undefined;
  readonly leases: readonly (RunLease & { readonly resource: string })[];
  readonly holds: readonly HoldRow[];
  readonly quarantined: string | undefined;
}

/** What the rows of an item should be, by its events alone. */
export interface Expected {
  readonly state: ItemState;
  readonly item: ItemRow;
  readonly text: ItemTextRow;
  readonly runs: readonly RunRow[];
  readonly leases: readonly (Omit<RunLease, 'expiresAt'> & { readonly resource: string; readonly alone: boolean })[];
  readonly holds: readonly HoldRow[];
}

export interface Inspection {
  readonly findings: readonly Finding[];
  /** Undefined when the stream cannot be folded. */
  readonly expected: Expected | undefined;
}

/** Applies the changes of Runs to rows kept in memory: what the drivers do with SQL. */
export function applyRunChange(runs: Map<number, RunRow>, change: RowChange): void {
  if (change.kind === 'run_start') runs.set(change.row.startedSeq, change.row);
  if (change.kind !== 'run_dispatch' && change.kind !== 'run_end') return;
  const known = runs.get(change.row.startedSeq);
  if (known) runs.set(known.startedSeq, { ...known, ...change.row });
}

function expectedHolds(state: ItemState): readonly HoldRow[] {
  if (state.contract.workspace !== 'in-place') return [];
  return state.runs.flatMap((run): readonly HoldRow[] => {
    const spec = state.actions.find((action) => action.id === run.actionId)?.spec;
    if (!spec || spec.executor.kind === 'verify') return [];
    const mode = spec.workspace === 'read' ? 'read' : 'write';
    return [{ key: holdDirectoryOf(state), mode, itemId: state.id, runId: run.id }];
  });
}

const expectedOf = (state: ItemState, runs: readonly RunRow[]): Expected => ({
  state,
  item: itemRow(state),
  text: textRow(state),
  runs,
  leases: state.runs.map(({ id, actionId, epoch, owner, alone }) => ({
    resource: leaseResource(state.id, actionId),
    itemId: state.id,
    runId: id,
    epoch,
    owner,
    alone,
  })),
  holds: expectedHolds(state),
});

/** Names the columns of two rows that differ; undefined when canonical texts are equal, byte for byte. */
function difference(expected: object | undefined, found: object | undefined): string | undefined {
  if (canonical(expected) === canonical(found)) return undefined;
  if (!expected || !found) return found ? 'a row too many' : 'no row';
  const names = new Set([...Object.keys(expected), ...Object.keys(found)]);
  return [...names]
    .filter((name) => canonical(Reflect.get(expected, name)) !== canonical(Reflect.get(found, name)))
    .join(', ');
}

function compareRuns(itemId: string, expected: readonly RunRow[], found: readonly RunRow[]): readonly Finding[] {
  const seqs = new Set([...expected, ...found].map((run) => run.startedSeq));
  return [...seqs].flatMap((seq): readonly Finding[] => {
    const want = expected.find((run) => run.startedSeq === seq);
    const have = found.find((run) => run.startedSeq === seq);
    const differs = difference(want, have);
    if (differs === undefined) return [];
    const what = `Run ${want?.runId ?? have?.runId} of item ${itemId} differs from its events: ${differs}.`;
    return [{ kind: 'projection', itemId, what }];
  });
}

function compareRows(view: ItemView, expected: Expected): readonly Finding[] {
  const { itemId } = view;
  const findings: Finding[] = [];
  const note = (table: string, differs: string | undefined): void => {
    if (differs === undefined) return;
    findings.push({
      kind: 'projection',
      itemId,
      what: `The ${table} row of ${itemId} differs from its events: ${differs}.`,
    });
  };
  note('work_items', difference(expected.item, view.item));
  note('item_texts', difference(expected.text, view.text));
  return [...findings, ...compareRuns(itemId, expected.runs, view.runs)];
}

const leaseText = (lease: { epoch: number; owner: string; runId: string; resource: string }): string =>
  `${lease.resource} ${lease.runId} epoch ${lease.epoch} of ${lease.owner}`;

const holdText = (hold: HoldRow): string => `${hold.mode} ${hold.key} by ${hold.runId}`;

/** Rows beside the stream against the Runs that are live in it (invariants 1 and 8). */
function compareSets(
  kind: 'lease' | 'hold',
  itemId: string,
  expected: readonly string[],
  found: readonly string[],
): readonly Finding[] {
  const missing = expected.filter((text) => !found.includes(text));
  const extra = found.filter((text) => !expected.includes(text));
  return [
    ...missing.map((text): Finding => ({ kind, itemId, what: `A live Run lacks its ${kind}: ${text}.` })),
    ...extra.map((text): Finding => ({ kind, itemId, what: `A ${kind} belongs to no live Run: ${text}.` })),
  ];
}

function compareSides(view: ItemView, expected: Expected): readonly Finding[] {
  const { itemId } = view;
  return [
    ...compareSets('lease', itemId, expected.leases.map(leaseText), view.leases.map(leaseText)),
    ...compareSets('hold', itemId, expected.holds.map(holdText), view.holds.map(holdText)),
  ];
}

/** Folds an item from its first event and compares everything that is stored about it. */
export function inspectItem(view: ItemView): Inspection {
  const { itemId, snapshot } = view;
  const runs = new Map<number, RunRow>();
  let atSnapshot: ItemState | undefined;
  const folded = foldRows(itemId, view.events, undefined, (before, after, event) => {
    for (const change of projectRuns(itemId, before, [event])) applyRunChange(runs, change);
    if (after.version === snapshot?.version) atSnapshot = after;
  });
  if (folded.type === 'unfoldable' || !folded.state) {
    const reason = folded.type === 'unfoldable' ? folded.reason : 'rows without any event';
    return {
      findings: [{ kind: 'unreadable', itemId, what: `Item ${itemId} cannot be read: ${reason}.` }],
      expected: undefined,
    };
  }
  const expected = expectedOf(folded.state, [...runs.values()]);
  const findings: Finding[] = checkInvariants(folded.state).map((broken) => ({
    kind: 'invariant',
    itemId,
    what: `Item ${itemId} breaks invariant ${broken}.`,
  }));
  if (snapshot?.format === SNAPSHOT_FORMAT && canonical(decodeSnapshot(snapshot, itemId)) !== canonical(atSnapshot)) {
    findings.push({ kind: 'snapshot', itemId, what: `The snapshot of ${itemId} differs from its events.` });
  }
  if (view.quarantined !== undefined) {
    findings.push({ kind: 'projection', itemId, what: `Item ${itemId} is quarantined, but can be read.` });
  }
  findings.push(...compareRows(view, expected), ...compareSides(view, expected));
  return { findings, expected };
}
