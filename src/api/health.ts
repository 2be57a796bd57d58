import type { OpenAPIHono } from '@hono/zod-openapi';
import type { ApiDeps } from './deps.ts';
import type { Metrics } from './metrics/metrics.ts';
import { problem } from './problem.ts';

/** A store that needs longer than this answers nobody in time. */
const PATIENCE_MS = 3_000;

/** What is wrong with the store, in a sentence; undefined when it answers. */
async function troubleOfStore({ store }: ApiDeps): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('The store does not answer in time.'), PATIENCE_MS);
  });
  const asked = store.readSettings().then(
    () => undefined,
    () => 'The store does not answer.',
  );
  const trouble = await Promise.race([asked, late]);
  clearTimeout(timer);
  return trouble;
}

/**
 * For those who look after the process: `/healthz` says that it is there, `/readyz` that it can work, or with 503
 * `not_ready` what it lacks, and `/metrics` how it has been doing.
 */
export function health(app: OpenAPIHono, deps: ApiDeps, metrics: Metrics): void {
  app.get('/healthz', (context) => context.json({ ok: true, version: deps.version }));
  app.get('/readyz', async (context) => {
    const troubles = [await troubleOfStore(deps), ...(deps.troubles?.() ?? [])].filter((said) => said !== undefined);
    if (troubles.length === 0) return context.json({ ok: true });
    const next = 'Ask again in a moment; if it stays so, see what workcenter up printed.';
    return problem(context, { code: 'not_ready', message: troubles.join(' '), next });
  });
  app.get('/metrics', async (context) =>
    context.text(await metrics.text(), 200, { 'Content-Type': metrics.contentType }),
  );
}
