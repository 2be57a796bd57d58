import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { demoModel, type ModelWish, SCENARIO, settingsFor } from '../../src/cli/demo/demo-model.ts';
import { resolveModel } from '../../src/model/index.ts';
import { parseScenarioText } from '../../src/testing.ts';

const chosen = (wish: ModelWish, env: Readonly<Record<string, string>> = {}) => demoModel(wish, env);

describe('who thinks in the demo', () => {
  it('is the script without a key, in chat completions unless another protocol is wished for', async () => {
    expect(await chosen({})).toMatchObject({ kind: 'scripted', protocol: 'openai' });
    expect(await chosen({}, { OPENAI_API_KEY: ' ' })).toMatchObject({ kind: 'scripted' });
    expect(await chosen({ protocol: 'anthropic' })).toMatchObject({ kind: 'scripted', protocol: 'anthropic' });
  });

  it.each([
    ['ANTHROPIC_API_KEY', 'anthropic/'],
    ['OPENAI_API_KEY', 'openai/'],
    ['OPENROUTER_API_KEY', 'openrouter/'],
  ])('is the provider of %s where that is set', async (name, ref) => {
    const model = await chosen({}, { [name]: 'fake' });
    expect(model).toMatchObject({ kind: 'real', ref: expect.stringContaining(ref) });
  });

  it('is the script in spite of a key when that is wished for', async () => {
    expect(await chosen({ scripted: true }, { OPENAI_API_KEY: 'fake' })).toMatchObject({ kind: 'scripted' });
    expect(await chosen({ protocol: 'anthropic' }, { OPENAI_API_KEY: 'fake' })).toMatchObject({ kind: 'scripted' });
  });

  it('is the one that was named, and knows whether it has a price', async () => {
    const env = { ANTHROPIC_API_KEY: 'fake' };
    expect(await chosen({ model: 'anthropic/claude-opus-5' }, env)).toMatchObject({ kind: 'real', priced: true });
    expect(await chosen({ model: 'ollama/some-model' }, env)).toMatchObject({
      ref: 'ollama/some-model',
      priced: false,
    });
  });

  it('is refused with what is missing: its key, its provider, or a choice between two wishes', async () => {
    expect(await chosen({ model: 'openai/gpt-6-sol' })).toMatchObject({ code: 'key_missing' });
    expect(await chosen({ model: 'nobody/model' })).toMatchObject({ code: 'unknown_provider' });
    expect(await chosen({ model: 'openai/gpt-6-sol', scripted: true })).toMatchObject({ code: 'invalid_value' });
  });

  it('is the same for the Coordinator and for everybody else', async () => {
    const model = await chosen({}, { ANTHROPIC_API_KEY: 'fake' });
    if (!('ref' in model)) throw new Error('refused');
    expect(settingsFor(model)).toEqual({
      models: { coordinator: model.ref, tags: { fast: model.ref, balanced: model.ref, ultimate: model.ref } },
    });
    expect(resolveModel({ ref: model.ref }, {}, { ANTHROPIC_API_KEY: 'fake' })).toMatchObject({ kind: 'model' });
  });
});

it('answers by a scenario in a file of the examples, which is valid as it is', () => {
  expect(SCENARIO).toContain('/examples/scripted/');
  expect(parseScenarioText(readFileSync(SCENARIO, 'utf8'), SCENARIO)).toMatchObject({ ok: true });
});
