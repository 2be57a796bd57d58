import { type ModelFailure, modelFailure } from './model-failure.ts';
import { type Environment, MODEL_TAGS, type ModelSettings, type ModelTag, variable } from './model-settings.ts';
import { BUILT_IN, providerOf } from './providers.ts';

/** `provider/model`; the model may contain slashes. */
export interface ModelRef {
  readonly kind: 'ref';
  readonly provider: string;
  readonly model: string;
}

/** Which model somebody wants: a reference, or a tag that settings map to one. */
export type ModelPolicy = Readonly<{ ref: string }> | Readonly<{ tag: string }>;

export interface ResolvedModel {
  readonly kind: 'model';
  /** `provider/model`. */
  readonly ref: string;
  /** `policy`: named itself · `settings`: its tag is mapped there · `default`: see {@link DEFAULT_TAGS}. */
  readonly source: 'policy' | 'settings' | 'default';
}

/**
 * What a tag means without settings: the first provider, from top to bottom, whose variable is set.
 *
 * | Variable                | fast             | balanced          | ultimate        |
 * | ----------------------- | ---------------- | ----------------- | --------------- |
 * | ANTHROPIC_API_KEY       | claude-haiku-5-5 | claude-sonnet-5-5 | claude-opus-5-5 |
 * | OPENAI_API_KEY          | gpt-6-luna       | gpt-6.1-sol       | gpt-6-astra     |
 * | OPENROUTER_API_KEY      | the three of Anthropic, as OpenRouter names them |     | |
 * | WORKCENTER_SCRIPTED_URL | fast             | balanced          | ultimate        |
 */
export const DEFAULT_TAGS: readonly Readonly<{ variable: string; tags: Readonly<Record<ModelTag, string>> }>[] = [
  {
    variable: 'ANTHROPIC_API_KEY',
    tags: {
      fast: 'anthropic/claude-haiku-5-5',
      balanced: 'anthropic/claude-sonnet-5-5',
      ultimate: 'anthropic/claude-opus-5-5',
    },
  },
  {
    variable: 'OPENAI_API_KEY',
    tags: { fast: 'openai/gpt-6-luna', balanced: 'openai/gpt-6.1-sol', ultimate: 'openai/gpt-6-astra' },
  },
  {
    variable: 'OPENROUTER_API_KEY',
    tags: {
      fast: 'openrouter/anthropic/claude-haiku-5.5',
      balanced: 'openrouter/anthropic/claude-sonnet-5.5',
      ultimate: 'openrouter/anthropic/claude-opus-5.5',
    },
  },
  {
    variable: 'WORKCENTER_SCRIPTED_URL',
    tags: { fast: 'scripted/fast', balanced: 'scripted/balanced', ultimate: 'scripted/ultimate' },
  },
];

export function parseModelRef(text: string): ModelRef | ModelFailure {
  const slash = text.indexOf('/');
  const provider = text.slice(0, Math.max(slash, 0)).trim();
  const model = text.slice(slash + 1).trim();
  if (slash > 0 && provider !== '' && model !== '') return { kind: 'ref', provider, model };
  return modelFailure(
    'model_missing',
    'provider/model',
    text === '' ? 'nothing' : text,
    `Name both, for example anthropic/claude-sonnet-5-5; providers are ${Object.keys(BUILT_IN).join(', ')} and those of the settings.`,
  );
}

export function isModelTag(text: string): text is ModelTag {
  return MODEL_TAGS.some((tag) => tag === text);
}

/**
 * The one model a policy means, or why there is none. Its provider is known and has its key; whether the provider
 * knows the model shows at the first call (`model_not_found`).
 */
export function resolveModel(
  policy: ModelPolicy,
  settings: ModelSettings,
  environment: Environment,
): ResolvedModel | ModelFailure {
  const named = 'ref' in policy ? resolved(policy.ref, 'policy') : taggedModel(policy.tag, settings, environment);
  if (named.kind === 'failed') return named;
  const ref = parseModelRef(named.ref);
  if (ref.kind === 'failed') return ref;
  const provider = providerOf(ref.provider, settings, environment);
  return provider.kind === 'failed' ? provider : { ...named, ref: `${ref.provider}/${ref.model}` };
}

function taggedModel(tag: string, settings: ModelSettings, environment: Environment): ResolvedModel | ModelFailure {
  if (!isModelTag(tag)) {
    return modelFailure('unknown_tag', `one of ${MODEL_TAGS.join(', ')}`, tag, 'Use one of these, or provider/model.');
  }
  const mapped = settings.tags?.[tag];
  if (mapped !== undefined) return resolved(mapped, 'settings');
  const row = DEFAULT_TAGS.find((candidate) => variable(environment, candidate.variable) !== undefined);
  if (row) return resolved(row.tags[tag], 'default');
  const variables = DEFAULT_TAGS.slice(0, 3).map((candidate) => candidate.variable);
  return modelFailure(
    'model_missing',
    `a model for the tag ${tag}`,
    'no mapping in the settings and no key of a provider',
    `Set ${variables.join(' or ')}, or map the tag: workcenter settings set models.tags.${tag} ollama/MODEL`,
  );
}

const resolved = (ref: string, source: ResolvedModel['source']): ResolvedModel => ({ kind: 'model', ref, source });
