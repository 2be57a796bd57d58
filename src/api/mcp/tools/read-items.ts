import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import type { ListQuery } from '../../../store/store.ts';
import type { McpDeps } from '../deps.ts';
import { evidenceView, receiptView } from '../evidence.ts';
import { guarded, refused, said, withItem } from '../result.ts';
import { entryView, itemView, summaryView } from '../views.ts';
import { ID, READS } from './fields.ts';

const LIST = z.strictObject({
  lane: z.enum(['needs_you', 'active', 'done', 'draft']).optional(),
  search: z.string().max(200).optional().describe('Looked for in title and goal'),
  limit: z.number().int().min(1).max(50).default(20),
  cursor: z.string().max(500).optional().describe('nextCursor of the page before'),
});

const TALK = z.strictObject({
  id: ID,
  after: z.number().int().min(0).optional().describe('seq behind which to read; without it, the last entries'),
  limit: z.number().int().min(1).max(50).default(10),
});

const EVIDENCE = z.strictObject({
  id: ID,
  criterion: z.string().max(64).optional().describe('Such as c1: its whole receipt and the end of its log'),
});

/** What a client may read: `list_items`, `read_item`, `read_conversation`, `read_evidence`. */
export function readTools(server: McpServer, deps: McpDeps): void {
  listItems(server, deps);
  readItem(server, deps);
  readConversation(server, deps);
  readEvidence(server, deps);
}

function listItems(server: McpServer, { store }: McpDeps): void {
  const description = 'Items of this installation, newest first, with one sentence on where each stands.';
  const config = { title: 'List items', description, inputSchema: LIST, annotations: READS };
  server.registerTool('list_items', config, ({ lane, search, limit, cursor }) =>
    guarded(async () => {
      const query: ListQuery = {
        limit,
        ...(lane === undefined ? {} : { lane }),
        ...(search === undefined ? {} : { search }),
        ...(cursor === undefined ? {} : { cursor }),
      };
      const page = await store.list(query).catch((error: unknown) => {
        if (error instanceof RangeError) return undefined;
        throw error;
      });
      if (!page) return refused({ code: 'invalid_request', message: 'The cursor is not of this list.' });
      const { items, counts, nextCursor } = page;
      return said({ items: items.map(summaryView), counts, nextCursor });
    }),
  );
}

function readItem(server: McpServer, { store }: McpDeps): void {
  const description = 'One item: goal, criteria and how each stands, cost, open requests, what may be done now.';
  const config = { title: 'Read an item', description, inputSchema: z.strictObject({ id: ID }), annotations: READS };
  server.registerTool('read_item', config, ({ id }) => withItem(store, id, (state) => said(itemView(state))));
}

function readConversation(server: McpServer, { store }: McpDeps): void {
  const description = 'What people and the Coordinator said about an item, in order.';
  const config = { title: 'Read the conversation', description, inputSchema: TALK, annotations: READS };
  server.registerTool('read_conversation', config, ({ id, after, limit }) =>
    withItem(store, id, async () => {
      const entries = await store.entries(id, { limit, ...(after === undefined ? {} : { after }) });
      return said({ entries: entries.map(entryView) });
    }),
  );
}

function readEvidence(server: McpServer, { store }: McpDeps): void {
  const description = 'The proof of each criterion: who claims it, and the receipt of the check that the engine ran.';
  const config = { title: 'Read the evidence', description, inputSchema: EVIDENCE, annotations: READS };
  server.registerTool('read_evidence', config, ({ id, criterion }) =>
    withItem(store, id, async (state) => {
      if (criterion === undefined) return said(evidenceView(state));
      const view = await receiptView(store, state, criterion);
      return 'code' in view ? refused(view) : said(view);
    }),
  );
}
