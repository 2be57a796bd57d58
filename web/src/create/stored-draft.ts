import { type BrowserStorage, forgetStored, readStored, store, storedUnder } from '../shell/stored.ts';
import { blankForm, type Form } from './form.ts';

const PREFIX = 'workcenter.new.';

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

/** What was being written when pages were left, the latest first; what cannot be read is none. */
export const keptForms = (storage: BrowserStorage): readonly Form[] =>
  storedUnder(storage, PREFIX).flatMap(({ value }) => readForm(value) ?? []);

/** The draft of a tab. Those of others are no one's to take over unasked: there it may still be written. */
export const keptForm = (storage: BrowserStorage, key: string): Form | undefined =>
  keptForms(storage).find((form) => form.key === key);

/** False: this browser keeps nothing, and the draft lives as long as the page. */
export const keepForm = (storage: BrowserStorage, form: Form, at?: number): boolean =>
  store(storage, PREFIX + form.key, form, at);

export const forgetForm = (storage: BrowserStorage, { key }: Pick<Form, 'key'>): void =>
  forgetStored(storage, PREFIX + key);

/** What another tab made of a draft: other words, or none because it was created or discarded; undefined: of others. */
export function toldOf(
  { key }: Pick<Form, 'key'>,
  told: { readonly key: string | null; readonly newValue: string | null },
): Form | 'gone' | undefined {
  if (told.key !== null && told.key !== PREFIX + key) return undefined;
  return readForm(readStored(told.newValue)?.value) ?? 'gone';
}
