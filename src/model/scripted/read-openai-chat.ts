import type { AssistantPart, ModelMessage, UserPart } from '../model-request.ts';
import { callInput, isObject, joined, listOf, mediaOf, objectOf, stringOf, withToolNames } from './json.ts';
import { type ReadResult, scriptedRequest } from './scripted-request.ts';

/** Text of a content that is a text or a list of parts. */
export const contentText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : listOf(content)
        .map((part) => stringOf(objectOf(part).text))
        .join('');

function userPart(value: unknown): readonly UserPart[] {
  const part = objectOf(value);
  if (typeof part.text === 'string') return [{ kind: 'text', text: part.text }];
  const url = stringOf(objectOf(part.image_url).url) || stringOf(objectOf(part.file).file_data);
  return mediaOf(url);
}

function assistantParts(message: Readonly<Record<string, unknown>>): readonly AssistantPart[] {
  const reasoning = stringOf(message.reasoning_content) || stringOf(message.reasoning);
  const text = contentText(message.content);
  const calls = listOf(message.tool_calls).map((value): AssistantPart => {
    const call = objectOf(value);
    const { name, arguments: input } = objectOf(call.function);
    return { kind: 'tool_call', id: stringOf(call.id), name: stringOf(name), input: callInput(stringOf(input)) };
  });
  return [
    ...(reasoning === '' ? [] : [{ kind: 'reasoning', text: reasoning } as const]),
    ...(text === '' ? [] : [{ kind: 'text', text } as const]),
    ...calls,
  ];
}

function messageOf(message: Readonly<Record<string, unknown>>): readonly ModelMessage[] {
  const { role, content } = message;
  if (role === 'assistant') return [{ role, parts: assistantParts(message) }];
  if (role === 'tool') {
    const callId = stringOf(message.tool_call_id);
    return [{ role, results: [{ callId, name: '', text: contentText(content), isError: false }] }];
  }
  if (role !== 'user') return [];
  const parts: readonly UserPart[] =
    typeof content === 'string' ? [{ kind: 'text', text: content }] : listOf(content).flatMap(userPart);
  return [{ role, parts }];
}

/** Reads the body of `POST /v1/chat/completions`. */
export function readOpenaiChat(body: unknown): ReadResult {
  if (!isObject(body)) return { ok: false, problem: 'the body is no JSON object' };
  if (typeof body.model !== 'string') return { ok: false, problem: 'model: expected a text' };
  if (!Array.isArray(body.messages)) return { ok: false, problem: 'messages: expected a list' };
  const sent = body.messages.map(objectOf);
  const system = sent.filter(({ role }) => role === 'system' || role === 'developer');
  const request = scriptedRequest({
    protocol: 'openai-chat',
    stream: body.stream === true,
    model: body.model,
    system: system.map(({ content }) => contentText(content)).join('\n\n'),
    messages: withToolNames(joined(sent.flatMap(messageOf))),
    tools: listOf(body.tools).map((tool) => stringOf(objectOf(objectOf(tool).function).name)),
    body,
  });
  return { ok: true, request };
}
