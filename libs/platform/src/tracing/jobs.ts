import { isTraceparent } from './propagation.js';
import { currentSpan, currentTracer, runAndEnd, type Origin } from './spans.js';

/** The key in the payload of a job under which its origin is kept. */
const KEY = 'trace_origin';

/** A payload that says what enqueues it; the same one outside of a span. */
export function withOrigin(payload: Record<string, unknown>, isInJob: boolean): Record<string, unknown> {
  const traceparent = currentSpan()?.traceparent;
  // Jobs that enqueue the next would make one trace without end: each begins its own, linked to the one before.
  return traceparent === undefined ? payload : { ...payload, [KEY]: isInJob ? { link: traceparent } : { parent: traceparent } };
}

/** The payload as it was given, and the origin that `withOrigin` had added, also where tracing is off by now. */
export function withoutOrigin(payload: Record<string, unknown> = {}): { payload: Record<string, unknown>; origin: Origin } {
  if (!(KEY in payload)) return { payload, origin: {} };
  const { [KEY]: kept, ...given } = payload;
  const { parent, link } = (kept ?? {}) as Origin;
  return { payload: given, origin: { parent: isTraceparent(parent) ? parent : undefined, link: isTraceparent(link) ? link : undefined } };
}

/** Runs an attempt at a job in a span. */
export function tracedJob<T>(name: string, origin: Origin, work: () => Promise<T>): Promise<T> {
  const tracer = currentTracer();
  return tracer ? runAndEnd(tracer.root(name, 'job', origin), work) : work();
}
