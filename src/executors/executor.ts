import type { ActionSpec, EndedRun } from '../core/model/action.ts';
import type { Contract } from '../core/model/contract.ts';
import type { Parked } from '../core/model/item.ts';
import type { Outcome, Receipt, Usage } from '../core/model/outcome.ts';
import type { ExitReport } from '../workspace/process/guarded-process.ts';
import type { OutputStream } from '../workspace/process/output-pump.ts';
import type { ProcessIdentity } from '../workspace/process/process-identity.ts';
import type { Confinement } from './confinement.ts';

/** What an Action that this one depends on left. Somebody else's words: untrusted. */
export interface EarlierResult {
  readonly actionId: string;
  readonly how: 'completed' | 'closed';
  /** Its summary, or the reason why it was closed. */
  readonly words: string;
  readonly outputs: readonly string[];
}

/** One attempt at one generation of an Action: everything an executor is given. Frozen before it starts. */
export interface Job {
  readonly itemId: string;
  readonly actionId: string;
  readonly runId: string;
  readonly epoch: number;
  /** From 1. */
  readonly attempt: number;
  readonly spec: ActionSpec;
  readonly contract: Contract;
  readonly guidance: readonly string[];
  /** Of the Actions this one depends on, in the order of its `dependsOn`. */
  readonly earlier?: readonly EarlierResult[];
  /** How the attempt before ended. */
  readonly lastRun?: EndedRun;
  /** Top of the workspace; absolute and real. */
  readonly workspacePath: string;
  /** The project directory in it: the workspace itself, or a folder below. */
  readonly projectPath: string;
  /** A directory of this Run alone, made by the engine, outside of every workspace. */
  readonly runDir: string;
  /** Seconds this Run may take; at most `spec.timeoutSec`. */
  readonly timeLimitSec: number;
  readonly confinement: Confinement;
  /** A command that had already ended when its engine died (`adoptFinished`); taken over, not run again. */
  readonly adopt?: { readonly runDir: string; readonly exitCode: number };
}

export interface StoredContent {
  /** As the content store names it. */
  readonly hash: string;
  readonly bytes: number;
}

/** What a Run may do to the world outside of it. Everything that is handed over here has passed the redactor. */
export interface RunIo {
  /** Live output. A promise holds the process back. Must not reject. */
  onOutput(stream: OutputStream, text: string): void | Promise<void>;
  /** Stores the process row; nothing of the process runs before it has resolved. */
  onSpawned(identity: ProcessIdentity): Promise<void>;
  putContent(bytes: Uint8Array): Promise<StoredContent>;
  /** Ends the Run: lost lease, stop, shutdown. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  now(): number;
  /** For the engine's own log; never the output of a process. */
  log(message: string): void;
}

/** A whole log in the content store, and its end. */
export interface StoredLog extends StoredContent {
  /** At most `OUTCOME_LIMITS.tailChars` characters. */
  readonly tail: string;
}

export interface ExecutorEnd {
  /**
   * Never the engine's words: a Run that was aborted says `retryable: aborted`, and whoever aborted it knows
   * better.
   */
  readonly outcome: Outcome;
  /** Not its own doing: held, parked, taken away. Then the outcome does not count, and no attempt is charged (D12). */
  readonly interrupted?: Readonly<{ code: string; error: string; park?: Parked }>;
  /** How the process ended, where there was one. */
  readonly exit?: ExitReport;
  readonly log: StoredLog;
  readonly usage: Usage;
  /** Only an executor that ran checks has any. */
  readonly receipts: readonly Receipt[];
}

export interface RunningJob {
  /**
   * Rejects only when our own side failed (content store, disk, git, a programmer error): then nothing is known about
   * the work. No process is left either way.
   */
  readonly ended: Promise<ExecutorEnd>;
  /** Hands over a message; absent where nothing can be said to a running executor. */
  send?(text: string): void;
  /** Ends it like `RunIo.signal`. Later calls change nothing. */
  abort(reason: string): void;
}

/** Who carries out Actions. `start` returns at once and throws nothing. */
export interface Executor {
  start(job: Job, io: RunIo): RunningJob;
}

/** A job that is one asynchronous function under one signal: that of the engine, or that of `abort`. */
export function startJob(io: RunIo, work: (signal: AbortSignal) => Promise<ExecutorEnd>): RunningJob {
  const own = new AbortController();
  const ended = work(AbortSignal.any([io.signal, own.signal]));
  return { ended, abort: (reason) => own.abort(new Error(reason)) };
}

/** The same effects under another signal. */
export function withSignal(io: RunIo, signal: AbortSignal): RunIo {
  return {
    signal,
    onOutput: (stream, text) => io.onOutput(stream, text),
    onSpawned: (identity) => io.onSpawned(identity),
    putContent: (bytes) => io.putContent(bytes),
    now: () => io.now(),
    log: (message) => io.log(message),
  };
}
