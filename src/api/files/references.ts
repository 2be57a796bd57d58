import type { ItemState, Receipt } from '../../core/index.ts';
import type { RunRow } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import type { CallRow } from '../../store/talk-rows.ts';

/** What the bytes behind a hash are for an item, and under which name they are downloaded. */
export interface Reference {
  readonly name: string;
  /** Of an attachment; everything else is told by its bytes. */
  readonly mediaType?: string;
}

type Named = readonly [name: string, hash: string | null | undefined];

const PAGE = 200;

const ofReceipt = ({ criterionId, log, diffHash }: Receipt): readonly Named[] => [
  [`${criterionId}.log`, log.hash],
  [`${criterionId}.diff`, diffHash],
];

const ofRun = ({ runId, agent, receipts }: RunRow): readonly Named[] => [
  [`${runId}-policy.json`, agent?.policyHash],
  [`${runId}-system.txt`, agent?.systemHash],
  [`${runId}-context.txt`, agent?.contextHash],
  ...receipts.flatMap(ofReceipt),
];

const ofCall = ({ callId, requestHash, responseHash }: CallRow): readonly Named[] => [
  [`${callId}-request.json`, requestHash],
  [`${callId}-response.json`, responseHash],
];

/** Looks through rows, newest first, page by page. */
async function among<R>(
  read: (span: { readonly before?: number; readonly limit: number }) => Promise<readonly R[]>,
  {
    hash,
    names,
    at,
  }: { readonly hash: string; readonly names: (row: R) => readonly Named[]; readonly at: (row: R) => number },
): Promise<Reference | undefined> {
  let span: { readonly before?: number; readonly limit: number } | undefined = { limit: PAGE };
  while (span) {
    const rows = await read(span);
    const found = rows.flatMap(names).find(([, each]) => each === hash);
    if (found) return { name: found[0] };
    const last = rows.at(-1);
    span = last && rows.length === PAGE ? { limit: PAGE, before: at(last) } : undefined;
  }
  return undefined;
}

/** What an item names by this hash; undefined: nothing, so it is not this item's to show. */
export async function referenceOf(store: Store, state: ItemState, hash: string): Promise<Reference | undefined> {
  const attachment = state.attachments.find((each) => each.hash === hash);
  if (attachment) return { name: attachment.name, mediaType: attachment.mediaType };
  const shown = state.actions.flatMap(({ result }) => result?.outcome.evidence ?? []);
  if (shown.some(({ ref }) => ref === hash)) return { name: `${hash.slice(0, 12)}.txt` };
  const { id } = state;
  return (
    (await among((span) => store.runs(id, span), { hash, names: ofRun, at: ({ startedSeq }) => startedSeq })) ??
    (await among((span) => store.calls(id, span), { hash, names: ofCall, at: ({ seq }) => seq }))
  );
}
