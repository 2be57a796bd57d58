import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { ItemState, Rejection } from '../../core/index.ts';
import { isStoreError, type Store } from '../../store/index.ts';

/** A refusal as it is on every surface, with the codes that only this one has. */
export type Refusal = Pick<Rejection, 'message' | 'expected' | 'found' | 'next'> & { readonly code: string };

const text = (value: object): CallToolResult['content'] => [{ type: 'text', text: JSON.stringify(value) }];

/** The answer of a tool: JSON in one text, for models read text and programs can parse it. */
export const said = (value: object): CallToolResult => ({ content: text(value) });

/** A refusal is a tool error, so that the model sees code and advice and may correct itself. */
export const refused = ({ code, message, expected, found, next }: Refusal): CallToolResult => ({
  content: text({ code, message, expected, found, next }),
  isError: true,
});

export const itemNotFound = (id: string): Refusal => ({
  code: 'item_not_found',
  message: `There is no item ${id}.`,
  next: 'list_items names what there is.',
});

/** Turns what the store could not do into a refusal; of our own defects the caller hears no more than that. */
export const failureOf = (error: unknown): Refusal =>
  isStoreError(error)
    ? { code: error.code, message: error.message, ...(error.code === 'store_busy' ? { next: 'Try again.' } : {}) }
    : { code: 'internal', message: 'The server failed at this call.' };

/** Runs a tool; whatever it throws becomes a tool error. */
export const guarded = (work: () => Promise<CallToolResult>): Promise<CallToolResult> =>
  work().catch((error: unknown) => refused(failureOf(error)));

/** Runs a tool on the state of an item; refuses where there is none. */
export async function withItem(
  store: Store,
  id: string,
  work: (state: ItemState) => CallToolResult | Promise<CallToolResult>,
): Promise<CallToolResult> {
  const state = await store.load(id);
  return state ? work(state) : refused(itemNotFound(id));
}
