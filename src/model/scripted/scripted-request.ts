import type { ModelMessage } from '../model-request.ts';
import { afterLastAnswer, textOf } from './transcript.ts';

export const PROTOCOLS = ['openai-chat', 'openai-responses', 'anthropic'] as const;
export type Protocol = (typeof PROTOCOLS)[number];

/** One request, the same whatever protocol it came in. It is also the root `$` of the paths in templates. */
export interface ScriptedRequest {
  readonly protocol: Protocol;
  /** Whether the answer is wanted as a stream. */
  readonly stream: boolean;
  readonly model: string;
  /** All system and developer texts, joined by empty lines. */
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  /** Names of the tools that are offered. */
  readonly tools: readonly string[];
  /** 1 for the first request of a conversation. */
  readonly turn: number;
  /** User texts and tool results since the model last spoke, joined by line ends. */
  readonly said: string;
  /** The body as it was sent. */
  readonly body: Readonly<Record<string, unknown>>;
}

export type ReadResult =
  | { readonly ok: true; readonly request: ScriptedRequest }
  | { readonly ok: false; readonly problem: string };

/** Completes what a reader found with what follows from the messages. */
export function scriptedRequest(read: Omit<ScriptedRequest, 'turn' | 'said'>): ScriptedRequest {
  const turn = read.messages.filter(({ role }) => role === 'assistant').length + 1;
  return { ...read, turn, said: textOf(afterLastAnswer(read.messages)) };
}
