import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  call,
  chunk,
  events,
  HI,
  KEY,
  NOW,
  PROTOCOLS,
  type RawProvider,
  startRawProvider,
  stream,
} from './raw-provider.ts';

let provider: RawProvider;
beforeEach(async () => {
  provider = await startRawProvider();
});
afterEach(() => provider.close());

const refuse =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    const json = typeof body !== 'string';
    response.writeHead(status, { 'content-type': json ? 'application/json' : 'text/html', ...headers });
    response.end(json ? JSON.stringify(body) : body);
  };

const said = (message: string, more: object = {}): object => ({ error: { message, ...more } });

interface Case {
  readonly name: string;
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
  readonly end: object;
}

const REFUSALS: readonly Case[] = [
  { name: '400', status: 400, body: said('temperature is wrong'), end: { code: 'bad_request', retryable: false } },
  {
    name: '400 about the length of the prompt',
    status: 400,
    body: said('prompt is too long: 250000 tokens > 200000 maximum'),
    end: { code: 'context_too_long', retryable: false },
  },
  {
    name: '400 with context_length_exceeded',
    status: 400,
    body: said('Too much', { code: 'context_length_exceeded' }),
    end: { code: 'context_too_long' },
  },
  {
    name: '400 about max_tokens is no overflow',
    status: 400,
    body: said('max_tokens: 999999 is more than 64000'),
    end: { code: 'bad_request' },
  },
  {
    name: '400 about credit',
    status: 400,
    body: said('Your credit balance is too low to access the API'),
    end: { code: 'quota_exhausted', retryable: true },
  },
  {
    name: '400 about a usage limit that names its end',
    status: 400,
    body: said('You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.'),
    end: { code: 'quota_exhausted', resetAt: Date.UTC(2026, 11, 1) },
  },
  {
    name: '400 about a key',
    status: 400,
    body: said('API key not valid. Please pass a valid API key.'),
    end: { code: 'unauthorised' },
  },
  { name: '401', status: 401, body: said('invalid x-api-key'), end: { code: 'unauthorised', retryable: false } },
  { name: '402', status: 402, body: said('Insufficient credits'), end: { code: 'quota_exhausted', retryable: true } },
  { name: '403', status: 403, body: said('not allowed'), end: { code: 'unauthorised', retryable: false } },
  {
    name: '404',
    status: 404,
    body: said('model: model-1', { type: 'not_found_error' }),
    end: { code: 'model_not_found', retryable: false },
  },
  {
    name: '413',
    status: 413,
    body: said('Request exceeds the maximum size'),
    end: { code: 'context_too_long', retryable: false },
  },
  { name: '422', status: 422, body: { detail: 'tools.0 is wrong' }, end: { code: 'bad_request', retryable: false } },
  { name: '429', status: 429, body: said('slow down'), end: { code: 'rate_limited', retryable: true } },
  {
    name: '429 with Retry-After in seconds',
    status: 429,
    body: said('slow down'),
    headers: { 'retry-after': '7' },
    end: { code: 'rate_limited', retryAfterMs: 7_000 },
  },
  {
    name: '429 with Retry-After as a date',
    status: 429,
    body: said('slow down'),
    headers: { 'retry-after': new Date(NOW + 90_000).toUTCString() },
    end: { code: 'rate_limited', retryAfterMs: 90_000 },
  },
  {
    name: '429 with insufficient_quota',
    status: 429,
    body: said('You exceeded your current quota', { code: 'insufficient_quota' }),
    end: { code: 'quota_exhausted', retryable: true },
  },
  {
    name: '429 with a daily limit',
    status: 429,
    body: said('Rate limit exceeded: free-models-per-day'),
    headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW + 3_600_000) },
    end: { code: 'quota_exhausted', resetAt: NOW + 3_600_000 },
  },
  {
    name: '429 with reset headers, of which the one that is used up counts',
    status: 429,
    body: said('slow down'),
    headers: {
      'anthropic-ratelimit-requests-remaining': '10',
      'anthropic-ratelimit-requests-reset': '2026-11-30T12:50:00Z',
      'anthropic-ratelimit-tokens-remaining': '0',
      'anthropic-ratelimit-tokens-reset': '2026-11-30T12:00:30Z',
    },
    end: { code: 'rate_limited', resetAt: NOW + 30_000 },
  },
  {
    name: '429 with durations in the headers',
    status: 429,
    body: said('slow down'),
    headers: { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '6m0.5s' },
    end: { code: 'rate_limited', resetAt: NOW + 360_500 },
  },
  { name: '529', status: 529, body: said('Overloaded'), end: { code: 'overloaded', retryable: true } },
];

describe.each(PROTOCOLS)('rejected over %s', (protocol) => {
  test.each(REFUSALS)('$name', async ({ status, body, headers, end }) => {
    provider.answer = refuse(status, body, headers);
    expect(await call(provider.url, protocol)).toMatchObject({ kind: 'rejected', status, ...end });
    expect(provider.asked).toHaveLength(1);
  });

  test.each([
    { name: '200 with a web page', answer: refuse(200, '<html>Welcome</html>') },
    { name: '404 with a web page', answer: refuse(404, '<html>Nothing here</html>') },
    { name: 'a redirect, which is not followed', answer: refuse(307, '', { location: 'http://127.0.0.1:1/' }) },
  ])('no model API: $name', async ({ answer }) => {
    provider.answer = answer;
    const end = await call(provider.url, protocol);
    expect(end).toMatchObject({ kind: 'rejected', code: 'not_a_model_api', retryable: false });
    expect(end).toMatchObject({ message: expect.stringContaining(`${provider.url}/v1`) });
    expect(provider.asked).toHaveLength(1);
  });

  test('unreachable: nobody listens', async () => {
    const free = createServer();
    const port = await new Promise<number>((done) => {
      free.listen(0, '127.0.0.1', () => done((free.address() as { port: number }).port));
    });
    await new Promise((done) => free.close(done));
    expect(await call(`http://127.0.0.1:${port}`, protocol)).toMatchObject({
      kind: 'rejected',
      code: 'unreachable',
      retryable: true,
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  test('stopped before anything was sent: the provider saw nothing (V21)', async () => {
    const end = await call(provider.url, protocol, {}, { signal: AbortSignal.abort() });
    expect(end).toMatchObject({ kind: 'rejected', code: 'unreachable' });
    expect(provider.asked).toEqual([]);
  });

  test('stopped while it was being announced: the provider saw nothing', async () => {
    const control = new AbortController();
    const end = await call(provider.url, protocol, {}, { signal: control.signal, onSend: () => control.abort() });
    expect(end).toMatchObject({ kind: 'rejected', code: 'unreachable' });
    expect(provider.asked).toEqual([]);
  });

  test('an announcement that throws is thrown, and the provider saw nothing', async () => {
    const onSend = (): Promise<void> => Promise.reject(new Error('lease lost'));
    await expect(call(provider.url, protocol, {}, { onSend })).rejects.toThrow('lease lost');
    expect(provider.asked).toEqual([]);
  });

  test('no message holds the key, also when the provider repeats it', async () => {
    provider.answer = refuse(401, said(`Incorrect API key provided: ${KEY}`));
    expect(JSON.stringify(await call(provider.url, protocol))).not.toContain(KEY);
  });
});

/** Sends the head and the beginning of a stream, then what the test wants. */
const begins =
  (list: readonly object[], then: (response: ServerResponse) => void) =>
  (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(events(list), () => then(response));
  };

describe.each(PROTOCOLS)('unknown over %s', (protocol) => {
  const half = HI[protocol].slice(0, 1 + HI[protocol].findIndex((event) => JSON.stringify(event).includes('Hi ')));

  test.each([500, 502, 503, 504, 408])('HTTP %i', async (status) => {
    provider.answer = refuse(status, said('something broke'));
    expect(await call(provider.url, protocol)).toMatchObject({ kind: 'unknown', code: 'server_error' });
    expect(provider.asked).toHaveLength(1);
  });

  test('HTTP 502 with a web page', async () => {
    provider.answer = refuse(502, '<html>Bad gateway</html>');
    expect(await call(provider.url, protocol)).toMatchObject({ kind: 'unknown', code: 'server_error' });
  });

  test('a stream that ends early, although text came', async () => {
    provider.answer = begins(half, (response) => response.end());
    expect(await call(provider.url, protocol)).toMatchObject({ kind: 'unknown', code: 'broken_stream' });
  });

  test('a connection that breaks in the middle', async () => {
    provider.answer = begins(half, (response) => response.destroy());
    expect(await call(provider.url, protocol)).toMatchObject({ kind: 'unknown', code: 'broken_stream' });
  });

  test('a connection that breaks before any answer', async () => {
    provider.answer = (response) => response.destroy();
    expect(await call(provider.url, protocol)).toMatchObject({ kind: 'unknown', code: 'broken_stream' });
  });

  test('an empty stream', async () => {
    provider.answer = stream([]);
    expect(await call(provider.url, protocol)).toMatchObject({ kind: 'unknown', code: 'broken_stream' });
  });

  test('an event that is cut in two', async () => {
    provider.answer = begins(half, (response) => response.end('data: {"type":"mess\n\n'));
    expect(await call(provider.url, protocol)).toMatchObject({ kind: 'unknown', code: 'malformed_body' });
  });

  test('JSON instead of a stream, cut off', async () => {
    provider.answer = (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"id": "x", "con');
    expect(await call(provider.url, protocol)).toMatchObject({ kind: 'unknown', code: 'malformed_body' });
  });

  test('silence before the answer', async () => {
    provider.answer = () => {};
    const end = await call(provider.url, protocol, {}, { idleTimeoutMs: 40 });
    expect(end).toMatchObject({ kind: 'unknown', code: 'idle_timeout' });
  });

  test('silence in the middle of it', async () => {
    provider.answer = begins(half, () => {});
    const end = await call(provider.url, protocol, {}, { idleTimeoutMs: 40 });
    expect(end).toMatchObject({ kind: 'unknown', code: 'idle_timeout' });
  });

  test('stopped after it was sent (V22)', async () => {
    const control = new AbortController();
    provider.answer = () => control.abort();
    const end = await call(provider.url, protocol, {}, { signal: control.signal });
    expect(end).toMatchObject({ kind: 'unknown', code: 'aborted' });
  });

  test('stopped in the middle of the answer (V48)', async () => {
    const control = new AbortController();
    provider.answer = begins(half, () => {});
    const onText = (): void => control.abort();
    const end = await call(provider.url, protocol, {}, { signal: control.signal, onText });
    expect(end).toMatchObject({ kind: 'unknown', code: 'aborted' });
  });
});

test.each(PROTOCOLS)('a whole answer over %s counts, although the connection then stays open', async (protocol) => {
  provider.answer = begins(HI[protocol], () => {});
  // Longer than a busy machine takes to read what has come: it is over when the silence behind it is.
  const end = await call(provider.url, protocol, {}, { idleTimeoutMs: 400 });
  expect(end).toMatchObject({ kind: 'responded', response: { text: 'Hi there', usage: { cacheRead: 70 } } });
});

test('a whole answer of Anthropic counts, although the connection breaks right after it', async () => {
  provider.answer = begins(HI.anthropic, (response) => response.destroy());
  expect(await call(provider.url, 'anthropic')).toMatchObject({ kind: 'responded' });
});

test.each(PROTOCOLS)('a request over %s that is given up leaves no connection behind', async (protocol) => {
  const closed = new Promise<void>((done) => {
    provider.answer = (response) => {
      response.on('close', done);
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': begun\n\n');
    };
  });
  await call(provider.url, protocol, {}, { idleTimeoutMs: 40 });
  await closed;
});

test('a refusal whose body never ends is known by its status', async () => {
  provider.answer = (response) => {
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '3' });
    response.write('{"error":');
  };
  const end = await call(provider.url, 'anthropic', {}, { idleTimeoutMs: 40 });
  expect(end).toMatchObject({ kind: 'rejected', code: 'rate_limited', retryAfterMs: 3_000 });
});

describe('while time is ours', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  test('silence is broken by every byte, also by a comment', async () => {
    const opened = new Promise<ServerResponse>((done) => {
      provider.answer = begins([{ choices: [] }], done);
    });
    const arrivals: (() => void)[] = [];
    const onActivity = (kind: string): void => (kind === 'bytes' ? arrivals.shift()?.() : undefined);
    const arrival = (): Promise<void> => new Promise((done) => arrivals.push(done));
    const first = arrival();
    const end = call(provider.url, 'openai-compatible', {}, { idleTimeoutMs: 100, onActivity });
    const response = await opened;
    await first;
    for (let comment = 0; comment < 5; comment += 1) {
      vi.advanceTimersByTime(80);
      const next = arrival();
      response.write(': still here\n\n');
      await next;
    }
    response.end(events(HI['openai-compatible']));
    expect((await end).kind).toBe('responded');
  });

  test('without a byte it is over after the time that was given', async () => {
    const asked = new Promise<void>((done) => {
      provider.answer = () => done();
    });
    const end = call(provider.url, 'openai-compatible', {}, { idleTimeoutMs: 90_000 });
    await asked;
    vi.advanceTimersByTime(90_000);
    expect(await end).toMatchObject({ kind: 'unknown', code: 'idle_timeout' });
  });
});

describe('errors inside a stream', () => {
  const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };

  test('overload as the first event: nothing was taken', async () => {
    provider.answer = stream([overloaded]);
    expect(await call(provider.url, 'anthropic')).toMatchObject({
      kind: 'rejected',
      code: 'overloaded',
      retryable: true,
    });
  });

  test('overload after text: unknown, with the usage so far', async () => {
    provider.answer = stream([...HI.anthropic.slice(0, 4), overloaded]);
    expect(await call(provider.url, 'anthropic')).toMatchObject({
      kind: 'unknown',
      code: 'server_error',
      message: 'Overloaded',
      usage: { input: 10, cacheRead: 70, cacheWrite: 20 },
    });
  });

  test('an error chunk of a gateway after text', async () => {
    provider.answer = stream([chunk({ content: 'Hi' }), { error: { code: 502, message: 'upstream went away' } }]);
    expect(await call(provider.url, 'openai-compatible')).toMatchObject({
      kind: 'unknown',
      code: 'server_error',
      message: 'upstream went away',
    });
  });

  test('a rate limit as the first chunk of a gateway', async () => {
    provider.answer = stream([{ error: { code: 429, message: 'slow down' } }]);
    expect(await call(provider.url, 'openai-compatible')).toMatchObject({ kind: 'rejected', code: 'rate_limited' });
  });

  test('a response that failed at the provider', async () => {
    const failed = {
      type: 'response.failed',
      sequence_number: 1,
      response: { error: { code: 'server_error', message: 'it failed' } },
    };
    provider.answer = stream([...HI.openai.slice(0, 1), failed]);
    expect(await call(provider.url, 'openai')).toMatchObject({
      kind: 'unknown',
      code: 'server_error',
      message: 'it failed',
    });
  });
});

test('a request that a provider cannot express is refused before anything is sent', async () => {
  const messages = [{ role: 'user', parts: [{ kind: 'image', mediaType: 'model/obj', data: 'AAAA' }] }] as const;
  const end = await call(provider.url, 'openai-compatible', { messages });
  expect(end).toMatchObject({ kind: 'rejected', code: 'bad_request', retryable: false });
  expect(provider.asked).toEqual([]);
});

test('an idle time-out beyond its limit, and a model of another provider, are errors of the programmer', async () => {
  await expect(call(provider.url, 'anthropic', {}, { idleTimeoutMs: 600_001 })).rejects.toThrow(RangeError);
  await expect(call(provider.url, 'anthropic', { model: 'other/m' })).rejects.toThrow('other/m');
});
