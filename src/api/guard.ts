import { isIP } from 'node:net';
import type { Context, MiddlewareHandler } from 'hono';
import type { ApiDeps } from './deps.ts';
import { problem } from './problem.ts';

type Known = Pick<ApiDeps, 'hosts' | 'access'>;

const withoutPort = (host: string): string => host.replace(/:\d{1,5}$/, '');
const withoutBrackets = (host: string): string => host.replace(/^\[(.+)\]$/, '$1');
const isAddress = (host: string): boolean => isIP(withoutBrackets(withoutPort(host))) !== 0;

const isAllowed = (host: string, { access: { allowHosts } }: Known): boolean =>
  allowHosts.includes(host) || allowHosts.includes(withoutPort(host));

/** A name can be made to point here, an address cannot. */
const isKnown = (host: string, known: Known): boolean =>
  known.hosts().includes(host) || isAllowed(host, known) || (known.access.anyAddress && isAddress(host));

/** A page of this server, or of a proxy before it, which may speak TLS and may hide the name that it was asked under. */
function isOurs(origin: string, host: string, known: Known): boolean {
  const [, scheme, from] = /^(https?):\/\/([^/]+)$/.exec(origin) ?? [];
  if (scheme === undefined || from === undefined) return false;
  return isAllowed(from, known) || (scheme === 'http' && from === host);
}

/** A link on another page leads here; that page learns nothing of the answer. */
const isNavigation = ({ req }: Context): boolean =>
  req.method === 'GET' && req.header('sec-fetch-mode') === 'navigate' && req.header('sec-fetch-dest') === 'document';

/** What shows that a page of another site sends this; browsers cannot be made to leave it out of a change. */
function foreignOf(context: Context, host: string, known: Known): string | undefined {
  const { req } = context;
  const origin = req.header('origin')?.toLowerCase();
  const site = req.header('sec-fetch-site');
  if (origin !== undefined && !isOurs(origin, host, known)) return origin;
  if (site === undefined || site === 'same-origin' || site === 'none' || isNavigation(context)) return undefined;
  return `a request of another site (${site})`;
}

/**
 * Which requests are meant for this server: a page of another site reaches the port too. A foreign `Host` is a name
 * that was made to point here (DNS rebinding); a foreign `Origin` is somebody else's page (CSRF). Programs send none.
 */
export function guard(known: Known): MiddlewareHandler {
  return async (context, next) => {
    const host = (context.req.header('host') ?? '').toLowerCase();
    if (!isKnown(host, known)) {
      const expected = [...known.hosts(), ...known.access.allowHosts].join(', ');
      const more = { expected, found: host, next: 'workcenter up --allow-host NAME, where a proxy sends requests on.' };
      return problem(context, { code: 'foreign_host', message: 'This server is not known under that name.', ...more });
    }
    const found = foreignOf(context, host, known);
    if (found === undefined) return next();
    return problem(context, { code: 'foreign_origin', message: 'Pages of other sites may not speak to it.', found });
  };
}
