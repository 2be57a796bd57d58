import type { AssistantPart, ModelMessage, ToolCall } from '../model-request.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Requests are read as a provider reads them that knows only a part of its own protocol: leniently. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Undefined for what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Arguments of a call: the object they are, or the text that is none. */
export function callInput(text: string): ToolCall['input'] {
  if (text.trim() === '') return {};
  const value = parseJson(text);
  return isObject(value) ? value : { unparsable: text };
}

export type Media = Readonly<{ kind: 'image' | 'pdf'; mediaType: string; data: string }>;

/** `data:image/png;base64,…` taken apart; nothing for an address, because nothing is fetched. */
export function mediaOf(dataUrl: string): readonly Media[] {
  const { mediaType, data } = /^data:(?<mediaType>[^;,]+);base64,(?<data>[\s\S]*)$/.exec(dataUrl)?.groups ?? {};
  if (mediaType === undefined || data === undefined) return [];
  return [{ kind: mediaType === 'application/pdf' ? 'pdf' : 'image', mediaType, data }];
}

/** Names of called tools by call id, for the protocols whose results name only the call. */
function namesOfCalls(messages: readonly ModelMessage[]): ReadonlyMap<string, string> {
  const parts = messages.flatMap<AssistantPart>((message) => (message.role === 'assistant' ? message.parts : []));
  return new Map(parts.flatMap((part) => (part.kind === 'tool_call' ? [[part.id, part.name] as const] : [])));
}

/** Fills in the names of the tools that results come from. */
export function withToolNames(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const names = namesOfCalls(messages);
  return messages.map((message) => {
    if (message.role !== 'tool') return message;
    return { ...message, results: message.results.map((one) => ({ ...one, name: names.get(one.callId) ?? '' })) };
  });
}

/** Neighbouring messages of one role as one, so that every protocol gives the same conversation. */
export function joined(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const list: ModelMessage[] = [];
  for (const message of messages) {
    const last = list.at(-1);
    if (last?.role === 'tool' && message.role === 'tool') {
      list[list.length - 1] = { role: 'tool', results: [...last.results, ...message.results] };
    } else if (last?.role === 'assistant' && message.role === 'assistant') {
      list[list.length - 1] = { role: 'assistant', parts: [...last.parts, ...message.parts] };
    } else {
      list.push(message);
    }
  }
  return list;
}
