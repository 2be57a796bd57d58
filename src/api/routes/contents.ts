import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { isBinary, isText } from '../../engine/attachments/media-type.ts';
import type { ApiDeps } from '../deps.ts';
import { type Reference, referenceOf } from '../files/references.ts';
import { sendFile } from '../files/send-file.ts';
import { type ProblemResponse, problem } from '../problem.ts';
import { FILE, FILE_HEADERS, ITEM } from './json.ts';
import { itemNotFound } from './read-items.ts';
import { REFUSALS } from './refusals.ts';

const read = createRoute({
  method: 'get',
  path: '/work-items/{id}/contents/{hash}',
  summary: 'The bytes behind a hash that the item names: logs, diffs, prompts, answers of models, attachments',
  request: {
    params: ITEM.extend({ hash: z.string().regex(/^[0-9a-f]{64}$/, 'a SHA-256 in lower-case hexadecimal') }),
    headers: FILE_HEADERS,
  },
  responses: { 200: { description: 'The bytes, or the range that was asked for (206).', content: FILE }, ...REFUSALS },
});

/** Pictures and PDF documents as what they are; all else as text, or as bytes. */
function typeOf({ mediaType }: Reference, bytes: Uint8Array): string {
  if (mediaType !== undefined && isBinary(mediaType)) return mediaType;
  return isText(bytes) ? 'text/plain; charset=utf-8' : 'application/octet-stream';
}

/** Bodies beside the events. Knowing a hash opens nothing: the item has to name it. */
export function contents(app: OpenAPIHono, { store }: ApiDeps): void {
  app.openapi(read, async (context): Promise<ProblemResponse> => {
    const { id, hash } = context.req.valid('param');
    const state = await store.load(id);
    if (!state) return itemNotFound(context, id);
    const reference = await referenceOf(store, state, hash);
    const bytes = reference && (await store.getContent(hash));
    if (bytes) return sendFile(context, { name: reference.name, mediaType: typeOf(reference, bytes), bytes, hash });
    const message = reference ? `${reference.name} is no longer kept.` : `Item ${id} names no such content.`;
    return problem(context, { code: 'content_not_found', message, found: hash });
  });
}
