import { parse } from 'yaml';
import { CONFIGURATION, policyOf } from '../../engine/configuration.ts';
import { isTree, type Tree, withValue } from '../../engine/settings-tree.ts';
import { parsePolicy } from '../../executors/agent/permissions/policy.ts';
import { type ModelFailure, type ModelSettings, resolveModel } from '../../model/index.ts';
import { type Failure, failure } from '../answer.ts';
import { EXIT } from '../exit-codes.ts';
import type { ConfigurationPlace } from './configuration-keys.ts';

const KEYS: readonly string[] = Object.keys(CONFIGURATION.shape);

/** The part of the stored settings that is the configuration. */
export const configurationTree = (stored: Tree): Tree =>
  Object.fromEntries(Object.entries(stored).filter(([name]) => KEYS.includes(name)));

/** Why the stored configuration is not read at all; undefined when it is sound. */
export const configurationProblem = (stored: Tree): string | undefined => problemOf(configurationTree(stored));

/** The first thing that is wrong with a configuration, and where. */
function problemOf(tree: Tree): string | undefined {
  const read = CONFIGURATION.safeParse(tree);
  const issue = read.success ? undefined : read.error.issues[0];
  return issue && `${issue.path.join('.')}: ${issue.message}`;
}

const invalid = (path: string, expected: string, found: string, next?: string): Failure =>
  failure(EXIT.invalid, 'invalid_setting', `${path} cannot be that.`, {
    expected,
    found: found.length > 200 ? `${found.slice(0, 200)}…` : found,
    ...(next === undefined ? {} : { next }),
  });

function readJsonOrYaml(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** Rules for tools have a reader of their own, which says more than a schema could. */
function permissionsValue(text: string): Taken | Failure {
  const expected = '{"rules":[{"tool":…, "path"|"command"|"url":…, "decide":"allow"|"ask"|"deny"}]}';
  const next = 'docs/permissions.md explains them.';
  const value = readJsonOrYaml(text);
  if (!isTree(value)) return invalid('permissions', expected, text, next);
  const parsed = parsePolicy(value);
  if (parsed.ok) return { value };
  const [first] = parsed.problems;
  return invalid('permissions', expected, `${first?.path ?? ''} ${first?.message ?? text}`.trim(), next);
}

interface Taken {
  readonly value: unknown;
}

/** Text where text is wanted, else what it says as JSON: `true`, `5`, `{"input":3}`. */
function schemaValue(stored: Tree, place: ConfigurationPlace, text: string): Taken | Failure {
  const own = configurationTree(stored);
  const json = readJsonOrYaml(text);
  const candidates = json === undefined ? [text] : [text, json];
  const tried = candidates.map((value) => ({ value, wrong: problemOf(withValue(own, place.segments, value)) }));
  const fits = tried.find(({ wrong }) => wrong === undefined);
  if (fits) return { value: fits.value };
  const path = place.segments.join('.');
  const elsewhere = tried.flatMap(({ wrong }) => wrong ?? []).find((problem) => !problem.startsWith(path));
  const next = elsewhere === undefined ? undefined : `Set this first: ${elsewhere}`;
  return invalid(path, place.key.expected, text, next);
}

const isModelKey = ([head, branch]: readonly string[]): boolean =>
  head === 'models' && (branch === 'coordinator' || branch === 'byType' || branch === 'tags');

interface Missing {
  readonly failure: ModelFailure;
  /** A tag may be given a model, and a provider its key, by another environment than this one. */
  readonly isPassing: boolean;
}

/** What is missing for the model that a setting names; undefined where it names none, or all is there. */
function missingFor(
  { segments }: ConfigurationPlace,
  value: unknown,
  settings: ModelSettings,
  environment: Readonly<Record<string, string>>,
): Missing | undefined {
  if (!isModelKey(segments) || typeof value !== 'string') return undefined;
  const policy = segments[1] === 'tags' ? { ref: value } : policyOf(value);
  const found = resolveModel(policy, settings, environment);
  if (found.kind === 'model') return undefined;
  return { failure: found, isPassing: found.code === 'key_missing' || 'tag' in policy };
}

type Judged = Parameters<typeof missingFor>;

/**
 * Refuses a model that could never be called: no such provider, no such tag, no model named. A key that is missing is
 * none of that; it is looked for when the model is called.
 */
export function modelProblem(...[place, value, settings, environment]: Judged): Failure | undefined {
  const missing = missingFor(place, value, settings, environment);
  if (missing === undefined || missing.isPassing) return undefined;
  const { code, expected, next, found } = missing.failure;
  const typed = typeof value === 'string' ? value : found;
  return failure(EXIT.invalid, code, `${place.segments.join('.')} names no model.`, { expected, found: typed, next });
}

/** Why a model that is taken could not be called from here, such as the variable of its key; undefined if it could. */
export function modelNote(...judged: Judged): string | undefined {
  const missing = missingFor(...judged);
  if (!missing?.isPassing) return undefined;
  const { expected, found, next } = missing.failure;
  return `It cannot be called from here yet: expected ${expected}, found: ${found}. ${next}`;
}

/** A value as it is stored, or why it is none. The whole configuration is readable with it. */
export const configurationValue = (stored: Tree, place: ConfigurationPlace, text: string): Taken | Failure =>
  place.segments[0] === 'permissions' ? permissionsValue(text) : schemaValue(stored, place, text);
