import type { MiddlewareHandler } from 'hono';

/** Nothing that is answered here is a page unless its route says so. */
const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'private, no-cache',
};

/** Every answer carries them, refusals too; a route that needs another value sets its own, and it stands. */
export const headers: MiddlewareHandler = async (context, next) => {
  await next();
  for (const [name, value] of Object.entries(HEADERS)) {
    if (!context.res.headers.has(name)) context.header(name, value);
  }
};
