import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  type CallEnd,
  type CallOptions,
  callModel,
  type ModelRequest,
  type ProviderKind,
  type ResolvedProvider,
} from '../../src/model/index.ts';

export interface Asked {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

/** A provider whose every byte the test decides. */
export interface RawProvider {
  readonly url: string;
  readonly asked: Asked[];
  answer: (response: ServerResponse, request: IncomingMessage) => void;
  close(): Promise<void>;
}

export async function startRawProvider(): Promise<RawProvider> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      asked.push({ path: request.url ?? '', headers: request.headers, text: body, body: JSON.parse(body) });
      provider.answer(response, request);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const provider: RawProvider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answer: (response) => response.writeHead(500).end(),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return provider;
}

export const PROTOCOLS: readonly ProviderKind[] = ['anthropic', 'openai', 'openai-compatible'];

export const KEY = 'sk-test-0123456789abcdef';

export function providerAt(url: string, protocol: ProviderKind): ResolvedProvider {
  return { kind: 'provider', name: 'raw', protocol, baseUrl: `${url}/v1`, key: () => KEY };
}

export const REQUEST: ModelRequest = {
  model: 'raw/model-1',
  system: 'You are terse.',
  messages: [{ role: 'user', parts: [{ kind: 'text', text: 'Hello' }] }],
  tools: [
    {
      name: 'read',
      description: 'Reads a file.',
      inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
    },
  ],
  toolChoice: 'auto',
  maxOutputTokens: 1_000,
};

/** A call to a raw provider; the signal is one that nobody aborts unless `more` brings another. */
export function call(
  url: string,
  protocol: ProviderKind,
  request: Partial<ModelRequest> = {},
  more: Partial<CallOptions> = {},
): Promise<CallEnd> {
  const options = {
    provider: providerAt(url, protocol),
    signal: new AbortController().signal,
    now: () => NOW,
    ...more,
  };
  return callModel({ ...REQUEST, ...request }, options);
}

export const NOW = Date.UTC(2026, 10, 30, 12);

export const events = (list: readonly object[]): string =>
  list.map((event) => `${'type' in event ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`).join('');

/** Answers with a whole stream of events. */
export const stream =
  (list: readonly object[], end = '') =>
  (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events(list) + end);
  };

/** The events of one short answer, in each protocol: "Hi there", with usage of cached and written input. */
export const HI: Readonly<Record<ProviderKind, readonly object[]>> = {
  anthropic: [
    {
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'model-1-exact',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 10, cache_read_input_tokens: 70, cache_creation_input_tokens: 20, output_tokens: 1 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'ping' },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi ' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'there' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 5, output_tokens_details: { thinking_tokens: 2 } },
    },
    { type: 'message_stop' },
  ],
  openai: [
    { type: 'response.created', response: { id: 'resp_1', created_at: 1, model: 'model-1-exact' } },
    { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'item_1' } },
    { type: 'response.output_text.delta', item_id: 'item_1', output_index: 0, content_index: 0, delta: 'Hi ' },
    { type: 'response.output_text.delta', item_id: 'item_1', output_index: 0, content_index: 0, delta: 'there' },
    { type: 'response.output_item.done', output_index: 0, item: { type: 'message', id: 'item_1' } },
    {
      type: 'response.completed',
      response: {
        usage: {
          input_tokens: 100,
          input_tokens_details: { cached_tokens: 70, cache_write_tokens: 20 },
          output_tokens: 5,
          output_tokens_details: { reasoning_tokens: 2 },
        },
      },
    },
  ],
  'openai-compatible': [
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: 'Hi ' }),
    chunk({ content: 'there' }),
    chunk({}, 'stop'),
    {
      id: 'c1',
      model: 'model-1-exact',
      choices: [],
      usage: {
        prompt_tokens: 100,
        prompt_tokens_details: { cached_tokens: 70, cache_write_tokens: 20 },
        completion_tokens: 5,
        completion_tokens_details: { reasoning_tokens: 2 },
      },
    },
  ],
};

/** One chunk of a chat completion. */
export function chunk(delta: object, finish: string | null = null): object {
  return {
    id: 'c1',
    object: 'chat.completion.chunk',
    model: 'model-1-exact',
    choices: [{ index: 0, delta, finish_reason: finish }],
  };
}

export const DONE = 'data: [DONE]\n\n';
