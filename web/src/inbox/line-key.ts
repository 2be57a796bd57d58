import type { InboxLine } from '../../../src/client/index.ts';

/** Names a line in lists and in the address: `ITEM/r2`, `ITEM/hold`. */
export const keyOf = ({ item, request }: InboxLine): string => `${item.id}/${request?.id ?? 'hold'}`;

/** Since when it waits; epoch milliseconds. */
export const sinceOf = ({ request, hold }: InboxLine): number => request?.openedAt ?? hold?.at ?? 0;
