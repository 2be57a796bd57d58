import type { OpenAPIHono } from '@hono/zod-openapi';
import { documentOf } from '../document.ts';
import { referencePage } from './page.ts';
import { STYLE } from './style.ts';

/** No script, nothing from elsewhere, in nobody's frame. */
const POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** `/docs`: what `/openapi.json` says, to be read by people. */
export function serveReference(app: OpenAPIHono, version: string): void {
  let page: string | undefined;
  app.get('/docs', (context) => {
    page ??= referencePage(documentOf(app, version));
    return context.html(page, 200, { 'Content-Security-Policy': POLICY });
  });
  app.get('/docs/style.css', (context) => context.body(STYLE, 200, { 'Content-Type': 'text/css; charset=utf-8' }));
}
