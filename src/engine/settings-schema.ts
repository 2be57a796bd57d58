import { z } from 'zod';
import { parsePolicy } from '../executors/agent/permissions/policy.ts';
import { CONFIGURATION } from './configuration.ts';
import { SETTING_RANGES } from './settings-ranges.ts';
import { type Tree, valueAt, without, withValue } from './settings-tree.ts';

const within = ([min, max]: readonly [number, number]) => z.number().int().min(min).max(max).optional();

/** All that a person may set for an installation, as it is stored. */
export const SETTINGS_SCHEMA = CONFIGURATION.extend({
  concurrency: within(SETTING_RANGES.concurrency),
  notify: z.string().max(8_000).optional(),
  sandbox: z.enum(['on', 'off']).optional(),
  minFreeBytes: within(SETTING_RANGES.minFreeBytes),
  shutdownMs: within(SETTING_RANGES.shutdownMs),
});

/**
 * What is set at the machine only, and told nowhere else: it runs commands outside of the sandbox, opens the sandbox, or
 * says where keys are sent.
 */
export const LOCAL_SETTINGS: readonly (readonly string[])[] = Object.freeze(
  ['notify', 'sandbox', 'permissions', 'trustedMcp', 'github', 'models.providers'].map((path) => path.split('.')),
);

/** The first thing that is wrong with settings, and where; undefined where they are sound. */
export function settingsProblem(tree: Tree): string | undefined {
  const read = SETTINGS_SCHEMA.safeParse(tree);
  const issue = read.success ? undefined : read.error.issues[0];
  if (issue) return `${issue.path.join('.') || 'settings'}: ${issue.message}`;
  if (tree.permissions === undefined) return undefined;
  const policy = parsePolicy(tree.permissions);
  const first = policy.ok ? undefined : policy.problems[0];
  return first && `permissions ${first.path}: ${first.message}`;
}

/** Settings as somebody far away may read and change them. */
export const remoteSettings = (stored: Tree): Tree =>
  LOCAL_SETTINGS.reduce<Tree>((tree, segments) => without(tree, segments), stored);

/** Which of the local settings are set. */
export const localNames = (stored: Tree): readonly string[] =>
  LOCAL_SETTINGS.filter((segments) => valueAt(stored, segments) !== undefined).map((segments) => segments.join('.'));

/** What was sent, with the local settings as they are stored. */
export const withLocal = (sent: Tree, stored: Tree): Tree =>
  LOCAL_SETTINGS.reduce<Tree>((tree, segments) => {
    const value = valueAt(stored, segments);
    return value === undefined ? tree : withValue(tree, segments, value);
  }, sent);
