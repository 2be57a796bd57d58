import type { Attachment, CallStatus, MessageTarget, Quote } from '../core/index.ts';

/**
 * How far a message has come (D14). `blocked` and `rejected` are ends too: nobody will hear it, and `detail` says why.
 *
 * | Delivery  | What is true                                                                  |
 * | --------- | ----------------------------------------------------------------------------- |
 * | queued    | recorded; the next request to its addressee carries it                        |
 * | scheduled | in a request, or in the turn, that has not ended yet                          |
 * | delivered | a model answered a request that carried it, or a person's answer took effect  |
 * | blocked   | its Action failed, or the item ended, before it was heard                     |
 * | rejected  | its Action was completed, restarted or taken away before it was heard         |
 */
export type Delivery = 'queued' | 'scheduled' | 'delivered' | 'blocked' | 'rejected';

/** One entry of an item's conversation; `seq` is the event that brought it, unique and in order. */
export interface EntryRow {
  readonly itemId: string;
  readonly seq: number;
  /** The message's id, the answered request's, or that of the turn that replied: unique in the item. */
  readonly entryId: string;
  readonly at: number;
  readonly author: 'person' | 'coordinator';
  readonly targetKind: MessageTarget['kind'] | 'request' | 'person';
  /** Action or request; null where the kind says it all. */
  readonly targetId: string | null;
  readonly text: string;
  readonly quote: Quote | null;
  readonly attachments: readonly Attachment[];
  readonly delivery: Delivery;
  readonly detail: string | null;
}

/** Moves an entry that is still on its way; one that has reached an end stays there. */
export type EntryMove = Pick<EntryRow, 'itemId' | 'entryId' | 'delivery' | 'detail'>;

/** A model request over its whole life. Flat, so that it is one row; money in millionths of a US dollar. */
export interface CallRow {
  readonly itemId: string;
  readonly callId: string;
  /** The event that prepared it: the order of calls. */
  readonly seq: number;
  readonly ownerKind: 'run' | 'turn';
  /** Run or turn. */
  readonly ownerId: string;
  /** Null for a turn. */
  readonly actionId: string | null;
  readonly n: number;
  readonly model: string;
  readonly status: CallStatus;
  readonly requestHash: string;
  readonly responseHash: string | null;
  /** Times it was dispatched. */
  readonly tries: number;
  readonly estimateTokens: number;
  /** Null: the model has no price. */
  readonly estimateCostMicros: number | null;
  /** Null until something was charged. */
  readonly chargedTokens: number | null;
  /** Null until something was charged, and for good when the model has no price. */
  readonly chargedCostMicros: number | null;
  /** The five kinds of tokens as the provider told them; null when it did not. */
  readonly input: number | null;
  readonly output: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  readonly reasoning: number | null;
  readonly stop: string | null;
  readonly code: string | null;
  readonly error: string | null;
  readonly preparedAt: number;
  /** The last time. */
  readonly dispatchedAt: number | null;
  readonly endedAt: number | null;
}

export type CallKey = Pick<CallRow, 'itemId' | 'callId'>;
/** Its bytes may leave now, for the first time or again: one try more, and what ended the last one is forgotten. */
export type CallDispatch = CallKey & Pick<CallRow, 'dispatchedAt'>;
type Tokens = Pick<CallRow, 'input' | 'output' | 'cacheRead' | 'cacheWrite' | 'reasoning'>;
/** What was charged after all, and for what. */
export type CallCorrection = CallKey & Tokens & Pick<CallRow, 'chargedTokens' | 'chargedCostMicros'>;
export type CallEnd = CallCorrection & Pick<CallRow, 'status' | 'endedAt' | 'responseHash' | 'stop' | 'code' | 'error'>;

/** Nobody will answer it any more: its owner is over. Why the provider refused it last, if it did, stays. */
export type CallDrop = CallKey & Pick<CallRow, 'status' | 'endedAt' | 'chargedTokens' | 'chargedCostMicros'>;

/** A change of `entries` or `calls`. */
export type TalkChange =
  | { readonly kind: 'entry_add'; readonly row: EntryRow }
  | { readonly kind: 'entry_move'; readonly row: EntryMove }
  | { readonly kind: 'call_start'; readonly row: CallRow }
  | { readonly kind: 'call_dispatch'; readonly row: CallDispatch }
  | { readonly kind: 'call_end'; readonly row: CallEnd }
  | { readonly kind: 'call_drop'; readonly row: CallDrop }
  | { readonly kind: 'call_correct'; readonly row: CallCorrection };
