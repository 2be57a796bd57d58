import { keepAt, keptAt } from '../../shell/kept.ts';

const key = (itemId: string): string => `workcenter.draft.${itemId}`;
const own = (itemId: string): string => `answer.${itemId}`;

function shared(itemId: string): string {
  try {
    return localStorage.getItem(key(itemId)) ?? '';
  } catch {
    return '';
  }
}

/**
 * What was typed for an answer and not sent. A tab that wrote, or put away, has words of its own; another begins with
 * those that were written last in this browser.
 */
export function draftOf(itemId: string): string {
  const mine = keptAt(own(itemId));
  return typeof mine === 'string' ? mine : shared(itemId);
}

/** Words that are sent or put away go from here; those that another tab wrote since stay where they are. */
export function keepDraft(itemId: string, text: string): void {
  const isOurs = shared(itemId) === draftOf(itemId);
  keepAt(own(itemId), text);
  try {
    if (text !== '') localStorage.setItem(key(itemId), text);
    else if (isOurs) localStorage.removeItem(key(itemId));
  } catch {
    // Without storage a draft lives as long as the page.
  }
}
