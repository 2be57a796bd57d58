import type { AssistantPart, ToolCall } from './model-request.ts';

/**
 * Tokens of one request in five kinds. `input` is without the cached parts, `output` includes `reasoning`, whatever
 * way the provider counts.
 */
export interface TokenUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly reasoning: number;
}

export const NO_TOKENS: TokenUsage = Object.freeze({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 });

/** What a model answered, complete: it is stored and reused instead of asking again. */
export interface ModelResponse {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  /** The assistant message to put into the next request, reasoning included. */
  readonly parts: readonly AssistantPart[];
  readonly stop: 'end' | 'tool_use' | 'length' | 'content_filter' | 'other';
  /** Absent when the provider reported none: then the estimate stays charged. */
  readonly usage?: TokenUsage;
  /** As the provider names the model that answered. */
  readonly model?: string;
}

/**
 * How one request ended (architecture, "Model calls").
 *
 * | Kind      | What is known                                                                                        |
 * | --------- | ---------------------------------------------------------------------------------------------------- |
 * | responded | the whole answer was received                                                                        |
 * | rejected  | the provider provably did not take it: connection refused, 400, 401, 403, 404, 413, 422, 429, 529, or |
 * |           | something that is no model API answered (HTML), before any byte of an answer                         |
 * | unknown   | it may have been carried out: broken or silent stream, 5xx, aborted by us after sending              |
 */
export type CallEnd =
  | Readonly<{ kind: 'responded'; response: ModelResponse }>
  | Readonly<{
      kind: 'rejected';
      code: RejectedCode;
      message: string;
      status?: number;
      /** Trying the same bytes again may help. */
      retryable: boolean;
      retryAfterMs?: number;
      /** Epoch milliseconds at which an exhausted quota is filled again. */
      resetAt?: number;
    }>
  | Readonly<{ kind: 'unknown'; code: UnknownCode; message: string; usage?: TokenUsage }>;

export type RejectedCode =
  | 'rate_limited'
  | 'quota_exhausted'
  | 'overloaded'
  | 'unreachable'
  | 'unauthorised'
  | 'bad_request'
  | 'context_too_long'
  | 'model_not_found'
  | 'not_a_model_api';

export type UnknownCode = 'server_error' | 'broken_stream' | 'idle_timeout' | 'malformed_body' | 'aborted';
