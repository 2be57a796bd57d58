import { type Kind, read, typedOf } from './table.ts';

/** What is typed for a setting, and what was set when one began. */
export interface SettingDraft {
  readonly typed: string;
  readonly base?: unknown;
}

/** What was typed, as it is to be stored; undefined where there is nothing, or nothing of its kind. */
export const wantedOf = (kind: Kind, typed: string): unknown => (typed.trim() === '' ? undefined : read(kind, typed));

/** What is left to save once a value is saved: what was typed since. */
export function draftAfter(draft: SettingDraft | undefined, kind: Kind, saved: unknown): SettingDraft | undefined {
  if (!draft) return undefined;
  const isSaved = draft.typed === typedOf(saved) || wantedOf(kind, draft.typed) === saved;
  return isSaved ? undefined : { typed: draft.typed, base: saved };
}
