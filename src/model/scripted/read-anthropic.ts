import type { AssistantPart, ModelMessage, ToolAnswer, UserPart } from '../model-request.ts';
import { isObject, type JsonObject, joined, listOf, type Media, objectOf, stringOf, withToolNames } from './json.ts';
import { type ReadResult, scriptedRequest } from './scripted-request.ts';

/** A bare text stands for one text block. */
const blocksOf = (content: unknown): readonly JsonObject[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content).map(objectOf);

const textOfBlocks = (content: unknown, between: string): string =>
  blocksOf(content)
    .flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
    .join(between);

function mediaBlock(block: JsonObject): readonly Media[] {
  const source = objectOf(block.source);
  if (source.type !== 'base64') return [];
  const kind = block.type === 'image' ? 'image' : 'pdf';
  return [{ kind, mediaType: stringOf(source.media_type), data: stringOf(source.data) }];
}

function answerOf(block: JsonObject): ToolAnswer {
  const images = blocksOf(block.content)
    .filter(({ type }) => type === 'image')
    .flatMap(mediaBlock)
    .map(({ mediaType, data }) => ({ mediaType, data }));
  return {
    callId: stringOf(block.tool_use_id),
    name: '',
    text: textOfBlocks(block.content, '\n'),
    isError: block.is_error === true,
    ...(images.length === 0 ? {} : { images }),
  };
}

/** Tool results and the user's words come in one message; here they are two. */
function userMessages(content: unknown): readonly ModelMessage[] {
  const blocks = blocksOf(content);
  const results = blocks.filter(({ type }) => type === 'tool_result').map(answerOf);
  const parts = blocks.flatMap((block): readonly UserPart[] => {
    if (block.type === 'tool_result') return [];
    return typeof block.text === 'string' ? [{ kind: 'text', text: block.text }] : mediaBlock(block);
  });
  return [
    ...(results.length === 0 ? [] : [{ role: 'tool', results } as const]),
    ...(parts.length === 0 ? [] : [{ role: 'user', parts } as const]),
  ];
}

function assistantPart(block: JsonObject): readonly AssistantPart[] {
  switch (block.type) {
    case 'text':
      return [{ kind: 'text', text: stringOf(block.text) }];
    case 'thinking':
      return [{ kind: 'reasoning', text: stringOf(block.thinking), provider: { signature: block.signature } }];
    case 'redacted_thinking':
      return [{ kind: 'reasoning', text: '', provider: { redactedData: block.data } }];
    case 'tool_use':
      return [{ kind: 'tool_call', id: stringOf(block.id), name: stringOf(block.name), input: objectOf(block.input) }];
    default:
      return [];
  }
}

function messagesOf({ role, content }: JsonObject): readonly ModelMessage[] {
  if (role === 'assistant') return [{ role, parts: blocksOf(content).flatMap(assistantPart) }];
  return role === 'user' ? userMessages(content) : [];
}

/** Reads the body of `POST /v1/messages`. */
export function readAnthropic(body: unknown): ReadResult {
  if (!isObject(body)) return { ok: false, problem: 'the body is no JSON object' };
  if (typeof body.model !== 'string') return { ok: false, problem: 'model: expected a text' };
  if (typeof body.max_tokens !== 'number') return { ok: false, problem: 'max_tokens: expected a number' };
  if (!Array.isArray(body.messages)) return { ok: false, problem: 'messages: expected a list' };
  const request = scriptedRequest({
    protocol: 'anthropic',
    stream: body.stream === true,
    model: body.model,
    system: textOfBlocks(body.system ?? [], '\n\n'),
    messages: withToolNames(joined(body.messages.map(objectOf).flatMap(messagesOf))),
    tools: listOf(body.tools).map((tool) => stringOf(objectOf(tool).name)),
    body,
  });
  return { ok: true, request };
}
