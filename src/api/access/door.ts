import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import type { ApiDeps } from '../deps.ts';
import { type ProblemResponse, problem, type Refusal } from '../problem.ts';
import { authenticate } from './authenticate.ts';
import { type Caller, LOCAL_CALLER, NOBODY } from './caller.ts';
import { type Meter, metersOf } from './rate-limits.ts';
import { needOf } from './route-scopes.ts';
import { allows, type Scope } from './scopes.ts';
import { holdsToken } from './token.ts';

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD']);

const MISSING: Refusal = {
  code: 'token_missing',
  message: 'This server asks for a token.',
  expected: 'Authorization: Bearer wc_ID_SECRET',
  found: 'no Authorization',
  next: 'workcenter token add NAME, on the machine of the server, prints one.',
};

/** URLs end up in logs, histories and the headers of other requests. */
const IN_URL: Refusal = {
  code: 'token_in_url',
  message: 'A token does not belong in a URL; consider this one known to others.',
  expected: 'Authorization: Bearer wc_ID_SECRET',
  next: 'workcenter token revoke NAME, then make another one.',
};

const isInUrl = (url: string): boolean => holdsToken(url) || /[?&](access_)?token=/i.test(url);

/** Where a request came from; nothing when it came over no socket. */
const addressOf = ({ env }: Context): string => {
  const { incoming } = (env ?? {}) as Partial<HttpBindings>;
  return incoming?.socket.remoteAddress ?? 'nowhere';
};

function tooMany(context: Context, afterMs: number): ProblemResponse {
  const seconds = Math.ceil(afterMs / 1_000);
  context.header('Retry-After', String(seconds));
  const message = 'Too many requests in so short a time.';
  return problem(context, { code: 'rate_limited', message, next: `Try again in ${seconds} s.` });
}

function tooSmall(context: Context, needed: Scope, { scopes }: Caller): ProblemResponse {
  context.header('WWW-Authenticate', `Bearer realm="workcenter", error="insufficient_scope", scope="${needed}"`);
  const more = { expected: needed, found: scopes.join(', ') || 'none' };
  const next = `workcenter token add NAME --scope ${needed}`;
  return problem(context, { code: 'scope_too_small', message: 'The scope of this token is too small.', ...more, next });
}

/** What outlasts an item is a person's, like what an item needs a person for; there the core says so (D16). */
const NOT_AN_AGENTS: Refusal = {
  code: 'user_required',
  message: "This needs a person's authority.",
  expected: 'a user principal',
  found: 'agent',
  next: 'Ask your person to do it.',
};

/** A wrong token may be a guess: few are answered, and none of them keeps the holder of a right one out. */
async function unnamed(context: Context, refusal: Refusal, meter: Meter): Promise<ProblemResponse> {
  const afterMs = await meter(addressOf(context));
  if (afterMs !== undefined) return tooMany(context, afterMs);
  const error = refusal === MISSING ? '' : ', error="invalid_token"';
  context.header('WWW-Authenticate', `Bearer realm="workcenter"${error}`);
  return problem(context, refusal);
}

/**
 * Who a request is from, and whether they may send it. A token that is sent is judged, also where none is needed;
 * whoever sends none is the person at this machine where that is enough (D16), and otherwise may only ask for health.
 */
export function door({ store, access }: Pick<ApiDeps, 'store' | 'access'>): MiddlewareHandler {
  const meters = metersOf(access.limits);
  const withoutToken = access.requireToken ? NOBODY : LOCAL_CALLER;
  return async (context, next) => {
    const { method, path, url } = context.req;
    if (isInUrl(url)) return problem(context, IN_URL);
    const header = context.req.header('authorization');
    const named = header === undefined ? undefined : await authenticate(header, { store, ...access });
    if (named?.type === 'refused') return unnamed(context, named.refusal, meters.failures);
    const caller = named?.caller ?? withoutToken;
    const need = needOf(method, path);
    if (need !== 'open' && caller === NOBODY) return unnamed(context, MISSING, meters.reads);
    if (need !== 'open' && !allows(caller.scopes, need)) return tooSmall(context, need, caller);
    if (need === 'admin' && caller.principal.kind !== 'user') return problem(context, NOT_AN_AGENTS);
    if (caller !== LOCAL_CALLER) {
      const meter = READING.has(method) ? meters.reads : meters.writes;
      const afterMs = await meter(caller.tokenId ?? addressOf(context));
      if (afterMs !== undefined) return tooMany(context, afterMs);
    }
    context.set('caller', caller);
    return next();
  };
}
