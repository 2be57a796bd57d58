import { describe, expect, test } from 'vitest';
import { modelSettingsSchema } from '../../src/model/index.ts';

test('settings about models may be empty, or say all there is to say', () => {
  const full = {
    tags: { fast: 'ollama/qwen3:8b' },
    providers: { vllm: { kind: 'openai-compatible', baseUrl: 'http://gpu:8000/v1', keyEnv: 'VLLM_KEY' } },
    prices: {
      'vllm/*': { input: 0, output: 0 },
      'openai/x': {
        input: 1,
        output: 2,
        cacheRead: 0.1,
        cacheWrite: 1,
        longPrompt: { overTokens: 1_000, input: 2, output: 4 },
      },
    },
  };
  expect(modelSettingsSchema.parse({})).toEqual({});
  expect(modelSettingsSchema.parse(full)).toEqual(full);
});

describe('refused is', () => {
  test.each([
    ['an unknown tag', { tags: { huge: 'a/b' } }, 'tags'],
    ['a tag for no reference', { tags: { fast: 'gpt-5' } }, 'tags.fast'],
    ['a provider of an unknown kind', { providers: { x: { kind: 'grpc' } } }, 'providers.x.kind'],
    [
      'a key where the name of its variable belongs',
      { providers: { x: { kind: 'openai', keyEnv: 'sk-123-abc' } } },
      'providers.x.keyEnv',
    ],
    ['a key under a field of its own', { providers: { x: { kind: 'openai', apiKey: 'k' } } }, 'providers.x'],
    ['an address that is none', { providers: { x: { kind: 'openai', baseUrl: 'gpu:8000' } } }, 'providers.x.baseUrl'],
    ['a negative price', { prices: { 'a/b': { input: -1, output: 1 } } }, 'prices.a/b.input'],
  ])('%s', (_name, value, place) => {
    const found = modelSettingsSchema.safeParse(value);
    expect(found.error?.issues.map(({ path }) => path.join('.'))).toEqual([expect.stringContaining(place)]);
  });
});
