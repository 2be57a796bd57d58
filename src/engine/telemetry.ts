import { type Attributes, SpanStatusCode, trace } from '@opentelemetry/api';

/** Spans through the OpenTelemetry API: nothing happens unless the host program registers a provider. */
const tracer = trace.getTracer('workcenter');

/** Does work inside a span; a failure is recorded on it and goes on to the caller. */
export function inSpan<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  return tracer.startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.message : String(error) });
      throw error;
    } finally {
      span.end();
    }
  });
}
