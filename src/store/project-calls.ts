import type { CallTokens, Charge, EventOf, EventType, OpenCall } from '../core/index.ts';
import type { Step } from './states-between.ts';
import { storable } from './storable.ts';
import type { CallCorrection, CallEnd, CallRow, TalkChange } from './talk-rows.ts';

const NO_TOKENS = { input: null, output: null, cacheRead: null, cacheWrite: null, reasoning: null } as const;
const NOTHING_SAID = { ...NO_TOKENS, responseHash: null, stop: null, code: null, error: null } as const;

const kindsOf = (tokens: CallTokens | null): Pick<CallRow, keyof CallTokens> => {
  if (!tokens) return NO_TOKENS;
  const { input, output, cacheRead, cacheWrite, reasoning } = tokens;
  return { input, output, cacheRead, cacheWrite, reasoning };
};

const chargedOf = (charge: Charge | undefined): Pick<CallRow, 'chargedTokens' | 'chargedCostMicros'> => ({
  chargedTokens: charge?.tokens ?? null,
  chargedCostMicros: charge?.costMicros ?? null,
});

const preparedRow = ({ itemId, event }: Step, call: OpenCall): CallRow => ({
  itemId,
  callId: call.id,
  seq: event.seq,
  ownerKind: call.of.kind,
  ownerId: call.of.kind === 'run' ? call.of.runId : call.of.turnId,
  actionId: call.of.kind === 'run' ? call.of.actionId : null,
  n: call.n,
  model: storable(call.model),
  status: call.status,
  requestHash: call.requestHash,
  tries: call.tries,
  estimateTokens: call.estimate.tokens,
  estimateCostMicros: call.estimate.costMicros,
  ...chargedOf(undefined),
  ...NOTHING_SAID,
  preparedAt: event.at,
  dispatchedAt: null,
  endedAt: null,
});

type Verdict = Pick<CallEnd, 'status'> & Partial<Omit<CallEnd, 'itemId' | 'callId'>>;

const ended = ({ itemId, event }: Step, callId: string, verdict: Verdict): TalkChange => ({
  kind: 'call_end',
  row: { itemId, callId, endedAt: event.at, ...chargedOf(undefined), ...NOTHING_SAID, ...verdict },
});

function settled(step: Step, body: EventOf<'CallSettled'>): readonly TalkChange[] {
  if (body.as === 'responded') {
    const { responseHash, charge, tokens, stop } = body;
    const said = { status: 'responded', responseHash, stop: storable(stop) } as const;
    return [ended(step, body.callId, { ...said, ...chargedOf(charge), ...kindsOf(tokens) })];
  }
  const charge = body.as === 'unknown' ? body.charge : undefined;
  const said = { status: body.as, code: storable(body.code), error: storable(body.error) } as const;
  return [ended(step, body.callId, { ...said, ...chargedOf(charge) })];
}

const dropped = (
  { itemId, event }: Step,
  callId: string,
  as: 'unknown' | 'abandoned',
  charge?: Charge,
): TalkChange => ({ kind: 'call_drop', row: { itemId, callId, status: as, endedAt: event.at, ...chargedOf(charge) } });

/** Calls that end with their Run: what was sent stays charged by its estimate, the rest was never made. */
function ofRun(step: Step, { calls = [] }: EventOf<'RunSettled'>): readonly TalkChange[] {
  return calls.map(({ callId, as }) => {
    const estimate = as === 'unknown' ? step.before()?.calls.find(({ id }) => id === callId)?.estimate : undefined;
    return dropped(step, callId, as, estimate);
  });
}

/** What a turn leaves behind without an answer; its answers stay as they are. */
function ofTurn(step: Step, turnId: string): readonly TalkChange[] {
  const open = step.before()?.calls.filter(({ of, status }) => {
    return of.kind === 'turn' && of.turnId === turnId && status !== 'responded';
  });
  return (open ?? []).map(({ id, status }) => dropped(step, id, status === 'dispatching' ? 'unknown' : 'abandoned'));
}

const correction = (itemId: string, { callId, charge, tokens }: EventOf<'CallCorrected'>): CallCorrection => ({
  itemId,
  callId,
  ...chargedOf(charge),
  ...kindsOf(tokens),
});

type Project<T extends EventType> = (step: Step, body: EventOf<T>) => readonly TalkChange[];

const CALLS: { readonly [T in EventType]?: Project<T> } = {
  CallPrepared: (step, { call }) => [{ kind: 'call_start', row: preparedRow(step, call) }],
  CallDispatched: ({ itemId, event }, { callId }) => [
    { kind: 'call_dispatch', row: { itemId, callId, dispatchedAt: event.at } },
  ],
  CallSettled: settled,
  CallCorrected: ({ itemId }, body) => [{ kind: 'call_correct', row: correction(itemId, body) }],
  RunSettled: ofRun,
  TurnDecided: (step, { turnId }) => ofTurn(step, turnId),
  TurnFailed: (step, { turnId }) => ofTurn(step, turnId),
  TurnRetired: (step, { turnId }) => ofTurn(step, turnId),
};

/** The journal of model requests as rows, for display and for cost. */
export function projectCalls(step: Step): readonly TalkChange[] {
  const { body } = step.event;
  const project = CALLS[body.type] as Project<typeof body.type> | undefined;
  return project?.(step, body) ?? [];
}
