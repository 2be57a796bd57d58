import type { TokenUsage } from '../model-response.ts';
import type { Answer } from './answer.ts';
import type { JsonObject } from './json.ts';
import type { Stop } from './scenario.ts';
import { splitText } from './split-text.ts';

/** Why an answer is `incomplete`; the other stops are `completed`. */
const INCOMPLETE: Readonly<Partial<Record<Stop, string>>> = {
  length: 'max_output_tokens',
  content_filter: 'content_filter',
};

function usageOf({ input, output, cacheRead, cacheWrite, reasoning }: TokenUsage): JsonObject {
  const all = input + cacheRead + cacheWrite;
  return {
    input_tokens: all,
    input_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: all + output,
  };
}

/** One item of the output: as it begins, as it ends, and the events between. Events get their output index later. */
interface Item {
  readonly started: JsonObject;
  readonly done: JsonObject & { readonly id: string };
  readonly events: readonly JsonObject[];
}

function reasoningItem(id: string, text: string): Item {
  const base = { id, type: 'reasoning', encrypted_content: 'scripted' };
  const place = { item_id: id, summary_index: 0 };
  const part = { type: 'summary_text', text };
  return {
    started: { ...base, summary: [] },
    done: { ...base, summary: [part] },
    events: [
      { type: 'response.reasoning_summary_part.added', ...place, part: { type: 'summary_text', text: '' } },
      ...splitText(text).map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...place, delta })),
      { type: 'response.reasoning_summary_text.done', ...place, text },
      { type: 'response.reasoning_summary_part.done', ...place, part },
    ],
  };
}

function messageItem(id: string, text: string): Item {
  const base = { id, type: 'message', role: 'assistant' };
  const place = { item_id: id, content_index: 0 };
  const part = { type: 'output_text', text, annotations: [] };
  return {
    started: { ...base, status: 'in_progress', content: [] },
    done: { ...base, status: 'completed', content: [part] },
    events: [
      { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
      ...splitText(text).map((delta) => ({ type: 'response.output_text.delta', ...place, delta })),
      { type: 'response.output_text.done', ...place, text },
      { type: 'response.content_part.done', ...place, part },
    ],
  };
}

function callItem(id: string, call: Answer['calls'][number]): Item {
  const base = { id, type: 'function_call', call_id: call.id, name: call.name };
  return {
    started: { ...base, status: 'in_progress', arguments: '' },
    done: { ...base, status: 'completed', arguments: call.arguments },
    events: [
      ...splitText(call.arguments).map((delta) => ({
        type: 'response.function_call_arguments.delta',
        item_id: id,
        delta,
      })),
      { type: 'response.function_call_arguments.done', item_id: id, name: call.name, arguments: call.arguments },
    ],
  };
}

const itemsOf = ({ id, reasoning, text, calls }: Answer): readonly Item[] => [
  ...(reasoning === '' ? [] : [reasoningItem(`rs_${id}`, reasoning)]),
  ...(text === '' ? [] : [messageItem(`msg_${id}`, text)]),
  ...calls.map((call, index) => callItem(`fc_${id}_${index}`, call)),
];

/** What an answer contains, by item: clients may name them by id in the next request. */
export const outputItems = (answer: Answer): readonly Item['done'][] => itemsOf(answer).map(({ done }) => done);

const head = ({ id, at, model }: Answer): JsonObject => ({
  id: `resp_${id}`,
  object: 'response',
  created_at: Math.floor(at / 1000),
  model,
});

/** The body of an answer that is not streamed, and the last event of one that is. */
export function writeOpenaiResponsesBody(answer: Answer): JsonObject {
  const reason = INCOMPLETE[answer.stop];
  return {
    ...head(answer),
    status: reason === undefined ? 'completed' : 'incomplete',
    error: null,
    incomplete_details: reason === undefined ? null : { reason },
    output: outputItems(answer),
    ...(answer.usage === undefined ? {} : { usage: usageOf(answer.usage) }),
  };
}

/** The events of a stream, numbered. */
export function writeOpenaiResponsesEvents(answer: Answer): readonly JsonObject[] {
  const response = { ...head(answer), status: 'in_progress', output: [] };
  const items = itemsOf(answer).flatMap(({ started, done, events }, index) => [
    { type: 'response.output_item.added', output_index: index, item: started },
    ...events.map((event) => ({ ...event, output_index: index })),
    { type: 'response.output_item.done', output_index: index, item: done },
  ]);
  const ending = INCOMPLETE[answer.stop] === undefined ? 'response.completed' : 'response.incomplete';
  const all: readonly JsonObject[] = [
    { type: 'response.created', response },
    { type: 'response.in_progress', response },
    ...items,
    { type: ending, response: writeOpenaiResponsesBody(answer) },
  ];
  return all.map((event, index) => ({ ...event, sequence_number: index }));
}
