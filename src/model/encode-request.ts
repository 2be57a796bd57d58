import { z } from 'zod';
import { canonical } from '../core/index.ts';
import { EFFORTS, type ModelRequest } from './model-request.ts';
import type { ModelResponse } from './model-response.ts';

/** A stored body, read again. `damaged` says where it is not what was written; a damaged body is never sent or used. */
export type Decoded<T> = Readonly<{ kind: 'decoded'; value: T }> | Readonly<{ kind: 'damaged'; message: string }>;

/** The bytes of a request that a durable turn stores, hashes and sends again: equal requests, equal text. */
export function encodeRequest(request: ModelRequest): string {
  return canonical(request);
}

export function encodeResponse(response: ModelResponse): string {
  return canonical(response);
}

export function decodeRequest(text: string): Decoded<ModelRequest> {
  return decode('request', requestSchema, text);
}

export function decodeResponse(text: string): Decoded<ModelResponse> {
  return decode('response', responseSchema, text);
}

/** Kept as parsed, so that every key a model wrote comes back, also an unusual one. */
const jsonObject = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'expected an object',
);

const picture = { mediaType: z.string(), data: z.string() };
const textPart = z.strictObject({ kind: z.literal('text'), text: z.string() });

const userPart = z.discriminatedUnion('kind', [
  textPart,
  z.strictObject({ kind: z.enum(['image', 'pdf']), ...picture }),
]);

const toolCall = z.strictObject({
  kind: z.literal('tool_call'),
  id: z.string(),
  name: z.string(),
  input: jsonObject,
  provider: jsonObject.exactOptional(),
});

const assistantPart = z.discriminatedUnion('kind', [
  textPart,
  z.strictObject({ kind: z.literal('reasoning'), text: z.string(), provider: jsonObject.exactOptional() }),
  toolCall,
]);

const toolAnswer = z.strictObject({
  callId: z.string(),
  name: z.string(),
  text: z.string(),
  isError: z.boolean(),
  images: z.array(z.strictObject(picture)).exactOptional(),
});

const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('user'), parts: z.array(userPart) }),
  z.strictObject({ role: z.literal('assistant'), parts: z.array(assistantPart) }),
  z.strictObject({ role: z.literal('tool'), results: z.array(toolAnswer) }),
]);

const tool = z.strictObject({ name: z.string(), description: z.string(), inputSchema: jsonObject });

const requestSchema: z.ZodType<ModelRequest> = z.strictObject({
  model: z.string(),
  system: z.string(),
  messages: z.array(message),
  tools: z.array(tool),
  toolChoice: z.enum(['auto', 'required']),
  maxOutputTokens: z.int().positive(),
  effort: z.enum(EFFORTS).exactOptional(),
});

const count = z.int().nonnegative();
const usage = z.strictObject({ input: count, output: count, cacheRead: count, cacheWrite: count, reasoning: count });

const responseSchema: z.ZodType<ModelResponse> = z.strictObject({
  text: z.string(),
  toolCalls: z.array(toolCall),
  parts: z.array(assistantPart),
  stop: z.enum(['end', 'tool_use', 'length', 'content_filter', 'other']),
  usage: usage.exactOptional(),
  model: z.string().exactOptional(),
});

function decode<T>(what: string, schema: z.ZodType<T>, text: string): Decoded<T> {
  const parsed = parseJson(text);
  if (parsed === undefined) return { kind: 'damaged', message: `The stored ${what} is not JSON.` };
  const checked = schema.safeParse(parsed);
  if (checked.success) return { kind: 'decoded', value: checked.data };
  const issue = checked.error.issues[0];
  const place = issue?.path.join('.') || 'the body';
  return { kind: 'damaged', message: `The stored ${what} is damaged at ${place}: ${issue?.message ?? 'unknown'}.` };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
