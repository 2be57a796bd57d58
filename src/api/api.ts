import { OpenAPIHono } from '@hono/zod-openapi';
import { door } from './access/door.ts';
import { jsonOnly, limitBody } from './body.ts';
import type { ApiDeps } from './deps.ts';
import { documentOf } from './document.ts';
import { failures } from './failures.ts';
import { guard } from './guard.ts';
import { headers } from './headers.ts';
import { health } from './health.ts';
import { mcpOverHttp } from './mcp/over-http.ts';
import { newMetrics } from './metrics/metrics.ts';
import { page } from './page/page.ts';
import { problem } from './problem.ts';
import { serveReference } from './reference/serve-reference.ts';
import { attachments } from './routes/attachments.ts';
import { changeActions } from './routes/change-actions.ts';
import { changeItems } from './routes/change-items.ts';
import { contents } from './routes/contents.ts';
import { contract } from './routes/contract.ts';
import { createItems } from './routes/create-items.ts';
import { inbox } from './routes/inbox.ts';
import { installation } from './routes/installation.ts';
import { readCost } from './routes/read-cost.ts';
import { readDiffs } from './routes/read-diffs.ts';
import { readItems } from './routes/read-items.ts';
import { readLiveWork } from './routes/read-live-work.ts';
import { readMachine } from './routes/read-machine.ts';
import { readOutput } from './routes/read-output.ts';
import { readRecords } from './routes/read-records.ts';
import { readTalk } from './routes/read-talk.ts';
import { readTimeline } from './routes/read-timeline.ts';
import { readWork } from './routes/read-work.ts';
import { rerunChecks } from './routes/rerun.ts';
import { settings } from './routes/settings.ts';
import { streams } from './routes/streams.ts';
import { suggest } from './routes/suggestions.ts';
import { tokens } from './routes/tokens.ts';
import { tryChecks } from './routes/trial.ts';
import { webhooks } from './routes/webhooks.ts';

/** What is wrong with a request, by its place. */
function sayIssues(issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]): string {
  return issues
    .slice(0, 10)
    .map(({ path, message }) => `${path.map(String).join('.') || 'the body'}: ${message}`)
    .join('; ');
}

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
  app.use(headers);
  app.use(guard(deps));
  if (deps.page !== undefined) page(app, deps.page);
  app.use(door(deps));
  app.use(limitBody);
  health(app, deps, metrics);
  api.use(jsonOnly);
  readItems(api, deps);
  inbox(api, deps);
  readTalk(api, deps);
  readWork(api, deps);
  readRecords(api, deps);
  readTimeline(api, deps);
  attachments(api, deps);
  contents(api, deps);
  readCost(api, deps);
  readDiffs(api, deps);
  readLiveWork(api, deps);
  readOutput(api, deps);
  readMachine(api, deps);
  settings(api, deps);
  installation(api, deps);
  tokens(api, deps);
  createItems(api, deps);
  suggest(api, deps);
  tryChecks(api, deps, closing);
  rerunChecks(api, deps, closing);
  contract(api, deps);
  changeItems(api, deps);
  changeActions(api, deps);
  webhooks(api, deps);
  metrics.watch('workcenter_streams_open', 'Event streams that are open.', streams(api, deps, closing));
  app.route('/api/v1', api);
  mcpOverHttp(app, deps, closing);
  app.get('/openapi.json', (context) => context.json(documentOf(app, deps.version)));
  serveReference(app, deps.version);
  app.notFound((context) =>
    problem(context, {
      code: 'route_not_found',
      message: `There is no ${context.req.method} ${context.req.path}.`,
      next: 'GET /openapi.json lists what there is.',
    }),
  );
  app.onError(failures(deps.report));
  return app;
}
