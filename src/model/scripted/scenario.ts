import type { Protocol, ScriptedRequest } from './scripted-request.ts';

/**
 * What a scripted model answers, step by step. The same shape is read from a YAML or JSON file (docs/testing.md), with
 * patterns as text and without functions.
 */
export interface ScriptedScenario {
  readonly name: string;
  /** The model that `GET …/models` lists and that answers claim to be; the one that was asked for when absent. */
  readonly model?: string | undefined;
  /** The first one that matches a request answers it. */
  readonly steps: readonly ScriptedStep[];
}

/** With `reply` alone the answer is whole; with `error.afterBytes` or `broken` it is what gets cut. */
export interface ScriptedStep {
  /** Names the step in `steps`, in records and in complaints. */
  readonly name?: string | undefined;
  /** Absent: every request matches. */
  readonly when?: When | undefined;
  readonly reply?: Reply | ReplyFunction | undefined;
  readonly error?: ErrorReply | undefined;
  readonly broken?: Broken | undefined;
}

/** A regular expression: as it is, as its source, or as `/source/flags`. Of several, each must be found. */
export type Pattern = RegExp | string;
export type Patterns = Pattern | readonly Pattern[];

/** All that is given must hold. Named groups of the patterns can be used in the reply. */
export interface When {
  /** In the system prompt: who is asking. */
  readonly asks?: Patterns | undefined;
  /** In what was said since the model last spoke: user texts and tool results. */
  readonly says?: Patterns | undefined;
  /** Anywhere in the conversation, without the system prompt; tool calls read `name {"input":…}`. */
  readonly conversation?: Patterns | undefined;
  readonly model?: Patterns | undefined;
  /** Names of tools that must be offered. */
  readonly tools?: readonly string[] | undefined;
  /** Names of tools that must not be offered. */
  readonly lacksTools?: readonly string[] | undefined;
  /** 1 for the first request of a conversation: the assistant messages in it, plus one. */
  readonly turn?: number | undefined;
  /** How many requests the step may answer; then it is passed over. */
  readonly times?: number | undefined;
  readonly protocol?: Protocol | undefined;
}

export interface Reply {
  readonly text?: string | undefined;
  readonly reasoning?: string | undefined;
  readonly toolCalls?: readonly ScriptedCall[] | undefined;
  /** `false` reports none. Absent: a quarter of the characters that were sent and answered. */
  readonly usage?: ScriptedUsage | false | undefined;
  readonly stop?: Stop | undefined;
  /** Before the first byte. */
  readonly delayMs?: number | undefined;
  /** Before every event of a stream but the first. */
  readonly chunkDelayMs?: number | undefined;
}

/** Gets the request as it was read. What it returns is sent as it is: templates are not filled. */
export type ReplyFunction = (request: ScriptedRequest) => Reply | Promise<Reply>;

/** A text as `input` is sent as the bare arguments, so that they can be no JSON at all. */
export interface ScriptedCall {
  readonly name: string;
  readonly input?: Readonly<Record<string, unknown>> | string | undefined;
  /** Made from turn and number of the request when absent. */
  readonly id?: string | undefined;
}

/** Tokens. `input` is without what was read from or written to a cache; `output` includes `reasoning`. */
export interface ScriptedUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
  readonly reasoning?: number | undefined;
}

/** Why the model stopped; `tool_use` when there are calls, else `end`, unless said. */
export const STOPS = ['end', 'tool_use', 'length', 'content_filter'] as const;
export type Stop = (typeof STOPS)[number];

export interface ErrorReply {
  /** 400..599. With `afterBytes` only the kind of the error that is sent in the stream. */
  readonly status: number;
  readonly message?: string | undefined;
  /** Instead of the protocol's own shape of an error; a text is sent as `text/plain`. */
  readonly body?: string | Readonly<Record<string, unknown>> | undefined;
  /** Such as `retry-after`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The answer begins, and the error comes in the stream after at least so many bytes of it. */
  readonly afterBytes?: number | undefined;
  readonly delayMs?: number | undefined;
}

/**
 * | Value            | What the client sees                                                    |
 * | ---------------- | ----------------------------------------------------------------------- |
 * | `before_headers` | the connection ends before any byte                                     |
 * | `mid_stream`     | the connection ends after half of the answer                            |
 * | `silent`         | status and headers, then nothing until the client gives up              |
 * | `ends_early`     | half of the events of a stream, then its orderly end; half of a body    |
 * | `truncated_json` | the answer's JSON, or that of the stream's middle event, cut in the middle |
 * | `html`           | status 200 and a page, as a proxy or a log-in portal sends it           |
 */
export const BROKEN = ['before_headers', 'mid_stream', 'silent', 'ends_early', 'truncated_json', 'html'] as const;
export type Broken = (typeof BROKEN)[number];
