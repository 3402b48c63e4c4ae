import { AsyncLocalStorage } from 'node:async_hooks';

/** What happens in a span, by OpenTelemetry's conventions. */
export type Attributes = Record<string, string | number>;
export type SpanKind = 'server' | 'client' | 'job';

/** A span that is under way. It must hold nothing of users: no ids, bodies, queries or parameters. */
export interface Span {
  readonly traceId: string;
  /** As the header of W3C says it. */
  readonly traceparent: string;
  /** False once it has ended, and when it has as many children as a span may have. */
  readonly takesChildren: boolean;
  child(name: string, kind: SpanKind, attributes: Attributes): Span;
  /** Ends the span. `name` replaces its first name; `failed` marks it as an error. */
  end(result?: { name?: string; attributes?: Attributes; failed?: boolean }): void;
}

/** What a span belongs to that began elsewhere: its parent, or, where that is not trusted or of another unit of work, a link. */
export interface Origin {
  parent?: string | undefined;
  link?: string | undefined;
}

export interface Tracer {
  root(name: string, kind: SpanKind, origin: Origin): Span;
  /** Exports what has ended. */
  close(): Promise<void>;
}

const storage = new AsyncLocalStorage<Span>();
let tracer: Tracer | null = null;

/** Null switches tracing off. */
export const useTracer = (used: Tracer | null): void => void (tracer = used);

/** Null while tracing is off. OpenTelemetry is not loaded then, and the functions below return after this check. */
export const currentTracer = (): Tracer | null => tracer;

/** The span in which this runs. */
export const currentSpan = (): Span | undefined => (tracer ? storage.getStore() : undefined);

export const runInSpan = <T>(span: Span, work: () => T): T => storage.run(span, work);

/** Runs work that serves many requests, such as a loop that one of them happens to start, outside of the current span. */
export const outsideOfSpans = <T>(work: () => T): T => (tracer ? storage.exit(work) : work());

/** Runs the work in a child of the current span. Without one, or when it has ended or has as many children as it takes, the work runs without a span. */
export function traced<T>(name: string, kind: SpanKind, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  const parent = currentSpan();
  return parent?.takesChildren ? runAndEnd(parent.child(name, kind, attributes), work) : work();
}

/** Runs the work in this span, which ends with it. */
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
