import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CallEnd, ModelResponse } from '../../src/model/index.ts';
import { call, chunk, DONE, HI, KEY, PROTOCOLS, type RawProvider, startRawProvider, stream } from './raw-provider.ts';

let provider: RawProvider;
beforeEach(async () => {
  provider = await startRawProvider();
});
afterEach(() => provider.close());

function responseOf(end: CallEnd): ModelResponse {
  if (end.kind !== 'responded') throw new Error(JSON.stringify(end));
  return end.response;
}

describe.each(PROTOCOLS)('over %s', (protocol) => {
  test('a whole answer is text, its parts, why it stopped, who answered, and usage in five kinds', async () => {
    provider.answer = stream(HI[protocol], protocol === 'openai-compatible' ? DONE : '');
    const deltas: string[] = [];
    const end = await call(provider.url, protocol, {}, { onText: (delta) => deltas.push(delta) });
    expect(responseOf(end)).toEqual({
      text: 'Hi there',
      toolCalls: [],
      parts: [{ kind: 'text', text: 'Hi there' }],
      stop: 'end',
      usage: { input: 10, output: 5, cacheRead: 70, cacheWrite: 20, reasoning: 2 },
      model: 'model-1-exact',
    });
    expect(deltas.join('')).toBe('Hi there');
  });

  test('V48: one call is one request, announced before it leaves, with the key in its header', async () => {
    provider.answer = stream(HI[protocol]);
    const order: string[] = [];
    const onSend = async (): Promise<void> => {
      await Promise.resolve();
      order.push(`announced with ${provider.asked.length} sent`);
    };
    await call(provider.url, protocol, {}, { onSend, onActivity: (kind) => order.push(kind) });
    expect(order.slice(0, 3)).toEqual(['announced with 0 sent', 'sent', 'bytes']);
    expect(order).toContain('text');
    expect(provider.asked).toHaveLength(1);
    const headers = provider.asked[0]?.headers;
    expect([headers?.['x-api-key'], headers?.authorization]).toContain(
      protocol === 'anthropic' ? KEY : `Bearer ${KEY}`,
    );
    expect(provider.asked[0]?.body).toMatchObject({ model: 'model-1', stream: true });
  });

  test('equal requests leave as equal bytes', async () => {
    provider.answer = stream(HI[protocol]);
    await call(provider.url, protocol);
    await call(provider.url, protocol);
    expect(provider.asked).toHaveLength(2);
    expect(provider.asked[0]?.text).toBe(provider.asked[1]?.text);
  });

  test('without reported usage there is none, not zero', async () => {
    const silent = JSON.stringify(HI[protocol]).replace(
      /"(input|output|prompt|completion|cache)(_\w*)?_tokens":\d+/g,
      '"$1$2_tokens":0',
    );
    provider.answer = stream(JSON.parse(silent.replaceAll('"cached_tokens":70', '"cached_tokens":0')));
    expect(responseOf(await call(provider.url, protocol)).usage).toBeUndefined();
  });
});

const CALLS: Readonly<Record<string, (args: readonly string[]) => readonly object[]>> = {
  anthropic: (args) => [
    ...HI.anthropic.slice(0, 1),
    ...args.flatMap((text, index) => [
      {
        type: 'content_block_start',
        index,
        content_block: { type: 'tool_use', id: `call_${index}`, name: 'read', input: {} },
      },
      { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: text.slice(0, 4) } },
      { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: text.slice(4) } },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ],
  openai: (args) => [
    ...HI.openai.slice(0, 1),
    ...args.flatMap((text, index) => {
      const item = { type: 'function_call', id: `fc_${index}`, call_id: `call_${index}`, name: 'read' };
      return [
        { type: 'response.output_item.added', output_index: index, item: { ...item, arguments: '' } },
        { type: 'response.function_call_arguments.delta', item_id: item.id, output_index: index, delta: text },
        {
          type: 'response.output_item.done',
          output_index: index,
          item: { ...item, arguments: text, status: 'completed' },
        },
      ];
    }),
    ...HI.openai.slice(-1),
  ],
  'openai-compatible': (args) => [
    ...args.flatMap((text, index) => [
      chunk({
        tool_calls: [
          { index, id: `call_${index}`, type: 'function', function: { name: 'read', arguments: text.slice(0, 4) } },
        ],
      }),
      chunk({ tool_calls: [{ index, function: { arguments: text.slice(4) } }] }),
    ]),
    chunk({}, 'tool_calls'),
  ],
};

describe.each(PROTOCOLS)('tool calls over %s', (protocol) => {
  test('arrive in order, with their ids and the object that the model wrote', async () => {
    provider.answer = stream(CALLS[protocol]?.(['{"path":"a.ts"}', '{"path":"b.ts"}']) ?? []);
    const response = responseOf(await call(provider.url, protocol));
    expect(response.stop).toBe('tool_use');
    expect(response.toolCalls.map(({ id, name, input }) => ({ id, name, input }))).toEqual([
      { id: 'call_0', name: 'read', input: { path: 'a.ts' } },
      { id: 'call_1', name: 'read', input: { path: 'b.ts' } },
    ]);
    expect(response.parts).toEqual(response.toolCalls);
  });

  test.each(['{"path":', '[1,2]', '"text"'])(
    'E4: arguments that are no object are kept as written: %s',
    async (text) => {
      provider.answer = stream(CALLS[protocol]?.([text]) ?? []);
      const response = responseOf(await call(provider.url, protocol));
      expect(response.toolCalls.map(({ input }) => input)).toEqual([{ unparsable: text }]);
    },
  );

  test('what could not be parsed can be answered: the next request is accepted and shows it', async () => {
    provider.answer = stream(CALLS[protocol]?.(['{"path":']) ?? []);
    const { parts } = responseOf(await call(provider.url, protocol));
    provider.answer = stream(HI[protocol]);
    const messages = [
      { role: 'user', parts: [{ kind: 'text', text: 'Hello' }] },
      { role: 'assistant', parts },
      { role: 'tool', results: [{ callId: 'call_0', name: 'read', text: 'not JSON', isError: true }] },
    ] as const;
    expect((await call(provider.url, protocol, { messages })).kind).toBe('responded');
    const sent = JSON.stringify(provider.asked[1]?.body);
    expect(sent).toContain('not JSON');
    expect(sent).toContain('unparsable');
  });
});

test('a server that says stop after tool calls means tool use', async () => {
  const [first, second] = CALLS['openai-compatible']?.(['{"path":"a"}']) ?? [];
  provider.answer = stream([first ?? {}, second ?? {}, chunk({}, 'stop')]);
  expect(responseOf(await call(provider.url, 'openai-compatible')).stop).toBe('tool_use');
});

test('an answer that was cut at the limit says so', async () => {
  provider.answer = stream([chunk({ content: 'Half' }), chunk({}, 'length')]);
  expect(responseOf(await call(provider.url, 'openai-compatible'))).toMatchObject({ text: 'Half', stop: 'length' });
});
