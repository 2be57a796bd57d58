import { keepAt, keptAt } from '../../shell/kept.ts';
import type { Change } from './change.ts';

const key = (itemId: string, actionId: string, change: Change): string => `action.${itemId}.${actionId}.${change}`;

/** What was typed for a change and not sent: a closed dialog and a reload lose nothing. */
export function keptWords(itemId: string, actionId: string, change: Change): string {
  const words = keptAt(key(itemId, actionId, change));
  return typeof words === 'string' ? words : '';
}

export const keepWords = (itemId: string, actionId: string, change: Change, text: string): void =>
  keepAt(key(itemId, actionId, change), text === '' ? undefined : text);

export const forgetWords = (itemId: string, actionId: string, change: Change): void =>
  keepAt(key(itemId, actionId, change), undefined);
