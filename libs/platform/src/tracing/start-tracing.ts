import type { ServiceConfig } from '../config.js';
import { currentTracer, useTracer } from './spans.js';

/** Starts tracing if an endpoint is configured. OpenTelemetry is loaded only then. */
export async function startTracing(
  service: string,
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio }: ServiceConfig,
): Promise<void> {
  if (!endpoint) return;
  const { openTelemetry } = await import('./open-telemetry.js');
  useTracer(openTelemetry({ service, endpoint, ratio }));
}

/** Exports the remaining spans. An unreachable receiver is not an error. */
export async function stopTracing(): Promise<void> {
  const tracer = currentTracer();
  useTracer(null);
  await tracer?.close().catch(() => undefined);
}
