import { keepAt, keptAt, useKept } from '../shell/kept.ts';
import { draftAfter, type SettingDraft } from './draft-after.ts';
import type { Kind } from './table.ts';
import type { Path } from './tree.ts';

// Names of models and types may hold any mark.
const keyOf = (path: Path): string => `setting.${JSON.stringify(path)}`;

const isDraft = (value: unknown): value is SettingDraft =>
  typeof value === 'object' && value !== null && 'typed' in value && typeof value.typed === 'string';

export const useSettingDraft = (path: Path) => useKept(keyOf(path), isDraft);

export const hasSettingDraft = (path: Path): boolean => isDraft(keptAt(keyOf(path)));

/** After a save, also of a field that is no longer in sight. */
export function settleDraft(path: Path, kind: Kind, saved: unknown): void {
  const draft = keptAt(keyOf(path));
  if (isDraft(draft)) keepAt(keyOf(path), draftAfter(draft, kind, saved));
}
