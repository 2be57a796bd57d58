import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type AssistantPart,
  decodeResponse,
  encodeResponse,
  type ModelMessage,
  type ModelRequest,
  type ProviderKind,
} from '../../src/model/index.ts';
import { call, chunk, HI, PROTOCOLS, type RawProvider, startRawProvider, stream } from './raw-provider.ts';

let provider: RawProvider;
beforeEach(async () => {
  provider = await startRawProvider();
});
afterEach(() => provider.close());

type Json = Readonly<Record<string, unknown>>;

/** What the provider was sent when this request was made. */
async function sent(protocol: ProviderKind, request: Partial<ModelRequest>): Promise<Json> {
  provider.answer = stream(HI[protocol]);
  const end = await call(provider.url, protocol, request);
  if (end.kind !== 'responded') throw new Error(JSON.stringify(end));
  return provider.asked.at(-1)?.body ?? {};
}

/** The parts of the answer that these events are, stored and read again as a durable turn does. */
async function answered(protocol: ProviderKind, list: readonly object[]): Promise<readonly AssistantPart[]> {
  provider.answer = stream(list);
  const end = await call(provider.url, protocol);
  if (end.kind !== 'responded') throw new Error(JSON.stringify(end));
  const stored = decodeResponse(encodeResponse(end.response));
  if (stored.kind === 'damaged') throw new Error(stored.message);
  return stored.value.parts;
}

const loop = (parts: readonly AssistantPart[]): readonly ModelMessage[] => [
  { role: 'user', parts: [{ kind: 'text', text: 'Hello' }] },
  { role: 'assistant', parts },
  { role: 'tool', results: [{ callId: 'call_0', name: 'read', text: 'content', isError: false }] },
];

describe('reasoning goes back to the model that wrote it', () => {
  const thinking = (index: number, text: string, signature: string): object[] => [
    { type: 'content_block_start', index, content_block: { type: 'thinking', thinking: '' } },
    { type: 'content_block_delta', index, delta: { type: 'thinking_delta', thinking: text } },
    { type: 'content_block_delta', index, delta: { type: 'signature_delta', signature } },
    { type: 'content_block_stop', index },
  ];
  const ANTHROPIC = [
    ...HI.anthropic.slice(0, 1),
    ...thinking(0, 'First thought', 'sig-1'),
    ...thinking(1, 'Second thought', 'sig-2'),
    { type: 'content_block_start', index: 2, content_block: { type: 'redacted_thinking', data: 'hidden' } },
    { type: 'content_block_stop', index: 2 },
    {
      type: 'content_block_start',
      index: 3,
      content_block: { type: 'tool_use', id: 'call_0', name: 'read', input: {} },
    },
    { type: 'content_block_stop', index: 3 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ];

  test('two thoughts of Anthropic with their signatures, and a hidden one, stand before the call', async () => {
    const parts = await answered('anthropic', ANTHROPIC);
    const { messages } = await sent('anthropic', { messages: loop(parts) });
    expect((messages as Json[])[1]?.content).toEqual([
      { type: 'thinking', thinking: 'First thought', signature: 'sig-1' },
      { type: 'thinking', thinking: 'Second thought', signature: 'sig-2' },
      { type: 'redacted_thinking', data: 'hidden' },
      { type: 'tool_use', id: 'call_0', name: 'read', input: {} },
    ]);
  });

  test('L5: another model gets the call without the thoughts', async () => {
    const parts = await answered('anthropic', ANTHROPIC);
    const body = await sent('anthropic', { model: 'raw/model-2', messages: loop(parts) });
    expect(JSON.stringify(body)).not.toMatch(/sig-1|sig-2|hidden/);
    expect(JSON.stringify(body)).toContain('call_0');
  });

  test('an encrypted item of OpenAI with two summaries is one item again', async () => {
    const item = { type: 'reasoning', id: 'rs_1' };
    const summary = (index: number, delta: string): object[] => [
      { type: 'response.reasoning_summary_part.added', item_id: 'rs_1', summary_index: index },
      { type: 'response.reasoning_summary_text.delta', item_id: 'rs_1', summary_index: index, delta },
      { type: 'response.reasoning_summary_part.done', item_id: 'rs_1', summary_index: index },
    ];
    const fn = { type: 'function_call', id: 'fc_0', call_id: 'call_0', name: 'read' };
    const parts = await answered('openai', [
      ...HI.openai.slice(0, 1),
      { type: 'response.output_item.added', output_index: 0, item: { ...item, encrypted_content: null } },
      ...summary(0, 'First'),
      ...summary(1, 'Second'),
      { type: 'response.output_item.done', output_index: 0, item: { ...item, encrypted_content: 'secret-box' } },
      { type: 'response.output_item.added', output_index: 1, item: { ...fn, arguments: '' } },
      { type: 'response.output_item.done', output_index: 1, item: { ...fn, arguments: '{}', status: 'completed' } },
      ...HI.openai.slice(-1),
    ]);
    const body = await sent('openai', { messages: loop(parts) });
    const items = (body.input as Json[]).filter(({ type }) => type === 'reasoning' || type === 'function_call');
    expect(items).toMatchObject([
      {
        id: 'rs_1',
        encrypted_content: 'secret-box',
        summary: [
          { type: 'summary_text', text: 'First' },
          { type: 'summary_text', text: 'Second' },
        ],
      },
      { call_id: 'call_0', name: 'read', arguments: '{}' },
    ]);
    expect(body.store).toBe(false);
  });

  test('reasoning text and the signature of a call over chat completions', async () => {
    const fn = { index: 0, id: 'call_0', type: 'function', function: { name: 'read', arguments: '{}' } };
    const signed = { ...fn, extra_content: { google: { thought_signature: 'sig-g' } } };
    const parts = await answered('openai-compatible', [
      chunk({ reasoning_content: 'Thinking' }),
      chunk({ tool_calls: [signed] }),
      chunk({}, 'tool_calls'),
    ]);
    const { messages } = await sent('openai-compatible', { messages: loop(parts) });
    expect((messages as Json[])[2]).toMatchObject({
      role: 'assistant',
      reasoning_content: 'Thinking',
      tool_calls: [{ id: 'call_0', extra_content: { google: { thought_signature: 'sig-g' } } }],
    });
  });
});

describe('what Anthropic may cache', () => {
  test('ends at the tools, at the system text and at the last message of ours: three places', async () => {
    const body = await sent('anthropic', {
      messages: [
        ...loop([{ kind: 'tool_call', id: 'call_0', name: 'read', input: {} }]),
        { role: 'assistant', parts: [{ kind: 'text', text: 'Well' }] },
        { role: 'user', parts: [{ kind: 'text', text: 'Go on' }] },
      ],
    });
    const mark = { cache_control: { type: 'ephemeral' } };
    expect(JSON.stringify(body).split('cache_control')).toHaveLength(4);
    expect((body.system as Json[])[0]).toMatchObject(mark);
    expect((body.tools as Json[]).at(-1)).toMatchObject(mark);
    expect((body.messages as Json[]).at(-1)).toMatchObject({ content: [{ text: 'Go on', ...mark }] });
  });

  test('the answers of tools count as the last message of ours', async () => {
    const { messages } = await sent('anthropic', {
      messages: loop([{ kind: 'tool_call', id: 'call_0', name: 'read', input: {} }]),
    });
    expect((messages as Json[]).at(-1)).toMatchObject({
      content: [{ type: 'tool_result', cache_control: { type: 'ephemeral' } }],
    });
  });
});

describe('effort', () => {
  const CASES = [
    [
      'anthropic',
      'claude-sonnet-4-5',
      'low',
      { thinking: { type: 'enabled', budget_tokens: 4_096 }, max_tokens: 40_000 },
    ],
    [
      'anthropic',
      'claude-sonnet-4-5',
      'medium',
      { thinking: { type: 'enabled', budget_tokens: 8_192 }, max_tokens: 40_000 },
    ],
    [
      'anthropic',
      'claude-sonnet-4-5',
      'high',
      { thinking: { type: 'enabled', budget_tokens: 16_384 }, max_tokens: 40_000 },
    ],
    [
      'anthropic',
      'claude-sonnet-4-5',
      'xhigh',
      { thinking: { type: 'enabled', budget_tokens: 32_000 }, max_tokens: 40_000 },
    ],
    [
      'anthropic',
      'claude-opus-4-6',
      'xhigh',
      { thinking: { type: 'adaptive' }, output_config: { effort: 'high' }, max_tokens: 40_000 },
    ],
    ['anthropic', 'claude-sonnet-5-5', 'xhigh', { thinking: { type: 'adaptive' }, output_config: { effort: 'xhigh' } }],
    ['openai', 'gpt-6.1-sol', 'xhigh', { reasoning: { effort: 'xhigh' } }],
    ['openai', 'gpt-5', 'xhigh', { reasoning: { effort: 'high' } }],
    ['openai-compatible', 'qwen3', 'medium', { reasoning_effort: 'medium' }],
  ] as const;

  test.each(CASES)('over %s, %s at %s', async (protocol, model, effort, expected) => {
    expect(await sent(protocol, { model: `raw/${model}`, effort, maxOutputTokens: 40_000 })).toMatchObject(expected);
  });

  test.each(PROTOCOLS)('is not mentioned over %s unless given', async (protocol) => {
    const body = await sent(protocol, { model: 'raw/gpt-5' });
    expect(JSON.stringify(body)).not.toMatch(/effort|"thinking"/);
  });

  test('a budget is cut to what the request may put out, and left away where nothing would remain', async () => {
    const cut = await sent('anthropic', { effort: 'high', maxOutputTokens: 5_000 });
    expect(cut).toMatchObject({ thinking: { budget_tokens: 3_976 }, max_tokens: 5_000 });
    expect(await sent('anthropic', { effort: 'high', maxOutputTokens: 1_500 })).not.toHaveProperty('thinking');
  });

  test('a budget gives way to a forced tool call, and to a tool loop that began without thoughts', async () => {
    const forced = await sent('anthropic', { effort: 'low', toolChoice: 'required', maxOutputTokens: 9_000 });
    expect(forced).toMatchObject({ tool_choice: { type: 'any' } });
    expect(forced).not.toHaveProperty('thinking');
    const messages = loop([{ kind: 'tool_call', id: 'call_0', name: 'read', input: {} }]);
    expect(await sent('anthropic', { effort: 'low', messages, maxOutputTokens: 9_000 })).not.toHaveProperty('thinking');
  });
});

describe.each(PROTOCOLS)('pictures over %s', (protocol) => {
  const PIXEL = 'iVBORw0KGgo=';

  test('an image and a PDF of the user arrive', async () => {
    const parts = [
      { kind: 'text', text: 'Look' },
      { kind: 'image', mediaType: 'image/png', data: PIXEL },
      { kind: 'pdf', mediaType: 'application/pdf', data: 'JVBERi0=' },
    ] as const;
    const body = JSON.stringify(await sent(protocol, { messages: [{ role: 'user', parts }] }));
    expect(body).toContain(PIXEL);
    expect(body).toContain('JVBERi0=');
  });

  test('a picture that a tool looked at arrives as a picture, once', async () => {
    const images = [{ mediaType: 'image/png', data: PIXEL }];
    const messages: ModelMessage[] = [
      ...loop([{ kind: 'tool_call', id: 'call_0', name: 'read', input: {} }]).slice(0, 2),
      { role: 'tool', results: [{ callId: 'call_0', name: 'read', text: 'a picture', isError: false, images }] },
    ];
    const body = JSON.stringify(await sent(protocol, { messages }));
    expect(body.split(PIXEL)).toHaveLength(2);
    expect(body).toMatch(/"type":"(image|input_image|image_url)"/);
    expect(body).toContain('a picture');
  });
});

test('an error of a tool is marked as one', async () => {
  const messages: ModelMessage[] = [
    ...loop([{ kind: 'tool_call', id: 'call_0', name: 'read', input: {} }]).slice(0, 2),
    { role: 'tool', results: [{ callId: 'call_0', name: 'read', text: 'no such file', isError: true }] },
  ];
  const body = await sent('anthropic', { messages });
  expect(JSON.stringify(body)).toContain('"is_error":true');
});

test('without tools and without system text neither is mentioned', async () => {
  const body = await sent('openai-compatible', { tools: [], system: '' });
  expect(body).not.toHaveProperty('tools');
  expect(body).not.toHaveProperty('tool_choice');
  expect((body.messages as Json[]).map(({ role }) => role)).toEqual(['user']);
});
