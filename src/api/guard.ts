import type { MiddlewareHandler } from 'hono';
import { problem } from './problem.ts';

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Who may speak to a server on loopback: a page of another site reaches the port too. A foreign `Host` is a name that
 * was made to point here (DNS rebinding); a foreign `Origin` is somebody else's page (CSRF). Programs send no `Origin`.
 */
export function guard(hosts: () => readonly string[]): MiddlewareHandler {
  return async (context, next) => {
    const known = hosts();
    const host = context.req.header('host') ?? '';
    if (!known.includes(host.toLowerCase())) {
      const more = { expected: known.join(', '), found: host };
      return problem(context, { code: 'foreign_host', message: 'This server is not known under that name.', ...more });
    }
    const origin = context.req.header('origin');
    const isOurs = origin === undefined || known.some((name) => origin.toLowerCase() === `http://${name}`);
    const site = context.req.header('sec-fetch-site');
    const isForeign = !isOurs || (site !== undefined && site !== 'same-origin' && site !== 'none');
    if (isForeign && !(SAFE.has(context.req.method) && origin === undefined && site === undefined)) {
      const found = origin ?? `a request of another site (${site})`;
      return problem(context, { code: 'foreign_origin', message: 'Pages of other sites may not speak to it.', found });
    }
    await next();
    context.header('X-Content-Type-Options', 'nosniff');
    context.header('Cross-Origin-Resource-Policy', 'same-origin');
    context.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
    context.header('Referrer-Policy', 'no-referrer');
    return undefined;
  };
}
