import type { AssistantPart, ModelResponse, ToolCall } from '../../model/index.ts';

type Redact = (text: string) => string;

/** String by string: redacting encoded JSON could break its quoting. */
function deep(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((each) => deep(each, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [redact(key), deep(each, redact)]));
}

const callOf = (call: ToolCall, redact: Redact): ToolCall => ({
  ...call,
  name: redact(call.name),
  input: deep(call.input, redact) as ToolCall['input'],
});

/** Signed reasoning cannot be changed; one that holds a secret is left out. */
function partOf(part: AssistantPart, redact: Redact): readonly AssistantPart[] {
  if (part.kind === 'tool_call') return [callOf(part, redact)];
  const text = redact(part.text);
  if (part.kind === 'reasoning') return text === part.text ? [part] : [];
  return [{ ...part, text }];
}

/** What a model said, as it may be stored and said again (D38). What providers want back untouched stays as it is. */
export const redactResponse = (response: ModelResponse, redact: Redact): ModelResponse => ({
  ...response,
  text: redact(response.text),
  toolCalls: response.toolCalls.map((call) => callOf(call, redact)),
  parts: response.parts.flatMap((part) => partOf(part, redact)),
});
