import type { LaunchSpec } from './launch.ts';
import type { OutputChunk } from './output-pump.ts';
import type { ProcessIdentity } from './process-identity.ts';
import type { Timers } from './timers.ts';

export interface GuardedSpec extends LaunchSpec {
  /** Program and arguments; the program is looked up on `env.PATH`. Not a shell line. */
  readonly argv: readonly string[];
  /** Absolute; inside the sandbox it has to be visible. */
  readonly cwd: string;
  /** Complete; see `childEnvironment`. The two tags are added. */
  readonly env: Readonly<Record<string, string>>;
  /** `<runId>:<epoch>`. */
  readonly runTag: string;
  /**
   * Absolute, in a directory of its own (which the command may write to). Holds the exit code, written by
   * rename, once the command has ended; see `readExitFile`.
   */
  readonly exitFile?: string;
  /** Otherwise standard input is empty. */
  readonly stdin?: string | Uint8Array;
  /** Whole length of the command, from the opening of the gate. */
  readonly timeoutMs?: number;
  /** Longest time without output; time in which `onOutput` holds the output back does not count. */
  readonly silenceMs?: number;
  /** From SIGTERM to SIGKILL; default 2,000. */
  readonly graceMs?: number;
  /** Ends the command like `abort`. */
  readonly signal?: AbortSignal;
  /** Called in order per stream, one chunk at a time; a promise holds the command back. Must not reject. */
  onOutput(chunk: OutputChunk): void | Promise<void>;
  /** Stores the process row. The command runs only after it has resolved; if it rejects, never. */
  onSpawned(identity: ProcessIdentity): Promise<void>;
  readonly timers?: Timers;
  /** Monotonic milliseconds; default `performance.now`. */
  readonly nowMs?: () => number;
}

export interface ExitReport {
  /**
   * As a shell gives it: 126 not executable, 127 not found, 128 + n ended by signal n. Null when the process
   * was killed or did not start.
   */
  readonly exitCode: number | null;
  /** The signal that ended the whole tree, if one did. */
  readonly signal: string | null;
  /** Why it ended; `exited` is its own doing, whatever the code. */
  readonly cause: 'exited' | 'timed_out' | 'silent' | 'aborted' | 'spawn_failed';
  /** A sentence for a person: the limit, the reason of the abort, why it did not start, what was left. */
  readonly detail?: string;
  /** From the opening of the gate to the end of the command; 0 if it never ran. */
  readonly durationMs: number;
}

export interface GuardedProcess {
  readonly identity: ProcessIdentity;
  /** Resolves, never rejects, when the command, every descendant and all output are done with. */
  readonly exited: Promise<ExitReport>;
  /** Ends the tree: SIGTERM, then SIGKILL after `graceMs`. Later calls change nothing. */
  abort(reason: string): void;
}
