import type { Change } from './change.ts';

/** What was typed for a change and not sent, for as long as the page is open: a closed dialog loses nothing. */
const words = new Map<string, string>();

const key = (itemId: string, actionId: string, change: Change): string => `${itemId} ${actionId} ${change}`;

export const keptWords = (itemId: string, actionId: string, change: Change): string =>
  words.get(key(itemId, actionId, change)) ?? '';

export function keepWords(itemId: string, actionId: string, change: Change, text: string): void {
  words.set(key(itemId, actionId, change), text);
}

export function forgetWords(itemId: string, actionId: string, change: Change): void {
  words.delete(key(itemId, actionId, change));
}
