import type { AssistantPart, ModelMessage, UserPart } from '../model-request.ts';
import {
  callInput,
  isObject,
  type JsonObject,
  joined,
  listOf,
  mediaOf,
  objectOf,
  stringOf,
  withToolNames,
} from './json.ts';
import { contentText } from './read-openai-chat.ts';
import { type ReadResult, scriptedRequest } from './scripted-request.ts';

function userPart(value: unknown): readonly UserPart[] {
  const part = objectOf(value);
  if (typeof part.text === 'string') return [{ kind: 'text', text: part.text }];
  return mediaOf(stringOf(part.image_url) || stringOf(part.file_data));
}

function reasoningOf(item: JsonObject): AssistantPart {
  const text = listOf(item.summary).map((part) => stringOf(objectOf(part).text));
  const provider = { id: item.id, encryptedContent: item.encrypted_content };
  return { kind: 'reasoning', text: text.join('\n'), provider };
}

function assistant(part: AssistantPart): readonly ModelMessage[] {
  return [{ role: 'assistant', parts: [part] }];
}

function messageOf({ role, content }: JsonObject): readonly ModelMessage[] {
  if (role === 'assistant') return assistant({ kind: 'text', text: contentText(content) });
  if (role !== 'user') return [];
  const parts: readonly UserPart[] =
    typeof content === 'string' ? [{ kind: 'text', text: content }] : listOf(content).flatMap(userPart);
  return [{ role, parts }];
}

function itemMessage(item: JsonObject): readonly ModelMessage[] {
  switch (item.type) {
    case 'function_call': {
      const input = callInput(stringOf(item.arguments));
      return assistant({ kind: 'tool_call', id: stringOf(item.call_id), name: stringOf(item.name), input });
    }
    case 'function_call_output': {
      const text = contentText(item.output);
      return [{ role: 'tool', results: [{ callId: stringOf(item.call_id), name: '', text, isError: false }] }];
    }
    case 'reasoning':
      return assistant(reasoningOf(item));
    default:
      return messageOf(item);
  }
}

/** An item that an earlier answer contained, by its id: clients send ids instead where the provider stores answers. */
export type FindItem = (id: string) => JsonObject | undefined;

/** Reads the body of `POST /v1/responses`. */
export function readOpenaiResponses(body: unknown, findItem: FindItem): ReadResult {
  if (!isObject(body)) return { ok: false, problem: 'the body is no JSON object' };
  if (typeof body.model !== 'string') return { ok: false, problem: 'model: expected a text' };
  const { input } = body;
  if (typeof input !== 'string' && !Array.isArray(input))
    return { ok: false, problem: 'input: expected a text or list' };
  const sent = typeof input === 'string' ? [{ role: 'user', content: input }] : input.map(objectOf);
  const items = sent.map((item) => (item.type === 'item_reference' ? (findItem(stringOf(item.id)) ?? {}) : item));
  const system = items.filter(({ role }) => role === 'system' || role === 'developer');
  const systemTexts = [stringOf(body.instructions), ...system.map(({ content }) => contentText(content))];
  const request = scriptedRequest({
    protocol: 'openai-responses',
    stream: body.stream === true,
    model: body.model,
    system: systemTexts.filter((text) => text !== '').join('\n\n'),
    messages: withToolNames(joined(items.flatMap(itemMessage))),
    tools: listOf(body.tools).map((tool) => stringOf(objectOf(tool).name)),
    body,
  });
  return { ok: true, request };
}
