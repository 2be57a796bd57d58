import type { Attachment, Message, Parked } from '../../core/index.ts';
import type { ModelRequest, ModelResponse } from '../../model/index.ts';
import type { AttachedFile } from './tool.ts';

/**
 * How asking a model ended (architecture, "Model calls").
 *
 * | Kind        | What follows                                                                      |
 * | ----------- | --------------------------------------------------------------------------------- |
 * | responded   | the answer is stored and charged                                                  |
 * | lost        | it was sent and nobody knows the answer: never again by itself, a person is asked |
 * | interrupted | nothing was answered and nothing is lost: held, parked, taken away; no attempt    |
 * | failed      | it cannot work like this: no key, no such model, too many requests in this Run    |
 */
export type Asked =
  | Readonly<{ kind: 'responded'; response: ModelResponse }>
  | Readonly<{ kind: 'lost'; callId: string; error: string }>
  | Interrupted
  | Readonly<{ kind: 'failed'; code: string; error: string }>;

/** Not the executor's doing: it charges no attempt (D12). */
export type Interrupted = Readonly<{ kind: 'interrupted'; code: string; error: string; park?: Parked }>;

/** A tool call that needs a person's leave (D16). */
export interface ApprovalRequest {
  readonly tool: string;
  /** What is to happen, in one line for a person. */
  readonly call: string;
  /** Everything that it would do, word for word. */
  readonly whole: string;
  readonly directory: string;
  /** Names this very call; `pattern` all that are like it. */
  readonly key: string;
  readonly pattern: string;
  readonly risk: string;
}

export type Approval =
  | Readonly<{ kind: 'granted' }>
  | Readonly<{ kind: 'denied'; words: string }>
  /** Nobody answered in time: the Run settles `waiting`, and the answer starts another (D16). */
  | Readonly<{ kind: 'unanswered' }>
  | Interrupted;

/** What the agent needs of the engine. Every promise rejects only for programmer errors and a failing store. */
export interface AgentPorts {
  /** Makes one durable request, the `n`-th of this Run, that carries the first `messages` messages of its Action. */
  ask(request: ModelRequest, n: number, messages: number): Promise<Asked>;
  /** What people have written to this Action so far, in order. */
  messages(): Promise<readonly Message[]>;
  /** Lays out files that came with a message since the Run began. */
  layOut(files: readonly Attachment[]): Promise<readonly AttachedFile[]>;
  /** Records a call that acts outside, before it acts (O2). */
  beginOperation(id: string, what: string, tool: string): Promise<Interrupted | undefined>;
  endOperation(id: string, effect: 'applied' | 'not_applied' | 'unknown'): Promise<void>;
  /** Whether a person has given leave for this call: by itself, or for a pattern that it fits. Uses a leave for one call. */
  useGrant(key: string): Promise<boolean>;
  /** Patterns that a person allowed for this Action. */
  patterns(): Promise<readonly string[]>;
  /** Asks a person and waits; the Run holds no slot meanwhile. */
  approve(request: ApprovalRequest): Promise<Approval>;
  /** A whole body that was cut on its way to the model. */
  getContent(hash: string): Promise<Uint8Array | undefined>;
}
