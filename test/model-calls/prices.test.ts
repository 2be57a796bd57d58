import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonical } from '../../src/core/index.ts';
import {
  chargeOf,
  estimateOf,
  type ModelRequest,
  NO_TOKENS,
  type PriceTable,
  priceOf,
  type TokenUsage,
} from '../../src/model/index.ts';

const OWN: PriceTable = {
  'own/model': { input: 2, output: 8, cacheRead: 0.5, cacheWrite: 2.5 },
  'own/*': { input: 1, output: 1 },
};

describe('a price', () => {
  test.each([
    ['anthropic/claude-sonnet-4-5', 3],
    ['anthropic/claude-sonnet-4-5-20250929', 3],
    ['openai/gpt-5-2025-08-07', 1.25],
    ['openai/gpt-5-mini', 0.25],
    ['scripted/anything', 3],
    ['own/model', 2],
    ['own/other', 1],
  ])('of %s is %f for input', (model, input) => {
    expect(priceOf(model, OWN)?.input).toBe(input);
  });

  test.each(['openai/gpt-5-pro', 'ollama/qwen3', 'anthropic/claude-sonnet-4-5-turbo', 'constructor'])(
    'of %s is unknown',
    (model) => {
      expect(priceOf(model, OWN)).toBeUndefined();
    },
  );

  test('of the user goes before the built-in one', () => {
    expect(priceOf('openai/gpt-5', { 'openai/*': { input: 9, output: 9 } })?.input).toBe(9);
  });
});

describe('a charge', () => {
  test('counts each kind of token at its price, in millionths of a dollar, rounded up', () => {
    const usage = { input: 1_000, output: 100, cacheRead: 10_000, cacheWrite: 2_000, reasoning: 40 };
    expect(chargeOf('own/model', usage, OWN)).toEqual({
      tokens: 1_000 + 100 + 2_000 + 2_500,
      costMicros: 2_000 + 800 + 5_000 + 5_000,
    });
    expect(chargeOf('own/model', { ...NO_TOKENS, cacheRead: 1 }, OWN)).toEqual({ tokens: 1, costMicros: 1 });
  });

  test('of an unpriced model has no cost, and cache reads weigh a tenth', () => {
    expect(chargeOf('ollama/qwen3', { ...NO_TOKENS, input: 5, cacheRead: 101 })).toEqual({
      tokens: 16,
      costMicros: null,
    });
  });

  test('has no dust of binary fractions', () => {
    expect(chargeOf('openai/gpt-4o-mini', { ...NO_TOKENS, input: 1_000_000 }).costMicros).toBe(150_000);
    expect(chargeOf('anthropic/claude-opus-5-5', { ...NO_TOKENS, cacheRead: 1_000_000 }).costMicros).toBe(200_000);
    expect(chargeOf('anthropic/claude-haiku-5-5', { ...NO_TOKENS, cacheWrite: 80_000 }).costMicros).toBe(10_000);
  });

  test('without a rate for the cache costs what input costs', () => {
    expect(chargeOf('own/other', { ...NO_TOKENS, cacheRead: 10, cacheWrite: 10 }, OWN).costMicros).toBe(20);
  });

  test('of a long prompt goes by the rates of long prompts', () => {
    expect(chargeOf('openai/gpt-6-sol', { ...NO_TOKENS, input: 272_000 }).costMicros).toBe(544_000);
    expect(chargeOf('openai/gpt-6-sol', { ...NO_TOKENS, input: 272_001, output: 10 }).costMicros).toBe(1_088_004 + 150);
  });

  const count = fc.integer({ min: 0, max: 20_000_000 });
  const usages = fc.record({ input: count, output: count, cacheRead: count, cacheWrite: count, reasoning: count });
  const models = fc.constantFrom(
    'own/model',
    'own/other',
    'scripted/x',
    'openai/gpt-6-luna',
    'anthropic/claude-haiku-5-5',
    'free/x',
  );

  test('is never negative, whole, and never less for more tokens', () => {
    fc.assert(
      fc.property(
        models,
        usages,
        fc.constantFrom(...(Object.keys(NO_TOKENS) as (keyof TokenUsage)[])),
        count,
        (model, usage, kind, more) => {
          const less = chargeOf(model, usage, OWN);
          const greater = chargeOf(model, { ...usage, [kind]: usage[kind] + more }, OWN);
          expect(Number.isSafeInteger(less.tokens) && less.tokens >= 0).toBe(true);
          expect(Number.isSafeInteger(less.costMicros ?? 0) && (less.costMicros ?? 0) >= 0).toBe(true);
          expect(less.costMicros === null).toBe(model === 'free/x');
          expect(greater.costMicros ?? 0).toBeGreaterThanOrEqual(less.costMicros ?? 0);
          // A longer prompt may change what a cache read weighs only where its rates say so.
          expect(greater.tokens).toBeGreaterThanOrEqual(less.tokens);
        },
      ),
    );
  });
});

describe('D26: an estimate', () => {
  const request: ModelRequest = {
    model: 'own/model',
    system: 'Grüße',
    messages: [{ role: 'user', parts: [{ kind: 'text', text: '😀' }] }],
    tools: [],
    toolChoice: 'auto',
    maxOutputTokens: 500,
  };
  const { system, messages, tools } = request;
  const input = Math.ceil(Buffer.byteLength(canonical({ system, messages, tools })) / 3);

  test('is a token for three bytes of what is said, and all the output that is allowed', () => {
    expect(estimateOf(request, OWN)).toEqual({ tokens: input + 500, costMicros: Math.ceil(input * 2.5) + 4_000 });
  });

  test('of an unpriced model has no cost', () => {
    expect(estimateOf({ ...request, model: 'ollama/x' })).toEqual({ tokens: input + 500, costMicros: null });
  });
});
