import type { MiddlewareHandler } from 'hono';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Store } from '../../store/store.ts';
import { httpMetrics } from './http-metrics.ts';
import { workMetrics } from './work-metrics.ts';

export interface Metrics {
  /** Goes around everything else, so that refusals of the door are counted as well. */
  readonly around: MiddlewareHandler;
  /** All figures in the text format of Prometheus. */
  readonly text: () => Promise<string>;
  readonly contentType: string;
  /** A figure that a part of the server knows by itself, read when somebody looks. */
  readonly watch: (name: string, help: string, read: () => number) => void;
}

/** Figures of one server, in a registry of its own; `closing` stops the counting. docs/service.md lists the names. */
export function newMetrics(store: Store, closing: AbortSignal): Metrics {
  const registry = new Registry();
  const stopCounting = workMetrics(registry, store);
  closing.addEventListener('abort', stopCounting, { once: true });
  let isWatchingProcess = false;
  return {
    watch(name, help, read) {
      const collect = (): void => gauge.set(read());
      const gauge = new Gauge({ name, help, registers: [registry], collect });
    },
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
