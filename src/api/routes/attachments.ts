import { randomBytes } from 'node:crypto';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { MESSAGE_LIMITS } from '../../core/index.ts';
import { declaredOtherwise, isBinary, mediaTypeOf } from '../../engine/attachments/media-type.ts';
import { findUpload, keepUpload, type Upload } from '../../engine/attachments/uploads.ts';
import type { ApiDeps } from '../deps.ts';
import { saidDigests } from '../files/digest.ts';
import { sendFile } from '../files/send-file.ts';
import { takeBytes } from '../files/take-bytes.ts';
import { type ProblemResponse, problem, type Refusal } from '../problem.ts';
import { UPLOAD } from '../schemas.ts';
import { FILE, FILE_HEADERS, json } from './json.ts';
import { REFUSALS } from './refusals.ts';

const send = createRoute({
  method: 'post',
  path: '/attachments',
  summary: 'Send a file, to be named by its id in a goal, a message or an answer within a day',
  description:
    'The body is the file itself: PNG, JPEG, GIF, WebP, PDF or text in UTF-8, at most 10 MiB. Its bytes have to agree with its name and with Content-Type.',
  request: {
    query: z.object({
      name: z.string().min(1).max(1_024).openapi({ description: 'Name of the file; folders before it are left out.' }),
      sha256: z.string().max(128).optional().openapi({ description: 'What its bytes must hash to, in hexadecimal.' }),
    }),
    headers: z.object({
      'content-digest': z.string().max(1_024).optional().openapi({ description: 'The same as RFC 9530 has it.' }),
    }),
    body: { content: FILE, required: true },
  },
  responses: { 201: json(UPLOAD, 'Kept; Location is its address.'), ...REFUSALS },
});

const read = createRoute({
  method: 'get',
  path: '/attachments/{attachmentId}',
  summary: 'A file that was sent, until it expires',
  request: { params: z.object({ attachmentId: z.string().min(1).max(64) }), headers: FILE_HEADERS },
  responses: { 200: { description: 'Its bytes, or the range that was asked for (206).', content: FILE }, ...REFUSALS },
});

const UNREADABLE_DIGEST: Refusal = {
  code: 'invalid_request',
  message: 'The digest cannot be read.',
  expected: 'Content-Digest: sha-256=:BASE64:, or sha256=HEX',
};

const TOO_LARGE: Refusal = {
  code: 'attachment_limit',
  message: 'The file is too large.',
  expected: `at most ${MESSAGE_LIMITS.attachmentBytes} bytes`,
  found: 'more',
  next: 'Send a part of it, or put it into the project.',
};

/** The name alone, as it may stand in a folder; what cannot be shown becomes an underscore (chapter 4 §2.4). */
const plainName = (name: string): string => {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  return base.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '_').replace(/[. ]+$/, '');
};

const shown = ({ hash, ...upload }: Upload) => ({
  ...upload,
  sha256: hash,
  expiresAt: new Date(upload.expiresAt).toISOString(),
});

/** Text is sent as text, whatever kind it is: nobody's markup becomes a page here. */
const servedAs = (mediaType: string): string => (isBinary(mediaType) ? mediaType : 'text/plain; charset=utf-8');

const unnamed = (name: string): Refusal => ({
  ...{ code: 'invalid_field', message: 'A file needs a plain name.', found: name },
  expected: `1 to ${MESSAGE_LIMITS.attachmentNameChars} characters that a file may be named`,
});

interface Received {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

/** Reads and judges a body: its size, its digest, and that it is what it says. */
async function received(context: Context, sent: string, digests: readonly string[]): Promise<Received | Refusal> {
  const name = plainName(sent);
  if (name === '' || name.length > MESSAGE_LIMITS.attachmentNameChars) return unnamed(sent);
  const taken = await takeBytes(context.req.raw.body, MESSAGE_LIMITS.attachmentBytes);
  if (taken.type === 'too_large') return TOO_LARGE;
  const other = digests.find((digest) => digest !== taken.sha256);
  if (other !== undefined) {
    const message = 'What arrived is not what was sent.';
    return { code: 'digest_mismatch', message, expected: other, found: taken.sha256, next: 'Send the file again.' };
  }
  const mediaType = await mediaTypeOf(name, taken.bytes);
  if (typeof mediaType !== 'string') return mediaType;
  const declared = context.req.header('content-type') ?? '';
  return declaredOtherwise(name, declared, mediaType) ?? { name, bytes: taken.bytes, mediaType };
}

/** Files on their way to an item. */
export function attachments(app: OpenAPIHono, { store, access: { now } }: ApiDeps): void {
  app.openapi(send, async (context) => {
    const { name, sha256 } = context.req.valid('query');
    const digests = saidDigests(context.req.valid('header')['content-digest'], sha256);
    if (!digests) return problem(context, UNREADABLE_DIGEST);
    const file = await received(context, name, digests);
    if ('code' in file) return problem(context, file);
    const upload = await keepUpload(store, file, { id: `f${randomBytes(12).toString('hex')}`, now: now() });
    return context.json(shown(upload), 201, { Location: `/api/v1/attachments/${upload.id}` });
  });
  app.openapi(read, async (context): Promise<ProblemResponse> => {
    const { attachmentId } = context.req.valid('param');
    const upload = await findUpload(store, attachmentId, now());
    const bytes = upload && (await store.getContent(upload.hash));
    if (!bytes) {
      const message = `There is no file ${attachmentId}, or no longer.`;
      return problem(context, { code: 'attachment_not_found', message, next: 'Files of an item: …/contents/{hash}.' });
    }
    return sendFile(context, { ...upload, mediaType: servedAs(upload.mediaType), bytes });
  });
}
