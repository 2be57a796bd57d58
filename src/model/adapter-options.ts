import { createHash } from 'node:crypto';
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider';
import { CACHE_BREAKPOINT, promptOf } from './adapter-prompt.ts';
import { chatEffort, openaiEffort, type ThinkingOptions, thinkingOptions } from './effort.ts';
import { modelIdOf } from './model-id.ts';
import type { ModelRequest } from './model-request.ts';
import type { ProviderKind } from './model-settings.ts';

/**
 * A request as the adapters take it. Equal requests give equal options, so the bytes that leave are a function of the
 * stored ones. Breakpoints for Anthropic: the tools, the system text, the last message of ours.
 */
export function adapterOptions(request: ModelRequest, protocol: ProviderKind): LanguageModelV3CallOptions {
  const thinking = protocol === 'anthropic' ? thinkingOptions(request, modelIdOf(request.model)) : {};
  const providerOptions = optionsFor(request, protocol, thinking);
  return {
    prompt: promptOf(request, protocol),
    maxOutputTokens: request.maxOutputTokens - thinkingTokens(thinking),
    ...(request.tools.length > 0 && { tools: toolsOf(request), toolChoice: { type: request.toolChoice } }),
    ...(providerOptions && { providerOptions }),
    includeRawChunks: true,
  };
}

/** The Anthropic adapter adds the budget to the output limit; ours includes it. */
function thinkingTokens(options: ThinkingOptions): number {
  return options.thinking?.type === 'enabled' ? options.thinking.budgetTokens : 0;
}

function toolsOf(request: ModelRequest): LanguageModelV3FunctionTool[] {
  return request.tools.map((tool, index) => ({
    type: 'function',
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema,
    ...(index === request.tools.length - 1 && { providerOptions: CACHE_BREAKPOINT }),
  }));
}

function optionsFor(
  request: ModelRequest,
  protocol: ProviderKind,
  thinking: ThinkingOptions,
): SharedV3ProviderOptions | undefined {
  const { effort } = request;
  switch (protocol) {
    case 'anthropic':
      return effort === undefined ? undefined : { anthropic: { ...thinking } };
    case 'openai':
      return {
        openai: {
          store: false,
          promptCacheKey: cacheKey(request),
          ...(effort !== undefined && { reasoningEffort: openaiEffort(effort, modelIdOf(request.model)) }),
        },
      };
    case 'openai-compatible':
      return effort === undefined ? undefined : { openaiCompatible: { reasoningEffort: chatEffort(effort) } };
  }
}

/** Sends requests that begin alike to the same cache. */
function cacheKey(request: ModelRequest): string {
  return createHash('sha256').update(request.system).digest('hex').slice(0, 32);
}
