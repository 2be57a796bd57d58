import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import { Histogram, type Registry } from 'prom-client';

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const BUCKETS_SEC = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/**
 * Times answers by the pattern of their route: addresses that clients make up are one series, not many. A stream
 * counts when it begins.
 */
export function httpMetrics(registry: Registry): MiddlewareHandler {
  const durations = new Histogram({
    name: 'workcenter_http_request_duration_seconds',
    help: 'Time until an answer began.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_SEC,
    registers: [registry],
  });
  return async (context, next) => {
    const startMs = performance.now();
    await next();
    const { method } = context.req;
    const pattern = routePath(context, -1);
    const labels = {
      method: METHODS.has(method) ? method : 'other',
      route: pattern.endsWith('*') ? 'none' : pattern,
      status: context.res.status,
    };
    durations.observe(labels, (performance.now() - startMs) / 1_000);
  };
}
