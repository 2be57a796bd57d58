import type { Charge, EventBody, ItemState, StoredEvent, Usage } from '../../src/core/index.ts';

type Sum = Pick<Usage, 'requests' | 'tokens' | 'costMicros' | 'wallMs'>;

/** One item's accounts: every charge under a name of its own, so that a correction replaces what it corrects. */
export interface Ledger {
  readonly charges: Map<string, Sum>;
  /** What calls were expected to cost. */
  readonly estimates: Map<string, Charge>;
}

export const newLedger = (): Ledger => ({ charges: new Map(), estimates: new Map() });

const ofCall = ({ tokens, costMicros }: Charge): Sum => ({
  requests: 1,
  tokens,
  costMicros: costMicros ?? 0,
  wallMs: 0,
});

const ofUsage = ({ requests, tokens, costMicros, wallMs }: Usage): Sum => ({ requests, tokens, costMicros, wallMs });

function enter({ charges, estimates }: Ledger, body: EventBody, seq: number): void {
  const lost = (callId: string): void => {
    const estimate = estimates.get(callId);
    if (estimate) charges.set(callId, ofCall(estimate));
  };
  if (body.type === 'CallPrepared') estimates.set(body.call.id, body.call.estimate);
  if (body.type === 'CallSettled' && body.as !== 'rejected') charges.set(body.callId, ofCall(body.charge));
  if (body.type === 'CallCorrected') charges.set(body.callId, ofCall(body.charge));
  if (body.type !== 'RunSettled' && body.type !== 'LateResultRecorded') return;
  charges.set(`${seq}`, ofUsage(body.usage));
  if (body.type === 'RunSettled') for (const { callId, as } of body.calls ?? []) if (as === 'unknown') lost(callId);
}

const NAMES = ['requests', 'tokens', 'costMicros', 'wallMs'] as const;

/** Enters new events and compares: what an item was charged is the sum of its charges, each once (invariant 2). */
export function wrongSums(ledger: Ledger, events: readonly StoredEvent[], { usage }: ItemState): readonly string[] {
  for (const { body, seq } of events) enter(ledger, body, seq);
  const all = [...ledger.charges.values()];
  const sums = NAMES.map((name) => [name, all.reduce((sum, charge) => sum + charge[name], 0)] as const);
  return sums.flatMap(([name, sum]) =>
    usage[name] === sum ? [] : [`2: ${usage[name]} ${name} for charges of ${sum}`],
  );
}
