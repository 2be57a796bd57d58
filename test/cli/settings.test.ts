import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { isFailure } from '../../src/cli/answer.ts';
import { CONFIGURATION_KEYS, configurationPlace, unknownSetting } from '../../src/cli/settings/configuration-keys.ts';
import {
  configurationProblem,
  configurationValue,
  modelNote,
  modelProblem,
} from '../../src/cli/settings/configuration-value.ts';
import { CONFIGURATION } from '../../src/engine/configuration.ts';
import { leavesOf, type Tree, valueAt, without, withValue } from '../../src/engine/settings-tree.ts';

const place = (path: string) => {
  const found = configurationPlace(path);
  if (!found) throw new Error(`no place for ${path}`);
  return found;
};

/** The value as it would be stored, or the code of the refusal. */
const taken = (path: string, text: string, stored: Tree = {}): unknown => {
  const value = configurationValue(stored, place(path), text);
  return isFailure(value) ? [value.code, value.expected, value.found] : value.value;
};

/** Every dotted path of a JSON schema down to what has no named parts; a chosen name is `*`. */
function pathsOf(schema: unknown, prefix = ''): readonly string[] {
  const { properties, additionalProperties } = schema as { properties?: object; additionalProperties?: unknown };
  const parts = Object.entries(properties ?? {});
  const named = parts.flatMap(([name, part]) => pathsOf(part, prefix === '' ? name : `${prefix}.${name}`));
  if (named.length > 0) return named;
  return typeof additionalProperties === 'object' ? pathsOf(additionalProperties, `${prefix}.*`) : [prefix];
}

describe('the keys of the configuration', () => {
  test('are all in the list that people see', () => {
    const listed = new Set(CONFIGURATION_KEYS.map(({ pattern }) => pattern.replaceAll(/\.[A-Z]+(?=\.|$)/g, '.*')));
    const tags = ['fast', 'balanced', 'ultimate'].map((tag) => `models.tags.${tag}`);
    const missing = pathsOf(z.toJSONSchema(CONFIGURATION)).filter(
      (path) => !listed.has(path) && !tags.includes(path) && !path.startsWith('prices.*.'),
    );
    expect(missing).toEqual([]);
  });

  test('are found by a dotted path, where the name at the end may hold dots', () => {
    expect(place('prices.openai/gpt-6.1-sol').segments).toEqual(['prices', 'openai/gpt-6.1-sol']);
    expect(place('models.providers.my.baseUrl').segments).toEqual(['models', 'providers', 'my', 'baseUrl']);
    expect(place('tags.fast').segments).toEqual(['models', 'tags', 'fast']);
  });

  test.each(['limits', 'limits.bogus', 'instructions.', 'prices.__proto__', 'constructor', 'models.tags.fast.x.y'])(
    'are refused as %s, or hold no such value',
    (path) => {
      const found = configurationPlace(path);
      expect(found === undefined || isFailure(configurationValue({}, found, 'x/y'))).toBe(true);
    },
  );

  test('that do not exist are told with those that begin alike', () => {
    expect(unknownSetting('limits.bogus', []).expected).toContain('limits.usd, limits.tokens');
    expect(unknownSetting('colour', ['notify']).expected).toContain('notify, models.coordinator');
  });
});

describe('a value', () => {
  test('is text where text is wanted, else what it says', () => {
    expect(taken('models.tags.fast', 'openai/gpt-5')).toBe('openai/gpt-5');
    expect(taken('limits.usd', '2.5')).toBe(2.5);
    expect(taken('startImmediately', 'false')).toBe(false);
    expect(taken('globalInstructions', '5')).toBe('5');
    expect(taken('trustedMcp', '["a"]')).toEqual(['a']);
    expect(taken('prices.my/model', '{"input":1,"output":2}')).toEqual({ input: 1, output: 2 });
    expect(taken('permissions', 'rules: [{ tool: shell, command: git push *, decide: ask }]')).toMatchObject({
      rules: [{ decide: 'ask' }],
    });
  });

  test('that does not fit is refused with what does', () => {
    expect(taken('limits.usd', '-1')).toEqual(['invalid_setting', 'US dollars above 0', '-1']);
    expect(taken('limits.attempts', '101')).toEqual(['invalid_setting', '1..100', '101']);
    expect(taken('startImmediately', 'maybe')).toMatchObject(['invalid_setting', 'true or false', 'maybe']);
    expect(taken('models.tags.turbo', 'openai/x')).toMatchObject({ 0: 'invalid_setting' });
    expect(taken('permissions', '{"rules":[{"tool":"shell","decide":"maybe"}]}')).toMatchObject([
      'invalid_setting',
      expect.stringContaining('allow'),
      expect.stringContaining('rules[0].decide'),
    ]);
  });

  test.each(['', 'rules: [', '@', 'allow everything', '[]'])('that is no set of rules is refused: %j', (text) => {
    expect(taken('permissions', text)).toEqual(['invalid_setting', expect.any(String), text]);
  });

  test('is judged together with what is stored beside it', () => {
    const stored = { models: { providers: { my: { kind: 'openai-compatible' } } } };
    expect(taken('models.providers.my.baseUrl', 'http://localhost:1/v1', stored)).toBe('http://localhost:1/v1');
    expect(configurationValue(stored, place('models.providers.other.baseUrl'), 'http://localhost:1/v1')).toMatchObject({
      code: 'invalid_setting',
      next: expect.stringContaining('models.providers.other.kind'),
    });
  });

  const model = (path: string, value: string) => modelProblem(place(path), value, {}, {});

  test('that names a model needs a provider that exists, but not its key', () => {
    expect(model('models.coordinator', 'nosuch/model')).toMatchObject({
      code: 'unknown_provider',
      found: 'nosuch/model',
    });
    expect(model('models.byType.review', 'gpt')).toMatchObject({ code: 'model_missing' });
    expect(model('models.coordinator', 'anthropic/claude-opus-5')).toBeUndefined();
    expect(model('models.coordinator', 'ultimate')).toBeUndefined();
    expect(model('globalInstructions', 'nosuch/model')).toBeUndefined();
  });

  test('that names a model without its key here is taken with a note that says which variable is missing', () => {
    const note = (path: string, value: string, environment: Readonly<Record<string, string>> = {}) =>
      modelNote(place(path), value, {}, environment);
    for (const path of ['models.coordinator', 'models.tags.fast', 'models.byType.review'])
      expect(note(path, 'anthropic/claude-opus-5')).toContain('Set ANTHROPIC_API_KEY in the environment');
    expect(note('models.coordinator', 'ultimate')).toContain('a model for the tag ultimate');
    expect(note('models.coordinator', 'anthropic/claude-opus-5', { ANTHROPIC_API_KEY: 'k' })).toBeUndefined();
    expect(note('models.coordinator', 'ollama/small')).toBeUndefined();
    expect(note('models.coordinator', 'nosuch/model'), 'that is refused').toBeUndefined();
    expect(note('globalInstructions', 'anthropic/claude-opus-5')).toBeUndefined();
  });

  test('that was stored and cannot be read is told, not hidden', () => {
    expect(configurationProblem({ concurrency: 3, limits: { usd: 5 } })).toBeUndefined();
    expect(configurationProblem({ limits: { usd: 'much' } })).toContain('limits.usd');
  });
});

describe('the tree of settings', () => {
  const tree = { a: { b: { c: 1 } }, d: 2 };

  test('is changed at one place only, and never in place', () => {
    expect(withValue(tree, ['a', 'b', 'x'], 9)).toEqual({ a: { b: { c: 1, x: 9 } }, d: 2 });
    expect(withValue(tree, ['d', 'e'], 9)).toEqual({ a: { b: { c: 1 } }, d: { e: 9 } });
    expect(tree).toEqual({ a: { b: { c: 1 } }, d: 2 });
  });

  test('loses branches that nothing hangs on any more', () => {
    expect(without(tree, ['a', 'b', 'c'])).toEqual({ d: 2 });
    expect(without(tree, ['a', 'x'])).toEqual(tree);
  });

  test('is read by own names only', () => {
    expect(valueAt(tree, ['a', 'b', 'c'])).toBe(1);
    expect(valueAt(tree, ['a', 'constructor'])).toBeUndefined();
  });

  test('is listed by its leaves', () => {
    expect(leavesOf(tree, () => false)).toEqual([
      ['a.b.c', 1],
      ['d', 2],
    ]);
    expect(leavesOf(tree, (path) => path === 'a.b')).toEqual([
      ['a.b', { c: 1 }],
      ['d', 2],
    ]);
  });
});
