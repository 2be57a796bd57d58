import type { ModelFailure } from './model-failure.ts';
import { type ResolvedModel, resolveModel } from './model-ref.ts';
import {
  type Environment,
  MODEL_TAGS,
  type ModelSettings,
  type ModelTag,
  type ProviderKind,
  variable,
} from './model-settings.ts';
import { BUILT_IN_PRICES, PRICES_AS_OF, PRICES_SOURCE, type Price } from './price-table.ts';
import { keyVariable, providerNames, providerOf } from './providers.ts';

/** What `workcenter models` shows. Says where keys are expected and whether they are there, never what they are. */
export interface Catalogue {
  readonly providers: readonly ProviderEntry[];
  readonly tags: readonly Readonly<{ tag: ModelTag; model: ResolvedModel | ModelFailure }>[];
  readonly prices: Readonly<{
    /** Day of the built-in table, YYYY-MM-DD. */
    asOf: string;
    source: string;
    entries: readonly Readonly<{ model: string; price: Price; from: 'built-in' | 'settings' }>[];
  }>;
}

export interface ProviderEntry {
  readonly name: string;
  /** Null when it cannot be called; `problem` says why. */
  readonly protocol: ProviderKind | null;
  readonly baseUrl: string | null;
  /** The variable that holds its key; null when it needs none. */
  readonly keyEnv: string | null;
  readonly keyPresent: boolean;
  readonly problem: ModelFailure | null;
}

export function listModels(environment: Environment, settings: ModelSettings): Catalogue {
  return {
    providers: providerNames(settings).map((name) => providerEntry(name, settings, environment)),
    tags: MODEL_TAGS.map((tag) => ({ tag, model: resolveModel({ tag }, settings, environment) })),
    prices: { asOf: PRICES_AS_OF, source: PRICES_SOURCE, entries: priceEntries(settings) },
  };
}

function providerEntry(name: string, settings: ModelSettings, environment: Environment): ProviderEntry {
  const keyEnv = keyVariable(name, settings);
  const found = providerOf(name, settings, environment);
  const known = found.kind === 'provider' ? found : undefined;
  return {
    name,
    protocol: known?.protocol ?? null,
    baseUrl: known?.baseUrl ?? null,
    keyEnv: keyEnv ?? null,
    keyPresent: variable(environment, keyEnv) !== undefined,
    problem: found.kind === 'failed' ? found : null,
  };
}

function priceEntries(settings: ModelSettings): Catalogue['prices']['entries'] {
  const own = settings.prices ?? {};
  const builtIn = Object.entries(BUILT_IN_PRICES).filter(([model]) => !Object.hasOwn(own, model));
  return [
    ...Object.entries(own).map(([model, price]) => ({ model, price, from: 'settings' as const })),
    ...builtIn.map(([model, price]) => ({ model, price, from: 'built-in' as const })),
  ];
}
