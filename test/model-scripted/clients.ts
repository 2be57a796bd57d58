import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import { onTestFinished } from 'vitest';
import type { Protocol } from '../../src/model/scripted/scripted-request.ts';
import {
  type ScriptedModel,
  type ScriptedModelOptions,
  type ScriptedScenario,
  startScriptedModel,
} from '../../src/testing.ts';

/** The real client of each protocol. */
export const CLIENTS: readonly (readonly [Protocol, (model: ScriptedModel) => LanguageModel])[] = [
  [
    'openai-chat',
    ({ openaiUrl }) => createOpenAICompatible({ name: 'test', baseURL: openaiUrl, includeUsage: true })('gpt-test'),
  ],
  ['openai-responses', ({ openaiUrl }) => createOpenAI({ baseURL: openaiUrl, apiKey: 'none' })('gpt-test')],
  ['anthropic', ({ anthropicUrl }) => createAnthropic({ baseURL: anthropicUrl, apiKey: 'none' })('claude-sonnet-4-5')],
];

/** A scripted model that ends with the test. */
export async function scripted(
  scenario: ScriptedScenario | string,
  options?: ScriptedModelOptions,
): Promise<ScriptedModel> {
  const model = await startScriptedModel(scenario, options);
  onTestFinished(() => model.close());
  return model;
}

export const saying = (...texts: readonly string[]): ScriptedScenario => ({
  name: 'sayings',
  steps: texts.map((text) => ({ when: { times: 1 }, reply: { text } })),
});
