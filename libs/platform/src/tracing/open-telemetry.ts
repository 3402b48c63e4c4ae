import {
  ROOT_CONTEXT,
  SpanKind as Kind,
  SpanStatusCode,
  trace,
  type Context,
  type Span as OtelSpan,
  type SpanContext,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Attributes, Origin, Span, SpanKind, Tracer } from './spans.js';

const EXPORT_TIMEOUT_MS = 5_000;
const EXPORT_EVERY_MS = 1_000;
/**
 * Maximum number of spans that wait for export. More are dropped while the receiver is unavailable.
 */
const MOST_WAITING = 2_048;
/** Maximum number of children of a span. More are not recorded. */
const MOST_CHILDREN = 200;
const KINDS: Record<SpanKind, Kind> = { server: Kind.SERVER, client: Kind.CLIENT, job: Kind.CONSUMER };

export interface ExportOptions {
  service: string;
  /** The base address of the receiver. */
  endpoint: string;
  /** The share of traces that are recorded. */
  ratio: number;
}

/**
 * Creates a tracer that exports spans by OTLP over HTTP, as JSON, to `endpoint` + `/v1/traces`
 * every second. It records the share `ratio` of the traces that begin here; a span with a parent is
 * recorded if the parent was. While the receiver is unavailable, spans above 2,048 are dropped. The
 * exporter itself reads `OTEL_EXPORTER_OTLP_HEADERS`.
 */
export function openTelemetry({ service, endpoint, ratio }: ExportOptions): Tracer {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: EXPORT_TIMEOUT_MS });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        scheduledDelayMillis: EXPORT_EVERY_MS,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
        maxQueueSize: MOST_WAITING,
      }),
    ],
  });
  const tracer = provider.getTracer('platform');
  const start = (name: string, kind: SpanKind, context: Context, attributes: Attributes, link?: SpanContext): Span =>
    spanOf(
      tracer.startSpan(name, { kind: KINDS[kind], attributes, links: link ? [{ context: link }] : [] }, context),
      (span, child, kindOfChild, its) => start(child, kindOfChild, trace.setSpan(ROOT_CONTEXT, span), its),
    );
  return {
    root: (name, kind, { parent, link }: Origin) =>
      start(
        name,
        kind,
        parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, remote(parent)),
        {},
        link === undefined ? undefined : remote(link),
      ),
    close: () => provider.shutdown(),
  };
}

type StartChild = (span: OtelSpan, name: string, kind: SpanKind, attributes: Attributes) => Span;

function spanOf(span: OtelSpan, startChild: StartChild): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  let children = 0;
  let hasEnded = false;
  return {
    traceId,
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    get takesChildren() {
      return !hasEnded && children < MOST_CHILDREN;
    },
    child: (name, kind, attributes) => {
      children++;
      return startChild(span, name, kind, attributes);
    },
    end: ({ name, attributes, failed } = {}) => {
      hasEnded = true;
      if (name !== undefined) span.updateName(name);
      if (attributes) span.setAttributes(attributes);
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** Context of a span in another process. `traceparent` must be well-formed. */
function remote(traceparent: string): SpanContext {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  return { traceId, spanId, traceFlags: parseInt(flags, 16) & 1, isRemote: true };
}
