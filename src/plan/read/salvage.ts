import { formatPath, type PlanPath } from '../problems/problem.ts';
import type { FlatIssue } from '../problems/schema-issues.ts';
import { type PlanDocument, planSchema } from './schema.ts';

/** Values that let a required entry pass, so that the rest of the file can be looked at. */
const STAND_INS: Readonly<Record<string, unknown>> = Object.freeze({
  goal: 'unknown',
  text: 'unknown',
  run: 'unknown',
  vp: 'unknown',
  brief: 'unknown',
  objective: 'unknown',
  target: 'response',
});

type Container = Record<string | number, unknown>;

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

function parentOf(data: unknown, path: PlanPath): Container | undefined {
  const parent = path.slice(0, -1).reduce<unknown>((value, part) => {
    return isContainer(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  }, data);
  return isContainer(parent) ? parent : undefined;
}

/** A VP beside a command is one too many, not one that is broken. */
const hasStandIn = (parent: Container, key: string): boolean =>
  Object.hasOwn(STAND_INS, key) && !(key === 'vp' && Object.hasOwn(parent, 'run'));

function repair(data: unknown, path: PlanPath): void {
  const key = path.at(-1);
  const parent = parentOf(data, path);
  if (key === undefined || parent === undefined) return;
  if (Array.isArray(parent)) {
    // Positions in the list must not move, so an entry is replaced rather than removed.
    const list = path.at(-2);
    parent[Number(key)] = list === 'actions' ? { run: 'unknown' } : 'unknown';
  } else if (typeof key === 'string' && hasStandIn(parent, key)) {
    parent[key] = STAND_INS[key];
  } else {
    delete parent[key];
  }
}

/**
 * The document as it would be without its broken entries; undefined where too little is left. Only for looking for
 * further problems: never for running anything.
 */
export function salvage(data: unknown, issues: readonly FlatIssue[]): PlanDocument | undefined {
  const copy: unknown = structuredClone(data);
  const paths = new Map(issues.map(({ path }) => [formatPath(path), path]));
  for (const path of paths.values()) repair(copy, path);
  const parsed = planSchema.safeParse(copy);
  return parsed.success ? parsed.data : undefined;
}
