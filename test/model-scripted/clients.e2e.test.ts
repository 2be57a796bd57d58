import { generateText, jsonSchema, streamText, tool } from 'ai';
import { describe, expect, test } from 'vitest';
import type { ScriptedScenario } from '../../src/testing.ts';
import { CLIENTS, saying, scripted } from './clients.ts';

const lookup = tool({
  description: 'Looks a word up',
  inputSchema: jsonSchema<{ word: string }>({ type: 'object', properties: { word: { type: 'string' } } }),
  execute: ({ word }) => Promise.resolve(`meaning of ${word}`),
});

const USAGE = { input: 100, output: 40, cacheRead: 700, cacheWrite: 0, reasoning: 15 };

const TWO_CALLS: ScriptedScenario = {
  name: 'two calls',
  steps: [
    {
      when: { turn: 1, tools: ['lookup'] },
      reply: {
        text: 'Two words then.',
        toolCalls: [
          { name: 'lookup', input: { word: 'durable', list: [1, { deep: 'ä 🙂 "quoted"' }] } },
          { name: 'lookup', input: { word: 'proven' } },
        ],
      },
    },
    { when: { turn: 2, says: /meaning of durable[\s\S]*meaning of proven/ }, reply: { text: 'Both are known.' } },
  ],
};

describe.each(CLIENTS)('%s', (protocol, modelOf) => {
  test('a text arrives whole, streamed and not', async () => {
    const long = 'Grüße 🙂 and a line\n'.repeat(200);
    const model = await scripted(saying(long, long));
    const { text, finishReason } = await generateText({ model: modelOf(model), prompt: 'Hello' });
    expect([text, finishReason]).toEqual([long, 'stop']);
    const stream = streamText({ model: modelOf(model), prompt: 'Hello' });
    let chunks = 0;
    for await (const _ of stream.textStream) chunks += 1;
    expect([await stream.text, await stream.finishReason]).toEqual([long, 'stop']);
    expect(chunks).toBeGreaterThan(10);
  });

  test('usage arrives in its kinds, streamed and not', async () => {
    const reply = { text: 'Yes', usage: USAGE };
    const model = await scripted({ name: 'usage', steps: [{ reply }] });
    const { usage } = await generateText({ model: modelOf(model), prompt: 'Hello' });
    const streamed = await streamText({ model: modelOf(model), prompt: 'Hello' }).usage;
    for (const { inputTokens, outputTokens, inputTokenDetails, outputTokenDetails } of [usage, streamed]) {
      expect([inputTokens, outputTokens]).toEqual([800, 40]);
      expect([inputTokenDetails.noCacheTokens, inputTokenDetails.cacheReadTokens]).toEqual([100, 700]);
      expect(outputTokenDetails.reasoningTokens).toBe(15);
    }
  });

  test('reasoning comes before the text', async () => {
    const reply = { reasoning: 'Let me think it over first.', text: 'Four.' };
    const model = await scripted({ name: 'thinking', steps: [{ reply }] });
    const whole = await generateText({ model: modelOf(model), prompt: '2 + 2?' });
    expect([whole.reasoningText, whole.text]).toEqual([reply.reasoning, reply.text]);
    const stream = streamText({ model: modelOf(model), prompt: '2 + 2?' });
    expect([await stream.reasoningText, await stream.text]).toEqual([reply.reasoning, reply.text]);
  });

  test.each([['streamed'], ['whole']])(
    'parallel tool calls, %s, and their results in the next request',
    async (way) => {
      const model = await scripted(TWO_CALLS);
      const settings = {
        model: modelOf(model),
        system: 'You explain words.',
        prompt: 'What do they mean?',
        tools: { lookup },
        stopWhen: ({ steps }: { steps: readonly unknown[] }) => steps.length === 3,
      };
      const run = way === 'whole' ? await generateText(settings) : streamText(settings);
      const steps = await run.steps;
      const [first] = steps;
      expect(first?.toolCalls.map(({ input }) => input)).toEqual([
        { word: 'durable', list: [1, { deep: 'ä 🙂 "quoted"' }] },
        { word: 'proven' },
      ]);
      expect([first?.text, first?.finishReason]).toEqual(['Two words then.', 'tool-calls']);
      expect(await run.text).toBe('Both are known.');
      expect(model.unmatched).toEqual([]);
      const [one, two] = first?.toolCalls ?? [];
      expect(model.requests[1]).toMatchObject({
        protocol,
        system: 'You explain words.',
        tools: ['lookup'],
        turn: 2,
        step: 1,
        messages: [
          { role: 'user', parts: [{ kind: 'text', text: 'What do they mean?' }] },
          {
            role: 'assistant',
            parts: [
              { kind: 'text', text: 'Two words then.' },
              { kind: 'tool_call', id: one?.toolCallId, name: 'lookup', input: { word: 'durable' } },
              { kind: 'tool_call', id: two?.toolCallId, name: 'lookup', input: { word: 'proven' } },
            ],
          },
          {
            role: 'tool',
            results: [
              { callId: one?.toolCallId, name: 'lookup', text: 'meaning of durable', isError: false },
              { callId: two?.toolCallId, name: 'lookup', text: 'meaning of proven', isError: false },
            ],
          },
        ],
      });
    },
  );

  test('a length stop is told as one', async () => {
    const model = await scripted({ name: 'cut', steps: [{ reply: { text: 'It is', stop: 'length' } }] });
    const { finishReason } = await generateText({ model: modelOf(model), prompt: 'Hello' });
    const streamed = await streamText({ model: modelOf(model), prompt: 'Hello' }).finishReason;
    expect([finishReason, streamed]).toEqual(['length', 'length']);
  });

  test('arguments that are no JSON reach the client of a stream as an invalid call', async () => {
    const toolCalls = [{ name: 'lookup', input: '{"word": "dur' }];
    const model = await scripted({ name: 'bad arguments', steps: [{ reply: { toolCalls } }] });
    const stream = streamText({ model: modelOf(model), prompt: 'Hello', tools: { lookup } });
    expect(await stream.toolCalls).toMatchObject([{ invalid: true, toolName: 'lookup' }]);
  });

  test('a picture and a PDF are read as such', async () => {
    const model = await scripted(saying('Seen'));
    const png = 'iVBORw0KGgo=';
    await generateText({
      model: modelOf(model),
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image', image: png, mediaType: 'image/png' },
            { type: 'file', data: 'JVBERi0=', mediaType: 'application/pdf' },
          ],
        },
      ],
    });
    expect(model.requests[0]?.messages).toEqual([
      {
        role: 'user',
        parts: [
          { kind: 'text', text: 'Look' },
          { kind: 'image', mediaType: 'image/png', data: png },
          { kind: 'pdf', mediaType: 'application/pdf', data: 'JVBERi0=' },
        ],
      },
    ]);
  });

  test('fifty requests at once each get their own answer', async () => {
    const model = await scripted({
      name: 'echo',
      steps: [{ when: { says: /number (?<n>\d+)/ }, reply: { text: 'heard {{n}}' } }],
    });
    const numbers = Array.from({ length: 50 }, (_, index) => index);
    const answers = await Promise.all(
      numbers.map((n) => streamText({ model: modelOf(model), prompt: `number ${n}` }).text),
    );
    expect(answers).toEqual(numbers.map((n) => `heard ${n}`));
    expect(model.steps).toEqual([{ name: 'steps[0]', count: 50 }]);
  });
});

test('what Anthropic writes to its cache is told apart', async () => {
  const usage = { input: 10, output: 5, cacheRead: 20, cacheWrite: 30 };
  const model = await scripted({ name: 'cache', steps: [{ reply: { text: 'Yes', usage } }] });
  const client = CLIENTS[2]?.[1](model);
  if (client === undefined) throw new Error('no Anthropic client');
  const expected = { noCacheTokens: 10, cacheReadTokens: 20, cacheWriteTokens: 30 };
  expect((await generateText({ model: client, prompt: 'Hi' })).usage.inputTokenDetails).toEqual(expected);
  expect((await streamText({ model: client, prompt: 'Hi' }).usage).inputTokenDetails).toEqual(expected);
});

test('a reply without usage reports none', async () => {
  const model = await scripted({ name: 'none', steps: [{ reply: { text: 'Yes', usage: false } }] });
  const client = CLIENTS[0]?.[1](model);
  if (client === undefined) throw new Error('no OpenAI client');
  expect((await generateText({ model: client, prompt: 'Hi' })).usage.inputTokens).toBeUndefined();
  expect((await streamText({ model: client, prompt: 'Hi' }).usage).inputTokens).toBeUndefined();
});
