import { blankForm, type Form } from './form.ts';

const KEY = 'workcenter.new';

/** Of the browser's own, what is used here. */
export interface DraftStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Each part as it was kept where it is of its kind, else as in a blank form: drafts of other versions open, too. */
function readForm(value: unknown): Form | undefined {
  if (!isRecord(value)) return undefined;
  const blank = blankForm();
  const parts = Object.entries(blank).map(([name, part]) => {
    const kept = value[name];
    const fits = Array.isArray(part) ? Array.isArray(kept) && kept.every(isRecord) : typeof kept === typeof part;
    return [name, fits ? kept : part];
  });
  const form = Object.fromEntries(parts) as Form;
  const criteria = form.criteria.map(({ key, text, run, minProof, protect }) => ({
    key: String(key),
    text: String(text ?? ''),
    run: String(run ?? ''),
    minProof: minProof ?? '',
    protect: String(protect ?? ''),
  }));
  return { ...form, criteria: criteria.length > 0 ? criteria : blank.criteria };
}

/** What was being written when the page was left; undefined where there is nothing, or nothing that can be read. */
export function keptForm(storage: DraftStorage): Form | undefined {
  try {
    return readForm(JSON.parse(storage.getItem(KEY) ?? 'null'));
  } catch {
    return undefined;
  }
}

/** False: this browser keeps nothing, and the draft lives as long as the page. */
export function keepForm(storage: DraftStorage, form: Form): boolean {
  try {
    storage.setItem(KEY, JSON.stringify(form));
    return true;
  } catch {
    return false;
  }
}

export function forgetForm(storage: DraftStorage): void {
  try {
    storage.removeItem(KEY);
  } catch {
    // Nothing was kept then.
  }
}

/** Whether a change of the browser's storage, by another tab, is about the draft. */
export const isDraftKey = (key: string | null): boolean => key === null || key === KEY;
