import { type ModelFailure, modelFailure } from './model-failure.ts';
import {
  type Environment,
  type ModelSettings,
  type ProviderKind,
  type ProviderSettings,
  variable,
} from './model-settings.ts';

/** Everything that is needed to call a provider. */
export interface ResolvedProvider {
  readonly kind: 'provider';
  readonly name: string;
  readonly protocol: ProviderKind;
  /** With its version path, without a slash at the end. */
  readonly baseUrl: string;
  /** A function, so that no encoder and no log takes the key along by accident. */
  readonly key: () => string | undefined;
}

interface BuiltIn {
  readonly kind: ProviderKind;
  readonly baseUrl?: string;
  readonly urlEnv?: string;
  readonly keyEnv?: string;
}

/** Providers that need no settings. Settings of the same name override what they give. */
export const BUILT_IN: Readonly<Record<string, BuiltIn>> = Object.freeze({
  anthropic: {
    kind: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    urlEnv: 'ANTHROPIC_BASE_URL',
    keyEnv: 'ANTHROPIC_API_KEY',
  },
  openai: { kind: 'openai', baseUrl: 'https://api.openai.com/v1', urlEnv: 'OPENAI_BASE_URL', keyEnv: 'OPENAI_API_KEY' },
  openrouter: { kind: 'openai-compatible', baseUrl: 'https://openrouter.ai/api/v1', keyEnv: 'OPENROUTER_API_KEY' },
  ollama: { kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:11434/v1' },
  scripted: { kind: 'openai-compatible', urlEnv: 'WORKCENTER_SCRIPTED_URL' },
});

/** What the scripted model is asked in; chat completions unless said. */
const SCRIPTED_PROTOCOL = 'WORKCENTER_SCRIPTED_PROTOCOL';

/** Values of {@link SCRIPTED_PROTOCOL}. */
const SCRIPTED_KINDS: Readonly<Record<string, ProviderKind>> = {
  anthropic: 'anthropic',
  openai: 'openai-compatible',
  'openai-responses': 'openai',
};

/** Names of all providers, those of the settings included. */
export function providerNames(settings: ModelSettings): string[] {
  return [...new Set([...Object.keys(BUILT_IN), ...Object.keys(settings.providers ?? {})])];
}

/** The variable that holds a provider's key, or undefined when it needs none. */
export function keyVariable(name: string, settings: ModelSettings): string | undefined {
  const own = entry(settings.providers, name);
  return own ? (own.keyEnv ?? inheritedKey(name, own)) : entry(BUILT_IN, name)?.keyEnv;
}

/** How to call a provider, or what is missing: `unknown_provider` also for one without a usable address. */
export function providerOf(
  name: string,
  settings: ModelSettings,
  environment: Environment,
): ResolvedProvider | ModelFailure {
  const own = entry(settings.providers, name);
  const builtIn = entry(BUILT_IN, name);
  if (!own && !builtIn) return unknownProvider(name, settings);
  const found = own?.baseUrl ?? variable(environment, builtIn?.urlEnv) ?? builtIn?.baseUrl;
  const kind = own?.kind ?? builtInKind(name, environment, found);
  const baseUrl = found === undefined ? undefined : normalUrl(found, kind);
  if (baseUrl === undefined) return addressMissing(name, builtIn, found);
  const keyEnv = keyVariable(name, settings);
  const key = variable(environment, keyEnv);
  if (keyEnv !== undefined && key === undefined) return keyMissing(name, keyEnv);
  return { kind: 'provider', name, protocol: kind, baseUrl, key: () => key };
}

/** Names come from people: `constructor` is no provider. */
function entry<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

/** A built-in provider that settings only send through another address of the same kind keeps its key. */
function inheritedKey(name: string, own: ProviderSettings): string | undefined {
  const builtIn = entry(BUILT_IN, name);
  return builtIn?.kind === own.kind ? builtIn.keyEnv : undefined;
}

/**
 * An address other than OpenAI's own in OPENAI_BASE_URL is a gateway, and gateways speak chat completions. Who has one
 * that speaks Responses says so in the settings (`kind: openai`).
 */
function builtInKind(name: string, environment: Environment, url: string | undefined): ProviderKind {
  if (name === 'scripted') return scriptedKind(variable(environment, SCRIPTED_PROTOCOL));
  const kind = entry(BUILT_IN, name)?.kind ?? 'openai-compatible';
  if (kind !== 'openai' || url === undefined) return kind;
  return /^https:\/\/([a-z0-9-]+\.)*openai\.com(\/|$)/i.test(url) ? 'openai' : 'openai-compatible';
}

function scriptedKind(protocol: string | undefined): ProviderKind {
  return entry(SCRIPTED_KINDS, protocol ?? '') ?? 'openai-compatible';
}

/** Adds the version that people leave out: `/v1` to a bare host, and always where Anthropic's own clients add it. */
function normalUrl(text: string, kind: ProviderKind): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  const path = url.pathname.replace(/\/+$/, '');
  const versioned = kind === 'anthropic' ? /\/v\d+$/.test(path) : path !== '';
  return `${url.origin}${versioned ? path : `${path}/v1`}`;
}

function unknownProvider(name: string, settings: ModelSettings): ModelFailure {
  return modelFailure(
    'unknown_provider',
    `one of ${providerNames(settings).join(', ')}`,
    name,
    `Use one of these, or give it an address: workcenter settings set models.providers.${name} '{"kind":"openai-compatible","baseUrl":"http://HOST:PORT/v1"}'`,
  );
}

function addressMissing(name: string, builtIn: BuiltIn | undefined, found: string | undefined): ModelFailure {
  const way = builtIn?.urlEnv === undefined ? '' : `Set ${builtIn.urlEnv}, or `;
  const setting = `${way === '' ? 'Correct' : 'correct'} the setting models.providers.${name}.baseUrl.`;
  return modelFailure('unknown_provider', `an http or https address for ${name}`, found ?? 'none', `${way}${setting}`);
}

function keyMissing(name: string, keyEnv: string): ModelFailure {
  return modelFailure(
    'key_missing',
    `a key for ${name} in ${keyEnv}`,
    'the variable is not set',
    `Set ${keyEnv} in the environment that starts workcenter; keys are never stored.`,
  );
}
