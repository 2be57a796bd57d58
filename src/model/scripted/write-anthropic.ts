import type { TokenUsage } from '../model-response.ts';
import type { Answer } from './answer.ts';
import type { JsonObject } from './json.ts';
import type { Stop } from './scenario.ts';
import { splitText } from './split-text.ts';

const STOP_REASON: Readonly<Record<Stop, string>> = {
  end: 'end_turn',
  tool_use: 'tool_use',
  length: 'max_tokens',
  content_filter: 'refusal',
};

/** Clients send it back with the thinking; nobody checks it here. */
const SIGNATURE = 'c2NyaXB0ZWQ=';

const inputUsage = ({ input, cacheRead, cacheWrite }: TokenUsage): JsonObject => ({
  input_tokens: input,
  cache_read_input_tokens: cacheRead,
  cache_creation_input_tokens: cacheWrite,
});

const outputUsage = ({ output, reasoning }: TokenUsage): JsonObject => ({
  output_tokens: output,
  ...(reasoning === 0 ? {} : { output_tokens_details: { thinking_tokens: reasoning } }),
});

/** Usage is no option of this protocol: what is not reported is 0. */
const NO_USAGE: TokenUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

const head = ({ id, model }: Answer): JsonObject => ({ id: `msg_${id}`, type: 'message', role: 'assistant', model });

/** The body of an answer that is not streamed. */
export function writeAnthropicBody(answer: Answer): JsonObject {
  const { reasoning, text, calls, stop, usage = NO_USAGE } = answer;
  const content = [
    ...(reasoning === '' ? [] : [{ type: 'thinking', thinking: reasoning, signature: SIGNATURE }]),
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
  ];
  const ending = { stop_reason: STOP_REASON[stop], stop_sequence: null };
  return { ...head(answer), content, ...ending, usage: { ...inputUsage(usage), ...outputUsage(usage) } };
}

/** A block as it begins, and the deltas that complete it. */
interface Block {
  readonly start: JsonObject;
  readonly deltas: readonly JsonObject[];
}

function blocksOf({ reasoning, text, calls }: Answer): readonly Block[] {
  const thinking: Block = {
    start: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      ...splitText(reasoning).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
      { type: 'signature_delta', signature: SIGNATURE },
    ],
  };
  const words: Block = {
    start: { type: 'text', text: '' },
    deltas: splitText(text).map((piece) => ({ type: 'text_delta', text: piece })),
  };
  const uses = calls.map(
    ({ id, name, arguments: input }): Block => ({
      start: { type: 'tool_use', id, name, input: {} },
      deltas: splitText(input).map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
    }),
  );
  return [...(reasoning === '' ? [] : [thinking]), ...(text === '' ? [] : [words]), ...uses];
}

/** The events of a stream. Each names its kind as `type`, which is also the name of the SSE event. */
export function writeAnthropicEvents(answer: Answer): readonly JsonObject[] {
  const { stop, usage = NO_USAGE } = answer;
  const message = { ...head(answer), content: [], stop_reason: null, stop_sequence: null };
  const blocks = blocksOf(answer).flatMap(({ start, deltas }, index) => [
    { type: 'content_block_start', index, content_block: start },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]);
  return [
    { type: 'message_start', message: { ...message, usage: { ...inputUsage(usage), output_tokens: 1 } } },
    { type: 'ping' },
    ...blocks,
    {
      type: 'message_delta',
      delta: { stop_reason: STOP_REASON[stop], stop_sequence: null },
      usage: { ...inputUsage(usage), ...outputUsage(usage) },
    },
    { type: 'message_stop' },
  ];
}
