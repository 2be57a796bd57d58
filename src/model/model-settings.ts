import type { PriceTable } from './price-table.ts';

export const MODEL_TAGS = ['fast', 'balanced', 'ultimate'] as const;
export type ModelTag = (typeof MODEL_TAGS)[number];

export const PROVIDER_KINDS = ['anthropic', 'openai', 'openai-compatible'] as const;

/**
 * What a provider speaks.
 *
 * | Kind              | Protocol                                                                            |
 * | ----------------- | ----------------------------------------------------------------------------------- |
 * | anthropic         | Messages                                                                            |
 * | openai            | Responses, with encrypted reasoning and nothing stored at the provider              |
 * | openai-compatible | chat completions: Ollama, vLLM, LM Studio, OpenRouter, gateways                      |
 */
export type ProviderKind = (typeof PROVIDER_KINDS)[number];

export interface ProviderSettings {
  readonly kind: ProviderKind;
  readonly baseUrl?: string;
  /** Name of the environment variable that holds the key; without one no key is sent. */
  readonly keyEnv?: string;
}

/** The part of the settings that is about models. All of it is optional; nothing in it is secret. */
export interface ModelSettings {
  /** Tag to `provider/model`. */
  readonly tags?: Readonly<Partial<Record<ModelTag, string>>>;
  readonly providers?: Readonly<Record<string, ProviderSettings>>;
  /** Adds to the built-in table and overrides it. */
  readonly prices?: PriceTable;
}

/** The environment as the command line read it; nothing below it reads `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** An unset variable and an empty one are the same. */
export function variable(environment: Environment, name: string | undefined): string | undefined {
  const value = name === undefined ? undefined : environment[name]?.trim();
  return value === '' ? undefined : value;
}
