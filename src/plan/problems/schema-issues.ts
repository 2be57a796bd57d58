import type { z } from 'zod';
import { planJsonSchema } from '../read/schema.ts';
import { didYouMean } from './did-you-mean.ts';
import {
  describeFound,
  formatPath,
  locate,
  type Places,
  type PlanPath,
  type PlanProblem,
  planProblem,
} from './problem.ts';

type Issue = z.core.$ZodIssue;

/** A validation issue, flattened: unions are resolved to the alternative that was meant. */
export interface FlatIssue {
  readonly path: PlanPath;
  /** Whether the key itself is wrong, or what it holds. */
  readonly side: 'key' | 'value';
  readonly expected: string;
  readonly found: string;
  readonly hint?: string | undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function valueAt(data: unknown, path: PlanPath): unknown {
  return path.reduce<unknown>((value, part) => {
    if (Array.isArray(value)) return typeof part === 'number' ? value[part] : undefined;
    return isRecord(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  }, data);
}

/** Keys that the published schema knows at `path`. */
function knownKeys(path: PlanPath): readonly string[] {
  const nodes = path.reduce<readonly unknown[]>(
    (around, part) => around.flatMap(alternatives).flatMap((node) => step(node, part)),
    [planJsonSchema],
  );
  const keys = nodes.flatMap(alternatives).flatMap((node) => Object.keys(objectAt(node, 'properties')));
  return [...new Set(keys)].filter((key) => !key.startsWith('$'));
}

const objectAt = (node: unknown, key: string): Record<string, unknown> => {
  const value = isRecord(node) ? node[key] : undefined;
  return isRecord(value) ? value : {};
};

function alternatives(node: unknown): readonly unknown[] {
  const anyOf = isRecord(node) ? node.anyOf : undefined;
  return Array.isArray(anyOf) ? anyOf.flatMap(alternatives) : [node];
}

function step(node: unknown, part: string | number): readonly unknown[] {
  if (!isRecord(node)) return [];
  if (typeof part === 'number') return [node.items];
  const properties = objectAt(node, 'properties');
  return Object.hasOwn(properties, part) ? [properties[part]] : [];
}

/** An alternative of another type than what stands there: it was not the one that was meant. */
const isOtherType = (issues: readonly Issue[]): boolean =>
  issues.some(({ code, path }) => path.length === 0 && (code === 'invalid_type' || code === 'invalid_value'));

const wantsText = (issue: Issue): boolean => issue.code === 'invalid_type' && issue.expected === 'string';

function hintFor(value: unknown, issues: readonly Issue[]): string | undefined {
  if (typeof value === 'string') {
    const values = issues.flatMap((issue) => (issue.code === 'invalid_value' ? issue.values.map(String) : []));
    const meant = didYouMean(value, values);
    return meant === undefined ? undefined : `Did you mean ${meant}?`;
  }
  if (value === null) return 'Give it a value, or remove the key.';
  const quotable = typeof value === 'number' || typeof value === 'boolean';
  return quotable && issues.some(wantsText) ? 'Put it in quotes.' : undefined;
}

function foundBy(issue: Issue, value: unknown): string {
  if (Array.isArray(value) && (issue.code === 'too_big' || issue.code === 'too_small')) return String(value.length);
  if (typeof value === 'string' && issue.message.endsWith(' characters')) return `${value.trim().length}`;
  return describeFound(value);
}

function unknownKeys(data: unknown, path: PlanPath, keys: readonly string[]): readonly FlatIssue[] {
  const known = knownKeys(path);
  const present = valueAt(data, path);
  const free = known.filter((key) => !isRecord(present) || !Object.hasOwn(present, key));
  return keys.map((key) => {
    const meant = key === '<<' ? undefined : didYouMean(key, free);
    const hint = key === '<<' ? 'Merge keys are not part of YAML 1.2.' : meant && `Did you mean ${meant}?`;
    return { path: [...path, key], side: 'key', expected: `one of ${known.join(', ')}`, found: key, hint };
  });
}

/** Issues of the schema as flat facts, in the order the schema found them. */
export function flattenIssue(issue: Issue, data: unknown, around: PlanPath = []): readonly FlatIssue[] {
  const path = [...around, ...issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))];
  const value = valueAt(data, path);
  if (issue.code === 'unrecognized_keys') return unknownKeys(data, path, issue.keys);
  if (issue.code === 'invalid_key') {
    return [{ path, side: 'key', expected: issue.issues[0]?.message ?? 'another name', found: String(path.at(-1)) }];
  }
  if (issue.code === 'invalid_union') {
    const meant = issue.errors.filter((errors) => !isOtherType(errors));
    if (meant.length === 1) return (meant[0] ?? []).flatMap((inner) => flattenIssue(inner, data, path));
    const hint = hintFor(value, issue.errors.flat());
    return [{ path, side: 'value', expected: issue.message, found: describeFound(value), hint }];
  }
  const missing = value === undefined;
  const hint = missing ? undefined : hintFor(value, [issue]);
  return [{ path, side: missing ? 'key' : 'value', expected: issue.message, found: foundBy(issue, value), hint }];
}

export function issueProblems(issues: readonly FlatIssue[], places: Places): readonly PlanProblem[] {
  return issues.map(({ path, side, expected, found, hint }) => {
    const at = formatPath(path);
    return planProblem(locate(places, at, side), { path: at, expected, found, hint });
  });
}
