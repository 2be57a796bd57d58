import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { ResolvedProvider } from './providers.ts';
import { CHAT_ADAPTER } from './replay.ts';

/**
 * The adapter for a provider's protocol. Only its `doStream` is used: one call, one request, no retry, no tool run.
 * Address and key are always given, so that an adapter never looks into the environment itself. Each is loaded when it
 * is first needed: together they would cost every command a tenth of a second and more.
 */
export async function adapterFor(
  provider: ResolvedProvider,
  modelId: string,
  send: typeof fetch,
): Promise<LanguageModelV3> {
  const { baseUrl: baseURL } = provider;
  const key = provider.key();
  const apiKey = key ?? 'none';
  switch (provider.protocol) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ baseURL, apiKey, fetch: send }).languageModel(modelId);
    }
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI({ baseURL, apiKey, fetch: send }).responses(modelId);
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      return createOpenAICompatible({
        name: CHAT_ADAPTER,
        baseURL,
        ...(key !== undefined && { apiKey: key }),
        fetch: send,
        includeUsage: true,
      }).chatModel(modelId);
    }
  }
}
