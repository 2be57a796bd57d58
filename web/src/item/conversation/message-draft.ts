import { useSyncExternalStore } from 'react';
import { browserStorage } from '../../shell/browser-storage.ts';
import { firstFree, hold, letGo } from '../../shell/claims.ts';
import { keepAt, keptAt } from '../../shell/kept.ts';
import { forgetStored, readStored, store, storedUnder } from '../../shell/stored.ts';
import type { MessageDraft } from './draft.ts';

const BLANK: MessageDraft = { text: '', files: [], quote: null, target: null };

/** A draft is that of the tab which wrote it. */
interface Own {
  readonly id: string;
  readonly draft: MessageDraft;
}

const storage = browserStorage();
const nameOf = (itemId: string, id: string): string => `workcenter.message.${itemId}.${id}`;
/** Where a tab keeps which draft is its own, over reloads. */
const mineOf = (itemId: string): string => `message.${itemId}`;

/** What cannot be read, as by another version, is blank. */
function readDraft(value: unknown): MessageDraft {
  const kept = typeof value === 'object' && value !== null ? (value as Partial<MessageDraft>) : {};
  return typeof kept.text === 'string' ? { ...BLANK, ...kept } : BLANK;
}

const blank = (id: string = crypto.randomUUID()): Own => ({ id, draft: BLANK });

const readOwn = (itemId: string, id: string): Own | undefined => {
  const kept = readStored(storage.getItem(nameOf(itemId, id)));
  return kept && { id, draft: readDraft(kept.value) };
};

const isBlank = ({ text, files, quote, target }: MessageDraft): boolean =>
  text === '' && files.length === 0 && quote === null && target === null;

const owned = new Map<string, Own>();
const listeners = new Set<() => void>();

function ownOf(itemId: string): Own {
  const known = owned.get(itemId);
  if (known) return known;
  const mine = keptAt(mineOf(itemId));
  const found = typeof mine === 'string' ? readOwn(itemId, mine) : undefined;
  const own = found ?? blank();
  owned.set(itemId, own);
  if (found) hold(nameOf(itemId, found.id));
  if (typeof mine !== 'string') void takeUp(itemId, own);
  return own;
}

/** Who opens the item anew goes on with the latest draft that no open tab is writing, unless it wrote meanwhile. */
async function takeUp(itemId: string, blankOne: Own): Promise<void> {
  const prefix = nameOf(itemId, '');
  const name = await firstFree(storedUnder(storage, prefix).map(({ id }) => prefix + id));
  if (name === undefined) return;
  const found = readOwn(itemId, name.slice(prefix.length));
  if (found && owned.get(itemId) === blankOne) become(itemId, found);
  else letGo(name);
}

function become(itemId: string, own: Own): void {
  const before = owned.get(itemId);
  if (before && before.id !== own.id) letGo(nameOf(itemId, before.id));
  if (!isBlank(own.draft)) hold(nameOf(itemId, own.id));
  owned.set(itemId, own);
  keepAt(mineOf(itemId), own.id);
  for (const listener of listeners) listener();
}

export function changeDraft(itemId: string, change: (now: MessageDraft) => Partial<MessageDraft>): void {
  const { id, draft } = ownOf(itemId);
  const next = { ...draft, ...change(draft) };
  if (isBlank(next)) forgetStored(storage, nameOf(itemId, id));
  else store(storage, nameOf(itemId, id), next);
  become(itemId, isBlank(next) ? blank() : { id, draft: next });
}

// A tab that was duplicated shows the same words; what one of the two sends or takes out is gone from both.
window.addEventListener('storage', ({ key, newValue }) => {
  for (const [itemId, { id }] of [...owned]) {
    if (key !== nameOf(itemId, id)) continue;
    const kept = readStored(newValue);
    become(itemId, kept ? { id, draft: readDraft(kept.value) } : blank());
  }
});

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useMessageDraft = (itemId: string): MessageDraft =>
  useSyncExternalStore(subscribe, () => ownOf(itemId).draft);
