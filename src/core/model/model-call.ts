/**
 * The durable record of one request to a model (architecture, "Model calls"); its bytes are content under the hashes.
 *
 * | Status      | Moved by    | What is true                                                             |
 * | ----------- | ----------- | ------------------------------------------------------------------------ |
 * | prepared    | PrepareCall | the bytes are stored and budget is reserved; nothing was sent            |
 * | dispatching | DispatchCall | the bytes may have left; they are never sent again without a new record |
 * | rejected    | SettleCall  | the provider provably did not take it; may be dispatched again           |
 * | responded   | SettleCall  | the answer is stored and is used instead of asking again                 |
 * | unknown     | SettleCall, MarkCallUnknown, the end of its owner | the estimate stays charged, until late usage replaces it |
 * | abandoned   | the end of its owner | it was never sent; the reservation is released                  |
 */
export type CallStatus = 'prepared' | 'dispatching' | 'rejected' | 'responded' | 'unknown' | 'abandoned';

/** What a request costs, or may cost. `tokens`: cache reads weighed by their price; null money: no price is known. */
export type Charge = Readonly<{ tokens: number; costMicros: number | null }>;

/** In five kinds, for display; `charge` is what counts. */
export type CallTokens = Readonly<{
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  reasoning: number;
}>;

/** A Run of an Action, or a Coordinator turn. */
export type CallOwner = Readonly<
  { kind: 'run'; runId: string; actionId: string; epoch: number } | { kind: 'turn'; turnId: string }
>;

/** A call that is open, or whose answer its open turn may still need. */
export interface OpenCall {
  readonly id: string;
  readonly of: CallOwner;
  /** From 1 within its owner. */
  readonly n: number;
  readonly model: string;
  readonly requestHash: string;
  readonly status: Exclude<CallStatus, 'unknown' | 'abandoned'>;
  /** Times it was dispatched. */
  readonly tries: number;
  readonly estimate: Charge;
  /** How many of the Action's messages it carries (D15). */
  readonly messages: number;
  readonly responseHash?: string;
}

/** A call whose end nobody knows: its estimate is charged, and real usage may still replace it (RES-3). */
export interface UncertainCall {
  readonly id: string;
  readonly of: CallOwner;
  readonly model: string;
  readonly charge: Charge;
}

/** Older ones stay charged as they are. */
export const UNCERTAIN_CALLS_KEPT = 20;
