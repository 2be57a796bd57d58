import type { TokenUsage } from '../model-response.ts';
import type { Answer } from './answer.ts';
import type { JsonObject } from './json.ts';
import type { Stop } from './scenario.ts';
import { splitText } from './split-text.ts';

const FINISH: Readonly<Record<Stop, string>> = {
  end: 'stop',
  tool_use: 'tool_calls',
  length: 'length',
  content_filter: 'content_filter',
};

/** The prompt's count includes what came from the cache; `cache_write_tokens` is what some gateways add. */
function usageOf({ input, output, cacheRead, cacheWrite, reasoning }: TokenUsage): JsonObject {
  const prompt = input + cacheRead + cacheWrite;
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

const head = ({ id, at, model }: Answer, object: string): JsonObject => ({
  id: `chatcmpl-${id}`,
  object,
  created: Math.floor(at / 1000),
  model,
});

/** The body of an answer that is not streamed. */
export function writeOpenaiChatBody(answer: Answer): JsonObject {
  const { text, reasoning, calls, stop, usage } = answer;
  const toolCalls = calls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }));
  const message = {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: toolCalls }),
  };
  return {
    ...head(answer, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: FINISH[stop] }],
    ...(usage === undefined ? {} : { usage: usageOf(usage) }),
  };
}

function deltas({ text, reasoning, calls }: Answer): readonly JsonObject[] {
  const callDeltas = calls.flatMap(({ id, name, arguments: input }, index) => [
    { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] },
    ...splitText(input).map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ]);
  return [
    { role: 'assistant', content: '' },
    ...splitText(reasoning).map((piece) => ({ reasoning_content: piece })),
    ...splitText(text).map((piece) => ({ content: piece })),
    ...callDeltas,
  ];
}

/** The data of the events of a stream. Usage comes last and only if it was asked for, as the real one does it. */
export function writeOpenaiChatEvents(answer: Answer, includeUsage: boolean): readonly string[] {
  const base = head(answer, 'chat.completion.chunk');
  const chunk = (delta: JsonObject, finish: string | null): JsonObject => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const usage = includeUsage && answer.usage ? [{ ...base, choices: [], usage: usageOf(answer.usage) }] : [];
  const chunks = [...deltas(answer).map((delta) => chunk(delta, null)), chunk({}, FINISH[answer.stop]), ...usage];
  return [...chunks.map((one) => JSON.stringify(one)), '[DONE]'];
}
