import { type Failure, failure } from '../answer.ts';
import { EXIT } from '../exit-codes.ts';

/** A setting in the tree of the configuration. Segments in capitals stand for names that a person chooses. */
export interface ConfigurationKey {
  readonly pattern: string;
  readonly what: string;
  readonly expected: string;
}

const key = (pattern: string, what: string, expected: string): ConfigurationKey => ({ pattern, what, expected });

const MODEL = 'a tag or provider/model';
const COUNT = 'a whole number above 0';

/** Every key of `CONFIGURATION` (engine/configuration.ts), in the order in which people look for them. */
export const CONFIGURATION_KEYS: readonly ConfigurationKey[] = Object.freeze([
  key('models.coordinator', 'what the Coordinator thinks with', MODEL),
  key('models.byType.TYPE', 'model of a type of Action, such as review', MODEL),
  key('models.tags.TAG', 'what a tag means', 'provider/model, for fast, balanced or ultimate'),
  key('models.providers.NAME.kind', 'what a provider speaks', 'anthropic, openai or openai-compatible'),
  key('models.providers.NAME.baseUrl', 'its address', 'an http or https address'),
  key('models.providers.NAME.keyEnv', 'variable that holds its key', 'the name of an environment variable'),
  key('models.providers.NAME', 'a whole provider', '{"kind":"openai-compatible","baseUrl":"http://…/v1"}'),
  key('prices.MODEL', 'US dollars per million tokens of provider/model', '{"input":3,"output":15}'),
  key('limits.usd', 'money of a new item', 'US dollars above 0'),
  key('limits.tokens', 'tokens of a new item', COUNT),
  key('limits.requests', 'model requests of a new item', COUNT),
  key('limits.runRequests', 'model requests of one Run', COUNT),
  key('limits.attempts', 'attempts of an Action', '1..100'),
  key('limits.wallClockSec', 'seconds of Runs of a new item', COUNT),
  key('limits.dailyUsd', 'money of one day, over all items', 'US dollars above 0'),
  key('limits.dailyTokens', 'tokens of one day, over all items', COUNT),
  key('limits.allowUnmetered', 'whether what reports no cost may run under a limit of money', 'true or false'),
  key('defaultDirectory', 'where new looks when it is told no --repo', 'a directory'),
  key('startImmediately', 'whether new starts what it creates', 'true or false'),
  key('globalInstructions', 'told to everyone with a model', 'text, or @FILE'),
  key('instructions.TYPE', 'told to Actions of this type only', 'text, or @FILE'),
  key('permissions', 'rules for tool calls', '@FILE with JSON or YAML, or JSON'),
  key('trustedMcp', 'project MCP configurations that you trust', 'a JSON list of hashes'),
  key('github.apiUrl', 'address of the GitHub API', 'an https address'),
  key('github.tokenEnv', 'variable that holds its token', 'the name of an environment variable'),
]);

/** Short forms that stand in messages elsewhere. */
const LONG_FORMS: Readonly<Record<string, string>> = { tags: 'models.tags', providers: 'models.providers' };

const isName = (segment: string): boolean => /^[A-Z]+$/.test(segment);

/** The segments of `path` as the pattern divides it: a name at the end may hold dots, as models do. */
function split(pattern: string, path: string): readonly string[] | undefined {
  const wanted = pattern.split('.');
  const typed = path.split('.');
  const last = wanted.length - 1;
  const given = isName(wanted[last] ?? '') ? [...typed.slice(0, last), typed.slice(last).join('.')] : typed;
  const fits =
    given.length === wanted.length &&
    wanted.every((segment, at) => (isName(segment) ? given[at] !== '' : segment === given[at]));
  return fits && !given.includes('__proto__') ? given : undefined;
}

/** Where a setting stands, and what it is. */
export interface ConfigurationPlace {
  readonly key: ConfigurationKey;
  readonly segments: readonly string[];
}

/** The key of a dotted path, or undefined where there is none. */
export function configurationPlace(path: string): ConfigurationPlace | undefined {
  const [head = '', ...rest] = path.split('.');
  const long = Object.hasOwn(LONG_FORMS, head) ? [LONG_FORMS[head], ...rest].join('.') : path;
  for (const key of CONFIGURATION_KEYS) {
    const segments = split(key.pattern, long);
    if (segments) return { key, segments };
  }
  return undefined;
}

/** Refuses a path with the keys that begin like it, or with all. */
export function unknownSetting(path: string, scalars: readonly string[]): Failure {
  const head = path.split('.')[0] ?? '';
  const near = CONFIGURATION_KEYS.filter(({ pattern }) => pattern.split('.')[0] === head);
  const known = (near.length > 0 ? near : CONFIGURATION_KEYS).map(({ pattern }) => pattern);
  return failure(EXIT.invalid, 'unknown_setting', `There is no setting ${path}.`, {
    expected: [...(near.length > 0 ? [] : scalars), ...known].join(', '),
    found: path,
    next: 'workcenter settings',
  });
}
