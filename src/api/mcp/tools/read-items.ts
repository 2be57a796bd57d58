import { z } from 'zod';
import type { ListQuery, Store } from '../../../store/store.ts';
import type { McpDeps } from '../deps.ts';
import { evidenceView, receiptView } from '../evidence.ts';
import { refused, said, withItem } from '../result.ts';
import { type Tool, tool } from '../tool.ts';
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
export const readTools = ({ store }: McpDeps): readonly Tool[] => [
  listItems(store),
  readItem(store),
  readConversation(store),
  readEvidence(store),
];

function listItems(store: Store): Tool {
  const description = 'Items of this installation, newest first, with one sentence on where each stands.';
  const words = { name: 'list_items', title: 'List items', description, ...READS } as const;
  return tool(words, LIST, async ({ lane, search, limit, cursor }) => {
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
  });
}

function readItem(store: Store): Tool {
  const description = 'One item: goal, criteria and how each stands, cost, open requests, what may be done now.';
  const words = { name: 'read_item', title: 'Read an item', description, ...READS } as const;
  return tool(words, z.strictObject({ id: ID }), ({ id }) => withItem(store, id, (state) => said(itemView(state))));
}

function readConversation(store: Store): Tool {
  const description = 'What people and the Coordinator said about an item, in order.';
  const words = { name: 'read_conversation', title: 'Read the conversation', description, ...READS } as const;
  return tool(words, TALK, ({ id, after, limit }) =>
    withItem(store, id, async () => {
      const entries = await store.entries(id, { limit, ...(after === undefined ? {} : { after }) });
      return said({ entries: entries.map(entryView) });
    }),
  );
}

function readEvidence(store: Store): Tool {
  const description = 'The proof of each criterion: who claims it, and the receipt of the check that the engine ran.';
  const words = { name: 'read_evidence', title: 'Read the evidence', description, ...READS } as const;
  return tool(words, EVIDENCE, ({ id, criterion }) =>
    withItem(store, id, async (state) => {
      if (criterion === undefined) return said(evidenceView(state));
      const view = await receiptView(store, state, criterion);
      return 'code' in view ? refused(view) : said(view);
    }),
  );
}
