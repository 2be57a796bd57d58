import { blankForm, type Form } from './form.ts';

/** Each draft under its own key, so that two tabs do not write over each other. */
const PREFIX = 'workcenter.new.';

/** Of the browser's own, what is used here. */
export interface DraftStorage {
  readonly length: number;
  key(index: number): string | null;
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

interface Kept {
  readonly form: Form;
  /** When it was written last; epoch milliseconds. */
  readonly at: number;
}

function readKept(text: string | null): Kept | undefined {
  try {
    const kept: unknown = JSON.parse(text ?? 'null');
    const form = isRecord(kept) ? readForm(kept.form) : undefined;
    return form && { form, at: isRecord(kept) && typeof kept.at === 'number' ? kept.at : 0 };
  } catch {
    return undefined;
  }
}

/** What was being written when pages were left, the latest first; what cannot be read is none. */
export function keptForms(storage: DraftStorage): readonly Form[] {
  const names = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
  return names
    .filter((name) => name.startsWith(PREFIX))
    .flatMap((name) => readKept(storage.getItem(name)) ?? [])
    .toSorted((a, b) => b.at - a.at)
    .map(({ form }) => form);
}

/** The draft of a tab where it has one, else the latest. */
export function keptForm(storage: DraftStorage, key?: string): Form | undefined {
  const forms = keptForms(storage);
  return forms.find((form) => form.key === key) ?? forms[0];
}

/** False: this browser keeps nothing, and the draft lives as long as the page. */
export function keepForm(storage: DraftStorage, form: Form, at = Date.now()): boolean {
  try {
    storage.setItem(PREFIX + form.key, JSON.stringify({ form, at }));
    return true;
  } catch {
    return false;
  }
}

export function forgetForm(storage: DraftStorage, { key }: Pick<Form, 'key'>): void {
  try {
    storage.removeItem(PREFIX + key);
  } catch {
    // Nothing was kept then.
  }
}

/** What another tab made of a draft: other words, or none because it was created or discarded; undefined: of others. */
export function toldOf(
  { key }: Pick<Form, 'key'>,
  told: { readonly key: string | null; readonly newValue: string | null },
): Form | 'gone' | undefined {
  if (told.key !== null && told.key !== PREFIX + key) return undefined;
  return readKept(told.newValue)?.form ?? 'gone';
}
