import type { ServiceConfig } from '../config.js';
import { currentTracer, useTracer } from './spans.js';

/** Loads OpenTelemetry where there is somebody to export to. */
export async function startTracing(
  service: string,
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio }: ServiceConfig,
): Promise<void> {
  if (!endpoint) return;
  const { openTelemetry } = await import('./open-telemetry.js');
  useTracer(openTelemetry({ service, endpoint, ratio }));
}

/** Exports what is left. A receiver that is away is no fault of the service. */
export async function stopTracing(): Promise<void> {
  const tracer = currentTracer();
  useTracer(null);
  await tracer?.close().catch(() => undefined);
}
