import { canonical, type HoldRow, holdDirectoryOf, type ItemState, leaseResource } from '../core/index.ts';
import { checkInvariants } from '../invariants/invariants.ts';
import { applyToRows, noRows, type StreamRows } from './apply-change.ts';
import { itemRow, projectStream, textRow } from './projection.ts';
import { decodeSnapshot, foldRows, SNAPSHOT_FORMAT } from './read-state.ts';
import type { EventRow, ItemRow, ItemTextRow, RunRow, SnapshotRow } from './rows.ts';
import type { Finding, RunLease } from './store.ts';
import type { CallRow, EntryRow } from './talk-rows.ts';

/** Everything stored about one item, read in one view. */
export interface ItemView {
  readonly itemId: string;
  readonly events: readonly EventRow[];
  readonly item: ItemRow | undefined;
  readonly text: ItemTextRow | undefined;
  /** In the order of their claims. */
  readonly runs: readonly RunRow[];
  readonly entries: readonly EntryRow[];
  readonly calls: readonly CallRow[];
  readonly snapshot: SnapshotRow | undefined;
  readonly leases: readonly (RunLease & { readonly resource: string; readonly idle: boolean })[];
  readonly holds: readonly HoldRow[];
  readonly quarantined: string | undefined;
}

interface ExpectedLease extends Omit<RunLease, 'expiresAt'> {
  readonly resource: string;
  readonly alone: boolean;
  readonly idle: boolean;
}

/** What the rows of an item should be, by its events alone. */
export interface Expected {
  readonly state: ItemState;
  readonly item: ItemRow;
  readonly text: ItemTextRow;
  readonly runs: readonly RunRow[];
  readonly entries: readonly EntryRow[];
  readonly calls: readonly CallRow[];
  readonly leases: readonly ExpectedLease[];
  readonly holds: readonly HoldRow[];
}

export interface Inspection {
  readonly findings: readonly Finding[];
  /** Undefined when the stream cannot be folded. */
  readonly expected: Expected | undefined;
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

const expectedOf = (state: ItemState, rows: StreamRows): Expected => ({
  state,
  item: itemRow(state),
  text: textRow(state),
  runs: [...rows.runs.values()],
  entries: [...rows.entries.values()],
  calls: [...rows.calls.values()],
  leases: state.runs.map(({ id, actionId, epoch, owner, alone, idle }) => ({
    resource: leaseResource(state.id, actionId),
    itemId: state.id,
    runId: id,
    epoch,
    owner,
    alone,
    idle,
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

/** Rows of one kind, each under its name. */
type NamedRows = ReadonlyMap<string, object>;

const named = <Row extends object>(rows: readonly Row[], nameOf: (row: Row) => string): NamedRows =>
  new Map(rows.map((row) => [nameOf(row), row]));

const runsOf = ({ runs }: Pick<Expected, 'runs'>): NamedRows =>
  named(runs, ({ runId, startedSeq }) => `Run ${runId} (event ${startedSeq})`);
const entriesOf = ({ entries }: Pick<Expected, 'entries'>): NamedRows =>
  named(entries, ({ entryId }) => `Entry ${entryId}`);
const callsOf = ({ calls }: Pick<Expected, 'calls'>): NamedRows => named(calls, ({ callId }) => `Call ${callId}`);

function compareMany(itemId: string, expected: NamedRows, found: NamedRows): readonly Finding[] {
  const names = new Set([...expected.keys(), ...found.keys()]);
  return [...names].flatMap((name): readonly Finding[] => {
    const differs = difference(expected.get(name), found.get(name));
    if (differs === undefined) return [];
    const what = `${name} of item ${itemId} differs from its events: ${differs}.`;
    return [{ kind: 'projection', itemId, what }];
  });
}

/** A row that no event has touched since an older schema lacks what cards show, and that is no damage. */
const asOld = (expected: ItemRow, found: ItemRow | undefined): ItemRow =>
  found?.marks === '' ? { ...expected, marks: '', costLimitMicros: found.costLimitMicros } : expected;

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
  note('work_items', difference(asOld(expected.item, view.item), view.item));
  note('item_texts', difference(expected.text, view.text));
  for (const rowsOf of [runsOf, entriesOf, callsOf]) {
    findings.push(...compareMany(itemId, rowsOf(expected), rowsOf(view)));
  }
  return findings;
}

const leaseText = (lease: Omit<ExpectedLease, 'itemId' | 'alone'>): string =>
  `${lease.resource} ${lease.runId} epoch ${lease.epoch} of ${lease.owner}${lease.idle ? ', idle' : ''}`;

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
  const rows = noRows();
  let atSnapshot: ItemState | undefined;
  const folded = foldRows(itemId, view.events, undefined, (before, after, event) => {
    for (const change of projectStream(itemId, before, [event])) applyToRows(rows, change);
    if (after.version === snapshot?.version) atSnapshot = after;
  });
  if (folded.type === 'unfoldable' || !folded.state) {
    const reason = folded.type === 'unfoldable' ? folded.reason : 'rows without any event';
    return {
      findings: [{ kind: 'unreadable', itemId, what: `Item ${itemId} cannot be read: ${reason}.` }],
      expected: undefined,
    };
  }
  const expected = expectedOf(folded.state, rows);
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
