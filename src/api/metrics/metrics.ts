import type { MiddlewareHandler } from 'hono';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Store } from '../../store/store.ts';
import { httpMetrics } from './http-metrics.ts';
import { workMetrics } from './work-metrics.ts';

export interface Metrics {
  /** Goes around everything else, so that refusals of the door are counted as well. */
  readonly around: MiddlewareHandler;
  /** All figures in the text format of Prometheus. */
  readonly text: () => Promise<string>;
  readonly contentType: string;
  /** The registry, for parts that have a figure of their own. */
  readonly registry: Registry;
}

/** Figures of one server, in a registry of its own; `closing` stops the counting. docs/service.md lists the names. */
export function newMetrics(store: Store, closing: AbortSignal): Metrics {
  const registry = new Registry();
  const stopCounting = workMetrics(registry, store);
  closing.addEventListener('abort', stopCounting, { once: true });
  let isWatchingProcess = false;
  return {
    registry,
    around: httpMetrics(registry),
    contentType: registry.contentType,
    text() {
      // Watching the event loop and the collector costs something: only where somebody reads it.
      if (!isWatchingProcess) collectDefaultMetrics({ register: registry });
      isWatchingProcess = true;
      return registry.metrics();
    },
  };
}
