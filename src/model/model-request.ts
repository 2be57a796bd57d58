/**
 * One request to a model, neutral of its provider. Its canonical bytes are what a durable turn stores, hashes and sends
 * again after a crash (architecture, "Model calls"), so everything that shapes the answer is in here: the tools, the
 * effort and the output limit as well as the words.
 */
export interface ModelRequest {
  /** `provider/model`, already resolved: never a tag. */
  readonly model: string;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDefinition[];
  readonly toolChoice: 'auto' | 'required';
  readonly maxOutputTokens: number;
  readonly effort?: Effort;
}

export const EFFORTS = ['low', 'medium', 'high', 'xhigh'] as const;
export type Effort = (typeof EFFORTS)[number];

/** A tool as the model sees it. `inputSchema` is a JSON Schema of an object. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export type ModelMessage =
  | Readonly<{ role: 'user'; parts: readonly UserPart[] }>
  | Readonly<{ role: 'assistant'; parts: readonly AssistantPart[] }>
  /** Answers to the calls of the assistant message before, in the order of the calls. */
  | Readonly<{ role: 'tool'; results: readonly ToolAnswer[] }>;

/** `data` is base64. */
export type UserPart =
  | Readonly<{ kind: 'text'; text: string }>
  | Readonly<{ kind: 'image' | 'pdf'; mediaType: string; data: string }>;

export type AssistantPart =
  | Readonly<{ kind: 'text'; text: string }>
  /** Opaque to us: what the provider wants back before its own tool calls (signatures, encrypted items). */
  | Readonly<{ kind: 'reasoning'; text: string; provider?: Readonly<Record<string, unknown>> }>
  | ToolCall;

/** `input` is what the model wrote: an object, or the text that could not be parsed as one. */
export type ToolCall = Readonly<{
  kind: 'tool_call';
  id: string;
  name: string;
  input: Readonly<Record<string, unknown>> | Readonly<{ unparsable: string }>;
  provider?: Readonly<Record<string, unknown>>;
}>;

export interface ToolAnswer {
  readonly callId: string;
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
  /** Pictures a tool looked at. */
  readonly images?: readonly Readonly<{ mediaType: string; data: string }>[];
}
