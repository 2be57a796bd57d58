import { serveStatic } from '@hono/node-server/serve-static';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';

/** Places of the page that have an address; each is answered with the same document, which looks at the address. */
const PLACES = [
  '/',
  '/work/*',
  '/needs-you',
  '/needs-you/*',
  '/new',
  '/vps',
  '/vps/*',
  '/settings',
  '/settings/*',
  '/gallery',
];

/** Addresses of programs; whatever else somebody types into a browser is answered with the page, which says so. */
const OF_PROGRAMS = /^\/(api|mcp|docs|assets|openapi\.json|healthz|readyz|metrics)(\/|$)/;

/** Only files of ours; styles in place, because dialogs fix the scrolling of what lies behind them by one. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const AGAIN = 'no-cache';
/** Names of built files change with what is in them. */
const FOR_EVER = 'public, max-age=31536000, immutable';

const kept =
  (howLong: string): MiddlewareHandler =>
  async (context, next) => {
    await next();
    if (context.res.status === 404) return;
    context.header('Cache-Control', howLong);
    context.header('Content-Security-Policy', POLICY);
  };

/**
 * The page for people, from the folder that it was built into. It holds nothing of anybody's, so it is served before
 * anyone is asked who they are: where a token is needed, the page asks for it.
 */
export function page(app: OpenAPIHono, root: string): void {
  const files = serveStatic({ root, precompressed: true });
  app.get('/assets/*', kept(FOR_EVER), files);
  app.get('/icon.svg', kept(AGAIN), files);
  app.get('/icon-waiting.svg', kept(AGAIN), files);
  const document = serveStatic({ root, path: 'index.html', precompressed: true });
  for (const place of PLACES) app.get(place, kept(AGAIN), document);
  app.get('*', async (context, next) => {
    const isTyped = context.req.header('accept')?.includes('text/html') ?? false;
    if (!isTyped || OF_PROGRAMS.test(context.req.path)) return next();
    const response = await document(context, next);
    if (!(response instanceof Response)) return;
    const headers = {
      ...Object.fromEntries(response.headers),
      'cache-control': AGAIN,
      'content-security-policy': POLICY,
    };
    return new Response(response.body, { status: 404, headers });
  });
}
