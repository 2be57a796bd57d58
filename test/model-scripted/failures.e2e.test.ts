import { APICallError, generateText, streamText } from 'ai';
import { describe, expect, test } from 'vitest';
import type { Broken, ScriptedStep } from '../../src/testing.ts';
import { CLIENTS, scripted } from './clients.ts';

/** What a client made of a stream: the text it saw, the error it ended with, why it stopped. */
async function consume(model: Parameters<typeof streamText>[0]['model'], abortSignal?: AbortSignal) {
  const seen = { text: '', errors: [] as unknown[], finish: undefined as string | undefined, aborted: false };
  const signal = abortSignal === undefined ? {} : { abortSignal };
  const { fullStream } = streamText({ model, prompt: 'Hello', maxRetries: 0, onError: () => undefined, ...signal });
  try {
    for await (const part of fullStream) {
      if (part.type === 'text-delta') seen.text += part.text;
      if (part.type === 'error') seen.errors.push(part.error);
      if (part.type === 'finish') seen.finish = part.finishReason;
      if (part.type === 'abort') seen.aborted = true;
    }
  } catch (error) {
    // A connection that is cut ends the iteration itself.
    seen.errors.push(error);
  }
  return seen;
}

const failureOf = (run: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(run).then(
    () => undefined,
    (error: unknown) => error,
  );

const LONG = 'A sentence that is long enough to be sent in several pieces. '.repeat(4);

describe.each(CLIENTS)('%s', (_protocol, modelOf) => {
  const step = (one: ScriptedStep) => scripted({ name: 'failing', steps: [one] });

  test.each([
    [400, false],
    [401, false],
    [429, true],
    [500, true],
    [529, true],
  ])('status %i with its message and headers', async (status, isRetryable) => {
    const error = { status, message: 'Not now.', headers: { 'retry-after': '7' } };
    const model = await step({ error });
    const failure = await failureOf(generateText({ model: modelOf(model), prompt: 'Hello', maxRetries: 0 }));
    if (!APICallError.isInstance(failure)) throw new Error(`expected an APICallError, got ${String(failure)}`);
    expect([failure.statusCode, failure.isRetryable, failure.message]).toEqual([status, isRetryable, 'Not now.']);
    expect(failure.responseHeaders?.['retry-after']).toBe('7');
    const [streamed] = (await consume(modelOf(model))).errors;
    expect(APICallError.isInstance(streamed) && streamed.statusCode).toBe(status);
  });

  test('an error with a body of its own is sent as it is', async () => {
    const model = await step({ error: { status: 502, body: '<html>bad gateway</html>' } });
    const failure = await failureOf(generateText({ model: modelOf(model), prompt: 'Hello', maxRetries: 0 }));
    expect(APICallError.isInstance(failure) && failure.responseBody).toBe('<html>bad gateway</html>');
  });

  test('an error after some bytes comes within the stream', async () => {
    const error = { status: 529, message: 'Overloaded', afterBytes: 1500 };
    const model = await step({ reply: { text: LONG.repeat(20) }, error });
    const { text, errors } = await consume(modelOf(model));
    expect(text.length).toBeGreaterThan(0);
    expect(LONG.repeat(20).startsWith(text)).toBe(true);
    expect(JSON.stringify(errors) + String(errors[0])).toContain('Overloaded');
  });

  test.each<[Broken, boolean]>([
    ['before_headers', false],
    ['mid_stream', true],
    ['truncated_json', true],
    ['html', false],
  ])('broken %s is an error of the client, streamed or not', async (broken, hasText) => {
    const model = await step({ reply: { text: LONG }, broken });
    const whole = await failureOf(generateText({ model: modelOf(model), prompt: 'Hello', maxRetries: 0 }));
    expect(whole).toBeInstanceOf(Error);
    const { text, errors, finish } = await consume(modelOf(model));
    expect([text.length > 0, text === LONG]).toEqual([hasText, false]);
    expect(errors.length > 0 || finish !== 'stop').toBe(true);
    expect(model.unmatched).toEqual([]);
  });

  test('a stream that ends early ends in order, without a reason to stop', async () => {
    const model = await step({ reply: { text: LONG }, broken: 'ends_early' });
    const { text, finish } = await consume(modelOf(model));
    expect(text.length).toBeGreaterThan(0);
    expect(LONG.startsWith(text) && text !== LONG).toBe(true);
    expect(finish).not.toBe('stop');
  });

  test('a silent answer is heard of again when the client gives up', async () => {
    const giveUp = new AbortController();
    const model = await scripted({ name: 'silence', steps: [{ broken: 'silent' }] });
    const run = consume(modelOf(model), giveUp.signal);
    await expect.poll(() => model.requests.length).toBe(1);
    giveUp.abort();
    const { text, aborted, errors } = await run;
    expect([text, aborted || errors.length > 0]).toEqual(['', true]);
  });
});

test('a step that may answer once is passed over afterwards', async () => {
  const error = { status: 429, headers: { 'retry-after-ms': '1' } };
  const steps: readonly ScriptedStep[] = [{ when: { times: 2 }, error }, { reply: { text: 'Third time lucky.' } }];
  for (const [, modelOf] of CLIENTS) {
    const model = await scripted({ name: 'retries', steps });
    const { text } = await generateText({ model: modelOf(model), prompt: 'Hello', maxRetries: 2 });
    expect([text, model.requests.map(({ step }) => step)]).toEqual(['Third time lucky.', [0, 0, 1]]);
  }
});
