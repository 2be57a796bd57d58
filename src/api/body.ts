import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { problem } from './problem.ts';

const BODY_BYTES = 1024 * 1024;

/** Routes that take files read, count and judge their bodies themselves. */
const FILES: ReadonlySet<string> = new Set(['/api/v1/attachments']);

/** The most bytes of a body at a path; null where the route counts while it reads. */
export const bodyLimitFor = (path: string): number | null => (FILES.has(path) ? null : BODY_BYTES);

const counted = bodyLimit({
  maxSize: BODY_BYTES,
  onError: (context) => {
    const sent = context.req.header('content-length');
    const found = sent === undefined ? 'more, in pieces' : `${sent} bytes`;
    const more = { expected: `at most ${BODY_BYTES} bytes`, found, next: 'Send files to POST /api/v1/attachments.' };
    return problem(context, { code: 'body_too_large', message: 'The body is too large.', ...more });
  },
});

/** Refuses larger bodies: by what they say of themselves before they are read, and by what has come of them. */
export const limitBody: MiddlewareHandler = (context, next) =>
  bodyLimitFor(context.req.path) === null ? next() : counted(context, next);

const CHANGING: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** A body of another kind would reach a route unread; pages of other sites may send just those without asking first. */
export const jsonOnly: MiddlewareHandler = (context, next) => {
  const found = context.req.header('content-type') ?? '';
  const isJson = /^application\/json\s*(;|$)/i.test(found);
  if (isJson || FILES.has(context.req.path) || !CHANGING.has(context.req.method)) return next();
  const more = { expected: 'Content-Type: application/json', found: found || 'no Content-Type' };
  const message = 'The body has to be JSON, and to say so.';
  return Promise.resolve(problem(context, { code: 'unsupported_media_type', message, ...more }));
};
