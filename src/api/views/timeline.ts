import type { ActionState, ItemState } from '../../core/index.ts';
import type { RunRow } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import type { CallRow } from '../../store/talk-rows.ts';

/** Calls that are looked at for one page: those of Runs lie between those of the Coordinator. */
const CALLS = 500;

/** Something that took time; `seq` is the event that began it. */
export interface Span {
  readonly seq: number;
  readonly kind: 'run' | 'turn';
  readonly id: string;
  readonly actionId: string | null;
  readonly ordinal: number;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly status: RunRow['status'] | CallRow['status'];
  /** Why a Run failed. */
  readonly code: string | null;
}

const spanOfRun = ({
  startedSeq: seq,
  runId: id,
  actionId,
  ordinal,
  startedAt,
  endedAt,
  status,
  code,
}: RunRow): Span => ({ ...{ seq, kind: 'run', id, actionId, ordinal, startedAt, endedAt, status, code } });

const spanOfCall = ({ seq, ownerId: id, n: ordinal, preparedAt: startedAt, endedAt, status }: CallRow): Span => ({
  ...{ seq, kind: 'turn', id, actionId: null, ordinal, startedAt, endedAt, status, code: null },
});

export interface Spans {
  /** Newest first. */
  readonly spans: readonly Span[];
  /** Everything from this event on is in them; 0: there is nothing before. */
  readonly from: number;
}

/**
 * What ran before an event, as far back as one look at the Runs and one at the calls both reach; so a page costs the
 * same wherever it is, and may be empty where a Run has asked its model hundreds of times.
 */
export async function spansBefore(
  store: Store,
  { id }: ItemState,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<Spans> {
  const place = before === undefined ? {} : { before };
  const [runs, calls] = await Promise.all([
    store.runs(id, { ...place, limit }),
    store.calls(id, { ...place, limit: CALLS }),
  ]);
  const from = Math.max(
    runs.length === limit ? (runs.at(-1)?.startedSeq ?? 0) : 0,
    calls.length === CALLS ? (calls.at(-1)?.seq ?? 0) : 0,
  );
  const turns = calls.filter(({ ownerKind }) => ownerKind === 'turn');
  const spans = [...runs.map(spanOfRun), ...turns.map(spanOfCall)].filter(({ seq }) => seq >= from);
  return { spans: spans.toSorted((a, b) => b.seq - a.seq), from };
}

export const spanView = ({ kind, id, actionId, ordinal, startedAt, endedAt, status, code }: Span) => ({
  ...{ kind, id, actionId, ordinal, startedAt, endedAt, status, code },
});

/** In an item that works in place, the directory is the one place that there is. */
const workspaceOf = ({ contract }: ItemState, { spec }: ActionState) =>
  contract.workspace === 'in-place' && spec.executor.kind !== 'verify' ? contract.workspace : spec.workspace;

/** The Actions that some spans are of, each once and in their order. */
export function ownersOf(state: ItemState, spans: readonly Pick<Span, 'actionId'>[]) {
  const named = new Set(spans.map(({ actionId }) => actionId));
  return state.actions
    .filter(({ id }) => named.has(id))
    .map((action) => ({
      ...{ id: action.id, name: action.spec.name, kind: action.spec.executor.kind },
      ...{ dependsOn: [...action.spec.dependsOn], workspace: workspaceOf(state, action), merge: action.merge.kind },
    }));
}
