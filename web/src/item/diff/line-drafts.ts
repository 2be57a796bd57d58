import { useSyncExternalStore } from 'react';

/** What is being written about lines, by their keys; an empty one is a box that was opened. */
export type LineDrafts = Readonly<Record<string, string>>;

const NONE: LineDrafts = {};
const key = (itemId: string): string => `workcenter.lineDrafts.${itemId}`;
const kept = new Map<string, LineDrafts>();
const listeners = new Set<() => void>();

const isTexts = (value: unknown): value is LineDrafts =>
  typeof value === 'object' && value !== null && Object.values(value).every((text) => typeof text === 'string');

function load(itemId: string): LineDrafts {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key(itemId)) ?? 'null');
    return isTexts(stored) ? stored : NONE;
  } catch {
    return NONE;
  }
}

function draftsOf(itemId: string): LineDrafts {
  const known = kept.get(itemId) ?? load(itemId);
  kept.set(itemId, known);
  return known;
}

function become(itemId: string, drafts: LineDrafts): void {
  kept.set(itemId, drafts);
  try {
    if (Object.keys(drafts).length === 0) localStorage.removeItem(key(itemId));
    else localStorage.setItem(key(itemId), JSON.stringify(drafts));
  } catch {
    // Without storage a draft lives as long as the page.
  }
  for (const listener of listeners) listener();
}

export const writeLineDraft = (itemId: string, line: string, text: string): void =>
  become(itemId, { ...draftsOf(itemId), [line]: text });

/** Words that come back to a line; what is being written there stays, before them. */
export const addToLineDraft = (itemId: string, line: string, text: string): void =>
  writeLineDraft(itemId, line, [draftsOf(itemId)[line]?.trimEnd(), text].filter(Boolean).join('\n\n'));

export function dropLineDraft(itemId: string, line: string): void {
  const { [line]: _gone, ...others } = draftsOf(itemId);
  become(itemId, others);
}

/** Opens a box at a line; what was written there before is still in it. */
export const openLineDraft = (itemId: string, line: string): void =>
  writeLineDraft(itemId, line, draftsOf(itemId)[line] ?? '');

// What another tab writes stands here, too; else this one would write over it with what it knows.
window.addEventListener('storage', ({ key: name }) => {
  for (const itemId of [...kept.keys()]) if (name === null || name === key(itemId)) kept.delete(itemId);
  for (const listener of listeners) listener();
});

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useLineDrafts = (itemId: string): LineDrafts => useSyncExternalStore(subscribe, () => draftsOf(itemId));
