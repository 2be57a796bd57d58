import type { z } from 'zod';
import type { WorkspaceMode } from '../../core/model/action.ts';
import type { Confinement } from '../confinement.ts';
import type { StoredContent } from '../executor.ts';

/**
 * What a tool does to the world (T6, T20): decides which modes may use it and what becomes an Operation.
 *
 * | Capability   | Modes                              | On the ledger | Beside others |
 * | ------------ | ---------------------------------- | ------------- | ------------- |
 * | reads        | all                                | no            | up to four    |
 * | writes       | shared, isolated-write, integrate  | no            | alone         |
 * | acts_outside | as the permissions say             | yes           | alone         |
 * | controls     | all; ends or parks the Run         | no            | alone         |
 */
export type Capability = 'reads' | 'writes' | 'acts_outside' | 'controls';

/** A file that came with the goal or a message, laid out read-only outside the workspace. */
export interface AttachedFile {
  readonly name: string;
  /** Absolute path on this machine; never shown to a model, which sees `attachment:<name>`. */
  readonly path: string;
  readonly mediaType: string;
  readonly bytes: number;
}

/** What a tool call is given. One per Run; `signal` ends the call. */
export interface ToolContext {
  readonly signal: AbortSignal;
  readonly mode: WorkspaceMode;
  /** Top of the workspace; absolute and real. Nothing outside is read or written by a file tool. */
  readonly workspacePath: string;
  /** Where relative paths start: the workspace, or the project folder in it. */
  readonly projectPath: string;
  /** A directory of this Run alone, outside the workspace. */
  readonly runDir: string;
  readonly confinement: Confinement;
  readonly network: 'none' | 'loopback' | 'all';
  /** What the Action declares for its processes. */
  readonly env: Readonly<Record<string, string>>;
  readonly attachments: readonly AttachedFile[];
  /** Folders with `SKILL.md` skills, nearest first. */
  readonly skillRoots: readonly string[];
  /** Stores a whole body; redacted before. */
  putContent(bytes: Uint8Array): Promise<StoredContent>;
  /** Redacts what must not be stored or sent. */
  redact(text: string): string;
  /** Records a process before its command may run. */
  onSpawned(identity: { pid: number; startTime: number; machine: string }): Promise<void>;
  now(): number;
}

export interface ToolOutput {
  /** For the model. Cut by the loop, with a pointer to the whole, when it is too long. */
  readonly text: string;
  readonly isError?: boolean;
  readonly images?: readonly Readonly<{ mediaType: string; data: string }>[];
  /**
   * What is known of an `acts_outside` call: `none` is a failure that provably changed nothing; `unknown` may have.
   * Absent: it took effect.
   */
  readonly effect?: 'none' | 'unknown';
  /** Paths in the workspace that were written, relative to its top. */
  readonly wrote?: readonly string[];
  /** Contents in the store that hold more than `text` shows: `read_output` may page through them. */
  readonly kept?: readonly string[];
  /** Text from outside the project (a web page, an MCP server): the loop delimits it as untrusted. */
  readonly foreign?: boolean;
}

/**
 * One tool. `run` rejects only for programmer errors and for an aborted signal; what goes wrong is an output with
 * `isError`, in words that say what was expected, what was found and what to do next.
 */
export interface AgentTool<Input = unknown> {
  readonly name: string;
  /** For the model: what it is for, its limits. At most 600 characters. */
  readonly description: string;
  readonly input: z.ZodType<Input>;
  /** The JSON Schema to show to the model instead of one made from `input`: somebody else's, passed on as it is. */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  /** Of this very input: the same tool may read or act. */
  capability(input: Input, context: ToolContext): Capability;
  /** What a permission pattern is matched against: a path relative to the workspace, a command line, a URL. */
  subject(input: Input): string;
  /** After this the loop aborts the call. */
  readonly timeoutMs: number;
  run(input: Input, context: ToolContext): Promise<ToolOutput>;
}

/** Erases the input type so that tools of all shapes fit one list; the loop parses before it calls. */
export const asTool = <Input>(tool: AgentTool<Input>): AgentTool => tool as unknown as AgentTool;
