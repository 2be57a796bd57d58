import { keepAt, keptAt, useKept } from '../shell/kept.ts';
import { type Kind, read, typedOf } from './table.ts';
import type { Path } from './tree.ts';

/** What is typed for a setting, and what was set when one began. */
export interface SettingDraft {
  readonly typed: string;
  readonly base?: unknown;
}

// Names of models and types may hold any mark.
const keyOf = (path: Path): string => `setting.${JSON.stringify(path)}`;

const isDraft = (value: unknown): value is SettingDraft =>
  typeof value === 'object' && value !== null && 'typed' in value && typeof value.typed === 'string';

export const useSettingDraft = (path: Path) => useKept(keyOf(path), isDraft);

export const hasSettingDraft = (path: Path): boolean => isDraft(keptAt(keyOf(path)));

/** What was typed, as it is to be stored; undefined where there is nothing, or nothing of its kind. */
export const wantedOf = (kind: Kind, typed: string): unknown => (typed.trim() === '' ? undefined : read(kind, typed));

/** What is left to save once a value is saved: what was typed since. */
export function draftAfter(draft: SettingDraft | undefined, kind: Kind, saved: unknown): SettingDraft | undefined {
  if (!draft) return undefined;
  const isSaved = draft.typed === typedOf(saved) || wantedOf(kind, draft.typed) === saved;
  return isSaved ? undefined : { typed: draft.typed, base: saved };
}

/** After a save, also of a field that is no longer in sight. */
export function settleDraft(path: Path, kind: Kind, saved: unknown): void {
  const draft = keptAt(keyOf(path));
  if (isDraft(draft)) keepAt(keyOf(path), draftAfter(draft, kind, saved));
}
