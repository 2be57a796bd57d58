import type { ToolName } from './tool-names.ts';

/**
 * A virtual person: who carries out an Action. What a Run used is kept with the Run by value, so editing the file
 * changes later Runs only.
 */
export interface Vp {
  /** Lower-case letters, digits, `-` and `_`; unique in a registry. */
  readonly id: string;
  readonly name: string;
  /** One line: what this VP is for. */
  readonly role: string;
  /** Markdown told to the model as part of its system prompt; may be empty for a command. */
  readonly persona: string;
  /** Tags such as `review` or `api-design`: lower-case words joined by `-`, each once. */
  readonly capabilities: readonly string[];
  readonly traits?: readonly string[];
  /** Absent: what the settings say for the type of Action. */
  readonly model?: ModelHint;
  readonly effort?: Effort;
  readonly executor: VpExecutor;
  /**
   * The only tools it may use, further limited by the mode of the Action; absent: all that the mode allows. What ends
   * or suspends a Run (`submit_outcome`, `ask_human`) is no tool in this sense and always there.
   */
  readonly tools?: readonly ToolName[];
  readonly source: VpSource;
  /** SHA-256 of the file's text, hexadecimal. */
  readonly hash: string;
}

/** A model by reference (`provider/model`), or by a tag that the settings map to one. */
export type ModelHint = Readonly<{ ref: string }> | Readonly<{ tag: ModelTag }>;

export const MODEL_TAGS = ['fast', 'balanced', 'ultimate'] as const;
export type ModelTag = (typeof MODEL_TAGS)[number];

export const EFFORTS = ['low', 'medium', 'high', 'xhigh'] as const;
export type Effort = (typeof EFFORTS)[number];

/** The built-in agent, or a command as in a plan file: a shell line, or an argument vector that no shell reads. */
export type VpExecutor =
  | Readonly<{ kind: 'agent' }>
  | Readonly<{ kind: 'command'; run: string | readonly string[]; env?: Readonly<Record<string, string>> }>;

export type VpSourceKind = 'built-in' | 'project' | 'user' | 'claude-agents';

/** Where a VP was read from; `path` is absolute and absent for the built-in ones. */
export type VpSource = Readonly<{ kind: VpSourceKind; path?: string }>;

/** Characters, unless the name says otherwise. */
export const VP_LIMITS = Object.freeze({
  id: 64,
  name: 120,
  role: 200,
  traits: 20,
  trait: 80,
  capabilities: 20,
  capability: 64,
  persona: 12_000,
  tools: 64,
  command: 8_000,
  fileBytes: 65_536,
  frontMatterBytes: 16_384,
  filesPerFolder: 256,
});

/** Words that address somebody else in a conversation. */
const RESERVED_IDS: ReadonlySet<string> = new Set(['all', 'user', 'system', 'everyone', 'coordinator', 'engine']);

export const isReservedId = (id: string): boolean => RESERVED_IDS.has(id.toLowerCase());

export const isVpId = (id: string): boolean => id.length <= VP_LIMITS.id && /^[a-z0-9][a-z0-9_-]*$/.test(id);

/** Bytewise order of ids, the same on every machine. */
export const byId = (a: { readonly id: string }, b: { readonly id: string }): number =>
  a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
