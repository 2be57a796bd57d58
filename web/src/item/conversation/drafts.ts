const key = (itemId: string): string => `workcenter.draft.${itemId}`;

/** What was typed and not sent, kept over reloads in this browser. */
export function draftOf(itemId: string): string {
  try {
    return localStorage.getItem(key(itemId)) ?? '';
  } catch {
    return '';
  }
}

export function keepDraft(itemId: string, text: string): void {
  try {
    if (text === '') localStorage.removeItem(key(itemId));
    else localStorage.setItem(key(itemId), text);
  } catch {
    // Without storage a draft lives as long as the page.
  }
}

/** Whether a change of the browser's storage, by another tab, is about it. */
export const isDraftOf = (itemId: string, changed: string | null): boolean =>
  changed === null || changed === key(itemId);
