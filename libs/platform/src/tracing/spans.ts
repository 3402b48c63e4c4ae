import { AsyncLocalStorage } from 'node:async_hooks';

/** Attributes of a span, with the names of OpenTelemetry's conventions. */
export type Attributes = Record<string, string | number>;
export type SpanKind = 'server' | 'client' | 'job';

/**
 * A span that has not ended. It must contain no data of users: no ids, bodies, queries or
 * parameters.
 */
export interface Span {
  readonly traceId: string;
  /** Value of the W3C header `traceparent`. */
  readonly traceparent: string;
  /** False if the span has ended, or has the maximum number of children. */
  readonly takesChildren: boolean;
  child(name: string, kind: SpanKind, attributes: Attributes): Span;
  /** Ends the span. `name` replaces its first name; `failed` marks it as an error. */
  end(result?: { name?: string; attributes?: Attributes; failed?: boolean }): void;
}

/**
 * The earlier span that caused a root span: its parent, or only a link if the earlier span is not
 * trusted or belongs to another unit of work.
 */
export interface Origin {
  parent?: string | undefined;
  link?: string | undefined;
}

export interface Tracer {
  root(name: string, kind: SpanKind, origin: Origin): Span;
  /** Exports the remaining spans. */
  close(): Promise<void>;
}

const storage = new AsyncLocalStorage<Span>();
let tracer: Tracer | null = null;

/** Sets the tracer of this process. Null switches tracing off. */
export const useTracer = (used: Tracer | null): void => void (tracer = used);

/**
 * The tracer of this process; null while tracing is off. OpenTelemetry is not loaded then, and the
 * functions below do nothing more than this check.
 */
export const currentTracer = (): Tracer | null => tracer;

/** The span of the current work; undefined outside of a span and while tracing is off. */
export const currentSpan = (): Span | undefined => (tracer ? storage.getStore() : undefined);

export const runInSpan = <T>(span: Span, work: () => T): T => storage.run(span, work);

/**
 * Runs work outside of the current span, such as a loop that one request starts and many requests
 * share.
 */
export const runOutsideSpans = <T>(work: () => T): T => (tracer ? storage.exit(work) : work());

/**
 * Runs the work in a child of the current span, and returns its result. If there is no span, or it
 * takes no more children, the work runs without a span.
 */
export function traced<T>(name: string, kind: SpanKind, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  const parent = currentSpan();
  return parent?.takesChildren ? runAndEnd(parent.child(name, kind, attributes), work) : work();
}

/**
 * Runs the work in this span, ends the span, and returns the result. If the work fails, marks the
 * span as failed and throws the error.
 */
export async function runAndEnd<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    const result = await runInSpan(span, work);
    span.end();
    return result;
  } catch (error) {
    span.end({ failed: true });
    throw error;
  }
}
