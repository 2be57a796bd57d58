import type { InboxLine } from '../../../src/client/index.ts';

/** Names a line in lists and in the address: `ITEM/r2`, `ITEM/hold`. */
export const keyOf = ({ item, request }: InboxLine): string => `${item.id}/${request?.id ?? 'hold'}`;

/** Since when it waits; epoch milliseconds. */
export const sinceOf = ({ request, hold }: InboxLine): number => request?.openedAt ?? hold?.at ?? 0;

const numberOf = ({ request }: InboxLine): number => Number(request?.id.slice(1) ?? 0);

/** Oldest first, as the server lists them. */
export function inOrder(a: InboxLine, b: InboxLine): number {
  const byItem = a.item.id < b.item.id ? -1 : Number(a.item.id > b.item.id);
  return sinceOf(a) - sinceOf(b) || byItem || numberOf(a) - numberOf(b);
}
