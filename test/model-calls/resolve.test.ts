import { describe, expect, test } from 'vitest';
import { canonical } from '../../src/core/index.ts';
import { listModels, type ModelSettings, parseModelRef, providerOf, resolveModel } from '../../src/model/index.ts';

const KEY = 'sk-very-secret-key-0001';

describe('a model reference', () => {
  test('is provider/model, and the model may have slashes', () => {
    expect(parseModelRef('openrouter/meta/llama-4')).toEqual({
      kind: 'ref',
      provider: 'openrouter',
      model: 'meta/llama-4',
    });
  });

  test.each(['', 'gpt-5', '/gpt-5', 'openai/', '/', ' /x'])('"%s" is none', (text) => {
    expect(parseModelRef(text)).toMatchObject({ kind: 'failed', code: 'model_missing', expected: 'provider/model' });
  });
});

describe('a policy', () => {
  test('that names a model gets that model', () => {
    const found = resolveModel({ ref: 'anthropic/claude-x' }, {}, { ANTHROPIC_API_KEY: KEY });
    expect(found).toEqual({ kind: 'model', ref: 'anthropic/claude-x', source: 'policy' });
  });

  test('that names a tag gets what settings map it to', () => {
    const settings: ModelSettings = { tags: { fast: 'ollama/qwen3' } };
    expect(resolveModel({ tag: 'fast' }, settings, { ANTHROPIC_API_KEY: KEY })).toEqual({
      kind: 'model',
      ref: 'ollama/qwen3',
      source: 'settings',
    });
  });

  test.each([
    [{ ANTHROPIC_API_KEY: KEY, OPENAI_API_KEY: KEY }, 'anthropic/claude-sonnet-5-5'],
    [{ ANTHROPIC_API_KEY: ' ', OPENAI_API_KEY: KEY, OPENROUTER_API_KEY: KEY }, 'openai/gpt-6.1-sol'],
    [{ OPENROUTER_API_KEY: KEY }, 'openrouter/anthropic/claude-sonnet-5.5'],
    [{ WORKCENTER_SCRIPTED_URL: 'http://127.0.0.1:9' }, 'scripted/balanced'],
  ])('that names a tag without settings goes by the keys that are there: %o', (environment, ref) => {
    expect(resolveModel({ tag: 'balanced' }, {}, environment)).toEqual({ kind: 'model', ref, source: 'default' });
  });

  test('fails where nothing is there, and says which variables and which setting would help', () => {
    const failed = resolveModel({ tag: 'ultimate' }, {}, {});
    expect(failed).toMatchObject({ kind: 'failed', code: 'model_missing' });
    expect(JSON.stringify(failed)).toMatch(
      /ANTHROPIC_API_KEY.*OPENAI_API_KEY.*OPENROUTER_API_KEY.*workcenter settings set/,
    );
  });

  test('never falls back: a mapped tag whose key is missing fails, although another key is there', () => {
    const settings: ModelSettings = { tags: { fast: 'openai/gpt-6-luna' } };
    expect(resolveModel({ tag: 'fast' }, settings, { ANTHROPIC_API_KEY: KEY })).toMatchObject({
      kind: 'failed',
      code: 'key_missing',
      expected: expect.stringContaining('OPENAI_API_KEY'),
    });
  });

  test.each([
    [{ tag: 'huge' }, 'unknown_tag', 'fast, balanced, ultimate'],
    [{ ref: 'nobody/model' }, 'unknown_provider', 'anthropic'],
    [{ ref: 'constructor/model' }, 'unknown_provider', 'anthropic'],
    [{ ref: 'model' }, 'model_missing', 'provider/model'],
    [{ ref: 'openai/gpt-5' }, 'key_missing', 'OPENAI_API_KEY'],
    [{ ref: 'scripted/x' }, 'unknown_provider', 'http'],
  ])('%o fails with %s', (policy, code, expected) => {
    const failed = resolveModel(policy, {}, {});
    expect(failed).toMatchObject({ kind: 'failed', code, expected: expect.stringContaining(expected) });
    if (failed.kind === 'failed') expect(failed.next).not.toBe('');
  });
});

describe('a provider', () => {
  const at = (name: string, settings: ModelSettings = {}, environment = {}) =>
    providerOf(name, settings, {
      ANTHROPIC_API_KEY: KEY,
      OPENAI_API_KEY: KEY,
      OPENROUTER_API_KEY: KEY,
      ...environment,
    });

  test.each([
    ['anthropic', {}, 'anthropic', 'https://api.anthropic.com/v1'],
    ['anthropic', { ANTHROPIC_BASE_URL: 'http://127.0.0.1:8080' }, 'anthropic', 'http://127.0.0.1:8080/v1'],
    [
      'anthropic',
      { ANTHROPIC_BASE_URL: 'https://gate.example/claude/' },
      'anthropic',
      'https://gate.example/claude/v1',
    ],
    ['openai', {}, 'openai', 'https://api.openai.com/v1'],
    ['openai', { OPENAI_BASE_URL: 'https://eu.api.openai.com/v1' }, 'openai', 'https://eu.api.openai.com/v1'],
    ['openai', { OPENAI_BASE_URL: 'http://gate.example/v1/' }, 'openai-compatible', 'http://gate.example/v1'],
    [
      'openai',
      { OPENAI_BASE_URL: 'https://openai.com.example/v1' },
      'openai-compatible',
      'https://openai.com.example/v1',
    ],
    ['openrouter', {}, 'openai-compatible', 'https://openrouter.ai/api/v1'],
    ['ollama', {}, 'openai-compatible', 'http://127.0.0.1:11434/v1'],
    ['scripted', { WORKCENTER_SCRIPTED_URL: 'http://127.0.0.1:9' }, 'openai-compatible', 'http://127.0.0.1:9/v1'],
    [
      'scripted',
      { WORKCENTER_SCRIPTED_URL: 'http://127.0.0.1:9', WORKCENTER_SCRIPTED_PROTOCOL: 'anthropic' },
      'anthropic',
      'http://127.0.0.1:9/v1',
    ],
    [
      'scripted',
      { WORKCENTER_SCRIPTED_URL: 'http://127.0.0.1:9', WORKCENTER_SCRIPTED_PROTOCOL: 'openai-responses' },
      'openai',
      'http://127.0.0.1:9/v1',
    ],
  ])('%s with %o', (name, environment, protocol, baseUrl) => {
    expect(at(name, {}, environment)).toMatchObject({ kind: 'provider', name, protocol, baseUrl });
  });

  test('of the settings needs an address, and a key only when it names a variable', () => {
    const vllm = { kind: 'openai-compatible', baseUrl: 'http://gpu:8000/v1' } as const;
    expect(at('vllm', { providers: { vllm } })).toMatchObject({ kind: 'provider', baseUrl: 'http://gpu:8000/v1' });
    expect(at('vllm', { providers: { vllm: { kind: 'openai-compatible' } } })).toMatchObject({
      code: 'unknown_provider',
    });
    expect(at('vllm', { providers: { vllm: { ...vllm, keyEnv: 'GPU_KEY' } } })).toMatchObject({ code: 'key_missing' });
    const found = at('vllm', { providers: { vllm: { ...vllm, keyEnv: 'GPU_KEY' } } }, { GPU_KEY: 'g' });
    expect(found.kind === 'provider' && found.key()).toBe('g');
  });

  test.each(['ftp://host/v1', 'host:8000', 'nonsense'])('whose address is %s cannot be used', (baseUrl) => {
    const providers = { own: { kind: 'openai-compatible', baseUrl } } as const;
    expect(at('own', { providers })).toMatchObject({ kind: 'failed', code: 'unknown_provider', found: baseUrl });
  });

  test('of another kind does not get the key of the built-in one', () => {
    const providers = { openai: { kind: 'openai-compatible', baseUrl: 'http://elsewhere/v1' } } as const;
    const found = at('openai', { providers });
    expect(found.kind === 'provider' && found.key()).toBeUndefined();
  });

  test('that is written down does not take its key along', () => {
    const found = at('anthropic');
    expect(JSON.stringify(found) + canonical(found)).not.toContain(KEY);
  });
});

describe('the catalogue', () => {
  const shown = listModels({ OPENAI_API_KEY: KEY }, { prices: { 'ollama/qwen3': { input: 0, output: 0 } } });

  test('says which keys are there, never what they are', () => {
    expect(JSON.stringify(shown)).not.toContain(KEY);
    expect(shown.providers.find(({ name }) => name === 'openai')).toMatchObject({
      keyEnv: 'OPENAI_API_KEY',
      keyPresent: true,
      problem: null,
    });
    expect(shown.providers.find(({ name }) => name === 'anthropic')).toMatchObject({
      keyPresent: false,
      problem: { code: 'key_missing' },
    });
    expect(shown.providers.find(({ name }) => name === 'ollama')).toMatchObject({
      keyEnv: null,
      keyPresent: false,
      problem: null,
    });
  });

  test('says what each tag means, and since when the prices hold', () => {
    expect(shown.tags.map(({ model }) => model.kind === 'model' && model.ref)).toEqual([
      'openai/gpt-6-luna',
      'openai/gpt-6.1-sol',
      'openai/gpt-6-astra',
    ]);
    expect(shown.prices.asOf).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(shown.prices.entries[0]).toEqual({
      model: 'ollama/qwen3',
      price: { input: 0, output: 0 },
      from: 'settings',
    });
  });

  test('has a price for every default of a tag that is billed by its own provider', () => {
    const priced = new Set(shown.prices.entries.map(({ model }) => model));
    const refs = [{ ANTHROPIC_API_KEY: KEY }, { OPENAI_API_KEY: KEY }].flatMap((environment) =>
      listModels(environment, {}).tags.map(({ model }) => (model.kind === 'model' ? model.ref : 'none')),
    );
    expect(refs.filter((ref) => !priced.has(ref))).toEqual([]);
  });
});
