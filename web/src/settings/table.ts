import { isAmbiguous, numberOf } from '../components/typed-number.ts';
import type { settings } from '../i18n/en/settings.ts';
import type { Path } from './tree.ts';

export type FieldName = keyof typeof settings.settings.field;

/** How a value is typed and read. `count`: a whole number; `amount`: any number above 0. */
export type Kind =
  | { readonly as: 'count'; readonly min: number; readonly max: number }
  | { readonly as: 'amount' }
  | { readonly as: 'text' | 'long' | 'model' | 'switch' };

/** One setting: where it stands, what it may be, and what holds where it is not set. */
export interface Setting {
  readonly name: FieldName;
  readonly path: Path;
  readonly kind: Kind;
  /** Shown where nothing is set; null: no limit. */
  readonly initial?: string | number | boolean | null;
}

const MOST = 1_000_000_000_000;
const count = (min: number, max: number): Kind => ({ as: 'count', min, max });
const MODEL: Kind = { as: 'model' };

export const GENERAL: readonly Setting[] = [
  { name: 'concurrency', path: ['concurrency'], kind: count(1, 64), initial: 3 },
  { name: 'defaultDirectory', path: ['defaultDirectory'], kind: { as: 'text' } },
  { name: 'startImmediately', path: ['startImmediately'], kind: { as: 'switch' }, initial: true },
  { name: 'globalInstructions', path: ['globalInstructions'], kind: { as: 'long' } },
  { name: 'shutdownMs', path: ['shutdownMs'], kind: count(1_000, 600_000), initial: 10_000 },
];

export const COORDINATOR: Setting = {
  ...{ name: 'coordinator', path: ['models', 'coordinator'], kind: MODEL, initial: 'ultimate' },
};

export const TAGS: readonly Setting[] = (['fast', 'balanced', 'ultimate'] as const).map((name) => ({
  ...{ name, path: ['models', 'tags', name], kind: MODEL },
}));

const limit = (name: FieldName, kind: Kind, initial: number | boolean | null): Setting => ({
  ...{ name, path: ['limits', name], kind, initial },
});

export const OF_WORK: readonly Setting[] = [
  limit('usd', { as: 'amount' }, null),
  limit('tokens', count(1, MOST), 20_000_000),
  limit('requests', count(1, MOST), 1_000),
  limit('runRequests', count(1, MOST), 200),
  limit('attempts', count(1, 100), 3),
  limit('wallClockSec', count(1, MOST), null),
  limit('allowUnmetered', { as: 'switch' }, false),
];

export const OF_DAY: readonly Setting[] = [
  limit('dailyUsd', { as: 'amount' }, null),
  limit('dailyTokens', count(1, MOST), null),
];

export const DISK: Setting = {
  ...{ name: 'minFreeBytes', path: ['minFreeBytes'], kind: count(0, MOST), initial: 209_715_200 },
};

/** Types of Actions with a policy of their own. */
export const ACTION_TYPES = [
  ...['triage', 'research', 'design', 'diagnose', 'implement', 'migrate', 'test', 'review'],
  ...['integrate', 'document', 'operate', 'deliver', 'write', 'create_vp', 'custom'],
];

/** What was typed as it is stored; undefined where it is nothing of its kind. */
export function read(kind: Kind, typed: string): string | number | boolean | undefined {
  const text = typed.trim();
  if (kind.as === 'switch') return text === 'true' ? true : text === 'false' ? false : undefined;
  if (kind.as !== 'count' && kind.as !== 'amount') return text === '' ? undefined : text;
  const number = isAmbiguous(text) ? Number.NaN : (numberOf(text) ?? Number.NaN);
  if (kind.as === 'amount') return number > 0 ? number : undefined;
  return Number.isInteger(number) && number >= kind.min && number <= kind.max ? number : undefined;
}

export const typedOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value));
