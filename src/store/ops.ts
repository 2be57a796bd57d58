import type { Facts, Resources, SideWrite } from '../core/index.ts';
import type { EventRow, RowChange, SnapshotRow, SubmissionRow } from './rows.ts';

/** Everything one command writes, applied together or not at all. */
export interface WriteBatch {
  readonly itemId: string;
  readonly events: readonly EventRow[];
  readonly changes: readonly RowChange[];
  readonly side: readonly SideWrite[];
  readonly snapshot?: SnapshotRow;
  readonly submission?: SubmissionRow;
}

/**
 * What the write door may ask of a store, with the answer's type. The door is written once, as a generator of these
 * requests, and knows no database; a driver answers them inside one transaction, at once or in its own time.
 */
export interface StoreOps {
  /** First result under an idempotency key. */
  readonly submission: { in: { readonly key: string }; out: SubmissionRow | undefined };
  /** Version of the stream (0 when there is none), locked until the end, and the store's clock. */
  readonly head: { in: { readonly itemId: string }; out: { readonly version: number; readonly now: number } };
  readonly snapshot: { in: { readonly itemId: string }; out: SnapshotRow | undefined };
  /** Events behind `after` up to and including `through`, in order. */
  readonly events: {
    in: { readonly itemId: string; readonly after: number; readonly through: number };
    out: readonly EventRow[];
  };
  /** `at`: the instant of the command; it names the day whose counters are meant. */
  readonly facts: { in: { readonly resources: Resources; readonly owner: string; readonly at: number }; out: Facts };
  readonly write: { in: { readonly batch: WriteBatch }; out: undefined };
}

export type StoreOp = { readonly [K in keyof StoreOps]: { readonly op: K } & StoreOps[K]['in'] }[keyof StoreOps];

/** A program for a driver: yields requests, is sent their answers, returns its result. */
export type StoreProgram<T> = Generator<StoreOp, T, unknown>;

/** Answers of a driver, one per request; the same table serves synchronous and asynchronous drivers. */
export type SyncDriver = { readonly [K in keyof StoreOps]: (input: StoreOps[K]['in']) => StoreOps[K]['out'] };
export type AsyncDriver = {
  readonly [K in keyof StoreOps]: (input: StoreOps[K]['in']) => Promise<StoreOps[K]['out']>;
};

/** Asks one thing. The only place where an answer gets its type: drivers are typed by the same table. */
export function* ask<K extends keyof StoreOps>(op: StoreOp & { readonly op: K }): StoreProgram<StoreOps[K]['out']> {
  return (yield op) as StoreOps[K]['out'];
}

/** Runs a program to its end without giving up the thread: what one SQLite transaction needs. */
export function runSync<T>(program: StoreProgram<T>, driver: SyncDriver): T {
  let step = program.next();
  while (!step.done) {
    const answer = driver[step.value.op] as (input: StoreOp) => unknown;
    step = program.next(answer(step.value));
  }
  return step.value;
}

/** Runs a program against a database that is somewhere else. */
export async function runAsync<T>(program: StoreProgram<T>, driver: AsyncDriver): Promise<T> {
  let step = program.next();
  while (!step.done) {
    const answer = driver[step.value.op] as (input: StoreOp) => Promise<unknown>;
    step = program.next(await answer(step.value));
  }
  return step.value;
}
