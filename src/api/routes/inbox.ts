import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { ApiDeps } from '../deps.ts';
import { type InboxPlace, openInbox } from '../inbox/inbox-lines.ts';
import { INVALID_CURSOR } from '../paging/cursor.ts';
import { pageOf } from '../paging/page.ts';
import { problem } from '../problem.ts';
import { CAN, MORE, orNull, REQUEST } from '../schemas.ts';
import { CURSOR, json, limitOf } from './json.ts';
import { REFUSALS } from './refusals.ts';

const HOLD = z
  .object({
    code: z.string().openapi({ description: '`quarantined`: the item cannot be read.' }),
    details: z.string(),
    at: z.number().openapi({ description: 'Since when; milliseconds since 1970.' }),
    can: z.object({ resume: CAN, extend: CAN }),
  })
  .openapi('Hold', { description: 'Nothing of the item is started until a person resumes it.' });

const LINE = z
  .object({
    item: z.object({
      id: z.string(),
      title: z.string(),
      directory: z.string(),
      sentence: z.string(),
      controlVersion: z.number().int().openapi({ description: 'Send it when resuming and extending.' }),
    }),
    request: orNull(REQUEST),
    hold: orNull(HOLD),
  })
  .openapi('InboxLine', { description: 'Either a request or a hold.' });

const TOTAL = z.number().int().openapi({ description: 'How many lines there are on all pages together.' });
const PAGE = z.object({ lines: z.array(LINE), total: TOTAL, nextCursor: MORE }).openapi('InboxPage');

const requests = createRoute({
  method: 'get',
  path: '/requests',
  summary: 'What waits for a person, over all items: requests and holds, oldest first',
  request: { query: z.object({ limit: limitOf(50, 200), cursor: CURSOR }) },
  responses: { 200: json(PAGE, 'A page.'), ...REFUSALS },
});

const placeOf = ({ at, itemId, number }: InboxPlace): string => `${at} ${number} ${itemId}`;

function asPlace(position: string): InboxPlace | undefined {
  const [, at, number, itemId = ''] = /^(\d{1,16}) (\d{1,9}) (\S+)$/.exec(position) ?? [];
  return at === undefined ? undefined : { at: Number(at), number: Number(number), itemId };
}

/** One list of everything that only a person can decide. */
export function inbox(app: OpenAPIHono, { store }: ApiDeps): void {
  const read = openInbox(store);
  app.openapi(requests, async (context) => {
    let total = 0;
    const page = await pageOf({
      ...{ query: ['inbox'], ...context.req.valid('query'), at: placeOf, parse: asPlace },
      read: async (behind, limit) => {
        const waiting = await read(behind, limit);
        total = waiting.total;
        return waiting.lines;
      },
      view: ({ view }) => view,
    });
    return page ? context.json({ lines: page.views, total, ...page.more }, 200) : problem(context, INVALID_CURSOR);
  });
}
