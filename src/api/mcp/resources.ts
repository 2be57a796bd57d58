import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { type ListResourcesResult, McpError, type ReadResourceResult } from '@modelcontextprotocol/sdk/types.js';
import type { ItemState } from '../../core/index.ts';
import type { Store } from '../../store/store.ts';
import { receiptView } from './evidence.ts';
import { failureOf, itemNotFound, type Refusal } from './result.ts';
import { itemView } from './views.ts';

const JSON_TYPE = 'application/json';
/** What the protocol has for a resource that is not there. */
const RESOURCE_NOT_FOUND = -32_002;
const INTERNAL = -32_603;
const LISTED = 50;

const uriOf = (itemId: string): string => `workcenter://items/${itemId}`;

/** Items and their receipts under addresses of their own, for clients that attach them to a conversation. */
export function resources(server: McpServer, { store }: { readonly store: Store }): void {
  const item = new ResourceTemplate(uriOf('{id}'), { list: () => listed(store) });
  const itemWords = { title: 'Item', description: 'What read_item answers.', mimeType: JSON_TYPE };
  server.registerResource('item', item, itemWords, (uri, { id }) =>
    reading(store, uri, String(id), async (state) => itemView(state)),
  );
  const receipt = new ResourceTemplate(`${uriOf('{id}')}/receipts/{criterion}`, { list: undefined });
  const receiptWords = { title: 'Receipt', description: 'The proof of one criterion.', mimeType: JSON_TYPE };
  server.registerResource('receipt', receipt, receiptWords, (uri, { id, criterion }) =>
    reading(store, uri, String(id), (state) => receiptView(store, state, String(criterion))),
  );
}

/** The newest items; the tool `list_items` has pages. */
async function listed(store: Store): Promise<ListResourcesResult> {
  const { items } = await store.list({ limit: LISTED });
  return {
    resources: items.map(({ id, title, statusSentence }) => ({
      ...{ uri: uriOf(id), name: id, title, description: statusSentence, mimeType: JSON_TYPE },
    })),
  };
}

async function reading(
  store: Store,
  uri: URL,
  id: string,
  view: (state: ItemState) => Promise<object>,
): Promise<ReadResourceResult> {
  const state = await store.load(id).catch((error: unknown) => {
    throw errorOf(INTERNAL, failureOf(error));
  });
  if (!state) throw errorOf(RESOURCE_NOT_FOUND, itemNotFound(id));
  const value = await view(state);
  if (isRefusal(value)) throw errorOf(RESOURCE_NOT_FOUND, value);
  return { contents: [{ uri: uri.href, mimeType: JSON_TYPE, text: JSON.stringify(value) }] };
}

const isRefusal = (value: object): value is Refusal => 'code' in value && 'message' in value;

/** A protocol error, for reading a resource has no other; the refusal itself is its data. */
const errorOf = (code: number, { message, ...more }: Refusal): McpError => new McpError(code, message, more);
