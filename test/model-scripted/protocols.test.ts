import { describe, expect, test } from 'vitest';
import type { ModelMessage } from '../../src/model/model-request.ts';
import { type Answer, answerOf } from '../../src/model/scripted/answer.ts';
import { CODECS } from '../../src/model/scripted/protocols.ts';
import { PROTOCOLS, type Protocol, type ScriptedRequest } from '../../src/model/scripted/scripted-request.ts';
import { splitText } from '../../src/model/scripted/split-text.ts';

const NO_ITEM = () => undefined;

/** One conversation as each protocol writes it. */
const BODIES: Readonly<Record<Protocol, object>> = {
  'openai-chat': {
    model: 'm',
    stream: true,
    stream_options: { include_usage: true },
    tools: [{ type: 'function', function: { name: 'read' } }],
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'Read both' }] },
      {
        role: 'assistant',
        content: 'Reading.',
        reasoning_content: 'Two files.',
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
          { id: 'c2', type: 'function', function: { name: 'read', arguments: '{"path":"b"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'A' },
      { role: 'tool', tool_call_id: 'c2', content: [{ type: 'text', text: 'B' }] },
      { role: 'user', content: 'And now?' },
    ],
  },
  'openai-responses': {
    model: 'm',
    stream: true,
    instructions: 'Be brief.',
    tools: [{ type: 'function', name: 'read' }],
    input: [
      { role: 'user', content: [{ type: 'input_text', text: 'Read both' }] },
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Two files.' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Reading.' }] },
      { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{"path":"a"}' },
      { type: 'function_call', call_id: 'c2', name: 'read', arguments: '{"path":"b"}' },
      { type: 'function_call_output', call_id: 'c1', output: 'A' },
      { type: 'function_call_output', call_id: 'c2', output: [{ type: 'input_text', text: 'B' }] },
      { role: 'user', content: 'And now?' },
    ],
  },
  anthropic: {
    model: 'm',
    stream: true,
    max_tokens: 100,
    system: [{ type: 'text', text: 'Be brief.' }],
    tools: [{ name: 'read', input_schema: {} }],
    messages: [
      { role: 'user', content: 'Read both' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Two files.', signature: 's' },
          { type: 'text', text: 'Reading.' },
          { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a' } },
          { type: 'tool_use', id: 'c2', name: 'read', input: { path: 'b' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c1', content: 'A' },
          { type: 'tool_result', tool_use_id: 'c2', content: [{ type: 'text', text: 'B' }] },
          { type: 'text', text: 'And now?' },
        ],
      },
    ],
  },
};

function read(protocol: Protocol, body: unknown = BODIES[protocol]): ScriptedRequest {
  const result = CODECS[protocol].read(body, NO_ITEM);
  if (!result.ok) throw new Error(result.problem);
  return result.request;
}

/** What only one provider wants back with its reasoning is left out of the comparison. */
const plain = (messages: readonly ModelMessage[]): unknown =>
  JSON.parse(JSON.stringify(messages, (key, value: unknown) => (key === 'provider' ? undefined : value)));

describe('reading', () => {
  test.each(PROTOCOLS)('%s gives the neutral conversation', (protocol) => {
    const { messages, ...request } = read(protocol);
    expect(plain(messages)).toEqual([
      { role: 'user', parts: [{ kind: 'text', text: 'Read both' }] },
      {
        role: 'assistant',
        parts: [
          { kind: 'reasoning', text: 'Two files.' },
          { kind: 'text', text: 'Reading.' },
          { kind: 'tool_call', id: 'c1', name: 'read', input: { path: 'a' } },
          { kind: 'tool_call', id: 'c2', name: 'read', input: { path: 'b' } },
        ],
      },
      {
        role: 'tool',
        results: [
          { callId: 'c1', name: 'read', text: 'A', isError: false },
          { callId: 'c2', name: 'read', text: 'B', isError: false },
        ],
      },
      { role: 'user', parts: [{ kind: 'text', text: 'And now?' }] },
    ]);
    expect(request).toMatchObject({ protocol, stream: true, model: 'm', system: 'Be brief.', tools: ['read'] });
    expect([request.turn, request.said]).toEqual([2, 'A\nB\nAnd now?']);
  });

  test('several system texts are joined, wherever they stand', () => {
    const messages = [
      { role: 'system', content: 'One' },
      { role: 'user', content: 'x' },
      { role: 'developer', content: 'Two' },
    ];
    expect(read('openai-chat', { model: 'm', messages }).system).toBe('One\n\nTwo');
    expect(read('openai-responses', { model: 'm', instructions: 'Zero', input: messages }).system).toBe(
      'Zero\n\nOne\n\nTwo',
    );
  });

  test('arguments that are no JSON object are kept as the text they are', () => {
    const call = { id: 'c', function: { name: 'read', arguments: '[1' } };
    const { messages } = read('openai-chat', { model: 'm', messages: [{ role: 'assistant', tool_calls: [call] }] });
    expect(messages).toMatchObject([{ parts: [{ kind: 'tool_call', input: { unparsable: '[1' } }] }]);
  });

  test("an error and a picture in Anthropic's tool result are seen", () => {
    const source = { type: 'base64', media_type: 'image/png', data: 'AA==' };
    const content = [
      { type: 'text', text: 'no' },
      { type: 'image', source },
    ];
    const result = { type: 'tool_result', tool_use_id: 'c', is_error: true, content };
    const { messages } = read('anthropic', {
      model: 'm',
      max_tokens: 1,
      messages: [{ role: 'user', content: [result] }],
    });
    const images = [{ mediaType: 'image/png', data: 'AA==' }];
    expect(messages).toEqual([
      { role: 'tool', results: [{ callId: 'c', name: '', text: 'no', isError: true, images }] },
    ]);
  });

  test('an item of an earlier answer may be named by its id', () => {
    const item = { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{}' };
    const input = [
      { type: 'item_reference', id: 'fc_1' },
      { type: 'item_reference', id: 'gone' },
      { type: 'function_call_output', call_id: 'c1', output: 'A' },
    ];
    const result = CODECS['openai-responses'].read({ model: 'm', input }, (id) => (id === 'fc_1' ? item : undefined));
    expect(result.ok && result.request.messages).toMatchObject([
      { role: 'assistant', parts: [{ name: 'read' }] },
      { role: 'tool', results: [{ name: 'read', text: 'A' }] },
    ]);
  });

  test.each(PROTOCOLS)('%s survives a body of nonsense', (protocol) => {
    const nonsense = [null, 5, 'x', [], { role: 'user' }, { role: 'tool', content: 7 }, { type: 'function_call' }];
    const body = { model: 'm', max_tokens: 1, tools: [null, 3], messages: nonsense, input: nonsense };
    expect(CODECS[protocol].read(body, NO_ITEM).ok).toBe(true);
    expect(CODECS[protocol].read([], NO_ITEM).ok).toBe(false);
  });
});

const answer = (protocol: Protocol): Answer => {
  const toolCalls = [{ name: 'read', input: { path: 'a' } }, { name: 'list' }];
  const reply = { reasoning: 'Hm.', text: 'A text of some length, in pieces.', toolCalls };
  return answerOf(reply, read(protocol), { number: 3, at: 5_000, model: 'm' });
};

describe('writing', () => {
  test.each(PROTOCOLS)('%s, whole and streamed', async (protocol) => {
    const one = answer(protocol);
    const wire = [JSON.stringify(CODECS[protocol].body(one), null, 2), ...CODECS[protocol].events(one, read(protocol))];
    await expect(wire.join('\n---\n')).toMatchFileSnapshot(`wire/${protocol}.txt`);
  });

  test('usage of a chat stream is sent only when it was asked for', () => {
    const { 'openai-chat': chat } = CODECS;
    const silent = read('openai-chat', { ...BODIES['openai-chat'], stream_options: undefined });
    const asked = chat.events(answer('openai-chat'), read('openai-chat'));
    expect(asked.filter((event) => event.includes('"usage"'))).toHaveLength(1);
    expect(chat.events(answer('openai-chat'), silent).filter((event) => event.includes('"usage"'))).toEqual([]);
  });

  test('ids are unique in the server and in the conversation', () => {
    const ids = [1, 2].flatMap((number) =>
      answerOf({ toolCalls: [{ name: 'a' }, { name: 'b' }] }, read('anthropic'), {
        number,
        at: 0,
        model: 'm',
      }).calls.map(({ id }) => id),
    );
    expect(ids).toEqual(['call_2_1_0', 'call_2_1_1', 'call_2_2_0', 'call_2_2_1']);
  });

  test('usage that is not given is a quarter of the characters', () => {
    const request = read('anthropic', { model: 'm', max_tokens: 1, messages: [] });
    const { usage } = answerOf({ text: 'x'.repeat(9) }, request, { number: 1, at: 0, model: 'm' });
    expect(usage).toEqual({ input: 11, output: 3, cacheRead: 0, cacheWrite: 0, reasoning: 0 });
  });
});

test('a text is split within no character and loses nothing', () => {
  const text = '🙂'.repeat(30) + 'x'.repeat(5000);
  const pieces = splitText(text);
  expect(pieces.join('')).toBe(text);
  expect(pieces.length).toBeLessThanOrEqual(64);
  // Throws at half a character.
  expect(pieces.every((piece) => encodeURIComponent(piece) !== '')).toBe(true);
  expect(splitText('')).toEqual([]);
});
