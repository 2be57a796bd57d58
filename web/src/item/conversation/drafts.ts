const key = (itemId: string): string => `workcenter.draft.${itemId}`;

/** What was typed for an answer and not sent, kept over reloads in this browser. */
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
