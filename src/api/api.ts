import { OpenAPIHono } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { LOCAL_CALLER } from './access/caller.ts';
import type { ApiDeps } from './deps.ts';
import { documentOf } from './document.ts';
import { guard } from './guard.ts';
import { health } from './health.ts';
import { newMetrics } from './metrics/metrics.ts';
import { problem } from './problem.ts';
import { changeActions } from './routes/change-actions.ts';
import { changeItems } from './routes/change-items.ts';
import { contract } from './routes/contract.ts';
import { createItems } from './routes/create-items.ts';
import { readItems } from './routes/read-items.ts';
import { readRecords } from './routes/read-records.ts';
import { readWork } from './routes/read-work.ts';
import { streams } from './routes/streams.ts';

/** Larger bodies are refused before they are read; files have a route of their own. */
const BODY_BYTES = 1024 * 1024;

/** What is wrong with a request, by its place. */
function sayIssues(issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]): string {
  return issues
    .slice(0, 10)
    .map(({ path, message }) => `${path.map(String).join('.') || 'the body'}: ${message}`)
    .join('; ');
}

const CHANGING: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** A body of another kind would reach a route unread; pages of other sites may send just those without asking first. */
const jsonOnly: MiddlewareHandler = (context, next) => {
  const found = context.req.header('content-type') ?? '';
  const isJson = /^application\/json\s*(;|$)/i.test(found);
  if (isJson || !CHANGING.has(context.req.method)) return next();
  const more = { expected: 'Content-Type: application/json', found: found || 'no Content-Type' };
  const message = 'The body has to be JSON, and to say so.';
  return Promise.resolve(problem(context, { code: 'unsupported_media_type', message, ...more }));
};

/**
 * The HTTP API (D33): resources, one command of the core per change, refusals as problem documents with the codes that
 * every surface uses, live events. `closing` ends the streams.
 */
export function createApi(deps: ApiDeps, closing: AbortSignal): OpenAPIHono {
  const app = new OpenAPIHono();
  const api = new OpenAPIHono({
    defaultHook: (result, context) =>
      result.success
        ? undefined
        : problem(context, { code: 'invalid_request', message: sayIssues(result.error.issues) }),
  });
  const metrics = newMetrics(deps.store, closing);
  app.use(metrics.around);
  app.use(guard(deps.hosts));
  app.use((context, next) => {
    context.set('caller', LOCAL_CALLER);
    return next();
  });
  app.use(async (context, next) => {
    const bytes = Number(context.req.header('content-length') ?? 0);
    if (bytes <= BODY_BYTES) return next();
    const more = { expected: `at most ${BODY_BYTES} bytes`, found: `${bytes}` };
    return problem(context, { code: 'invalid_request', message: 'The body is too large.', ...more });
  });
  health(app, deps, metrics);
  api.use(jsonOnly);
  readItems(api, deps);
  readWork(api, deps);
  readRecords(api, deps);
  createItems(api, deps);
  contract(api, deps);
  changeItems(api, deps);
  changeActions(api, deps);
  streams(api, deps, closing);
  app.route('/api/v1', api);
  app.get('/openapi.json', (context) => context.json(documentOf(app, deps.version)));
  app.notFound((context) =>
    problem(context, {
      code: 'route_not_found',
      message: `There is no ${context.req.method} ${context.req.path}.`,
      next: 'GET /openapi.json lists what there is.',
    }),
  );
  app.onError((error, context) => {
    // Hono says so itself where a body is no JSON.
    if ('status' in error && error.status === 400)
      return problem(context, { code: 'invalid_request', message: error.message });
    return problem(context, { code: 'internal', message: 'The server failed at this request.' });
  });
  return app;
}
