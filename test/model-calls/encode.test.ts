import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decodeRequest,
  decodeResponse,
  EFFORTS,
  encodeRequest,
  encodeResponse,
  type ModelRequest,
  type ModelResponse,
} from '../../src/model/index.ts';

/** Optional fields are absent or present, never undefined. */
const object = fc
  .dictionary(fc.string(), fc.jsonValue())
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>);
const text = fc.string({ unit: 'binary' });
const textPart = fc.record({ kind: fc.constant('text' as const), text });
const file = fc.record({
  kind: fc.constantFrom('image' as const, 'pdf' as const),
  mediaType: text,
  data: fc.base64String(),
});
const toolCall = fc.record(
  { kind: fc.constant('tool_call' as const), id: text, name: text, input: object, provider: object },
  { requiredKeys: ['kind', 'id', 'name', 'input'] },
);
const reasoning = fc.record(
  { kind: fc.constant('reasoning' as const), text, provider: object },
  { requiredKeys: ['kind', 'text'] },
);
const parts = fc.array(fc.oneof(textPart, reasoning, toolCall), { maxLength: 4 });
const image = fc.record({ mediaType: text, data: fc.base64String() });
const answer = fc.record(
  { callId: text, name: text, text, isError: fc.boolean(), images: fc.array(image, { maxLength: 2 }) },
  { requiredKeys: ['callId', 'name', 'text', 'isError'] },
);
const message = fc.oneof(
  fc.record({ role: fc.constant('user' as const), parts: fc.array(fc.oneof(textPart, file), { maxLength: 3 }) }),
  fc.record({ role: fc.constant('assistant' as const), parts }),
  fc.record({ role: fc.constant('tool' as const), results: fc.array(answer, { maxLength: 3 }) }),
);

const requests: fc.Arbitrary<ModelRequest> = fc.record(
  {
    model: text,
    system: text,
    messages: fc.array(message, { maxLength: 5 }),
    tools: fc.array(fc.record({ name: text, description: text, inputSchema: object }), { maxLength: 3 }),
    toolChoice: fc.constantFrom('auto' as const, 'required' as const),
    maxOutputTokens: fc.integer({ min: 1, max: 1_000_000 }),
    effort: fc.constantFrom(...EFFORTS),
  },
  { requiredKeys: ['model', 'system', 'messages', 'tools', 'toolChoice', 'maxOutputTokens'] },
);

const usage = fc.record({
  input: fc.nat(),
  output: fc.nat(),
  cacheRead: fc.nat(),
  cacheWrite: fc.nat(),
  reasoning: fc.nat(),
});
const responses: fc.Arbitrary<ModelResponse> = fc.record(
  {
    text,
    toolCalls: fc.array(toolCall, { maxLength: 2 }),
    parts,
    stop: fc.constantFrom(
      'end' as const,
      'tool_use' as const,
      'length' as const,
      'content_filter' as const,
      'other' as const,
    ),
    usage,
    model: text,
  },
  { requiredKeys: ['text', 'toolCalls', 'parts', 'stop'] },
);

test('any request comes back as it was written, and is written the same again', () => {
  fc.assert(
    fc.property(requests, (request) => {
      const stored = encodeRequest(request);
      const decoded = decodeRequest(stored);
      expect(decoded).toEqual({ kind: 'decoded', value: request });
      if (decoded.kind === 'decoded') expect(encodeRequest(decoded.value)).toBe(stored);
    }),
  );
});

test('any response comes back as it was written', () => {
  fc.assert(
    fc.property(responses, (response) => {
      expect(decodeResponse(encodeResponse(response))).toEqual({ kind: 'decoded', value: response });
    }),
  );
});

const REQUEST: ModelRequest = {
  model: 'a/b',
  system: '',
  messages: [{ role: 'user', parts: [{ kind: 'text', text: 'x' }] }],
  tools: [],
  toolChoice: 'auto',
  maxOutputTokens: 10,
};

test('the order of keys does not matter to the bytes', () => {
  const reversed = Object.fromEntries(Object.entries(REQUEST).reverse());
  expect(encodeRequest(reversed as unknown as ModelRequest)).toBe(encodeRequest(REQUEST));
});

test('a call whose input has a key of the language itself keeps it', () => {
  const stored = encodeResponse({ text: '', toolCalls: [], parts: [], stop: 'end' }).replace(
    '"toolCalls":[]',
    '"toolCalls":[{"id":"c","input":{"__proto__":{"x":1}},"kind":"tool_call","name":"n"}]',
  );
  const decoded = decodeResponse(stored);
  expect(decoded.kind === 'decoded' && encodeResponse(decoded.value)).toBe(stored);
});

describe('a damaged body is an error value that says where', () => {
  test.each([
    ['no JSON', '{"model":', 'not JSON'],
    ['no object', '[]', 'the body'],
    ['a field that is missing', encodeRequest(REQUEST).replace('"toolChoice":"auto"', '"x":1'), 'toolChoice'],
    ['a field that nobody knows', encodeRequest(REQUEST).replace('{', '{"extra":1,'), 'extra'],
    ['an unknown part', encodeRequest(REQUEST).replace('"kind":"text"', '"kind":"video"'), 'messages.0.parts.0'],
    ['a limit of zero', encodeRequest({ ...REQUEST, maxOutputTokens: 0 }), 'maxOutputTokens'],
  ])('%s', (_name, stored, place) => {
    expect(decodeRequest(stored)).toMatchObject({ kind: 'damaged', message: expect.stringContaining(place) });
  });

  test('a response with negative tokens', () => {
    const negative = { input: -1, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
    const stored = encodeResponse({ text: '', toolCalls: [], parts: [], stop: 'end', usage: negative });
    expect(decodeResponse(stored)).toMatchObject({ kind: 'damaged', message: expect.stringContaining('usage.input') });
  });
});
