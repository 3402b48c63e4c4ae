import { isTraceparent } from './propagation.js';
import { currentSpan, currentTracer, runAndEnd, type Origin } from './spans.js';

/** Key in the payload of a job under which the origin of its trace is stored. */
const KEY = 'trace_origin';

/**
 * Adds the current span to the payload of a job that is enqueued, so that the job continues its
 * trace. A job that is enqueued in a job begins its own trace, with a link to this one. Returns the
 * payload unchanged outside of a span.
 */
export function withOrigin(payload: Record<string, unknown>, isInJob: boolean): Record<string, unknown> {
  const traceparent = currentSpan()?.traceparent;
  // Jobs that enqueue the next job would make an endless trace. So each begins its own trace,
  // linked to the previous one.
  return traceparent === undefined
    ? payload
    : { ...payload, [KEY]: isInJob ? { link: traceparent } : { parent: traceparent } };
}

/**
 * Splits the payload of a job into the original one and the origin that `withOrigin` added, which
 * is empty if there is none. Works also if tracing is off now.
 */
export function withoutOrigin(payload: Record<string, unknown> = {}): {
  payload: Record<string, unknown>;
  origin: Origin;
} {
  if (!(KEY in payload)) return { payload, origin: {} };
  const { [KEY]: kept, ...given } = payload;
  const { parent, link } = (kept ?? {}) as Origin;
  return {
    payload: given,
    origin: { parent: isTraceparent(parent) ? parent : undefined, link: isTraceparent(link) ? link : undefined },
  };
}

/** Runs one attempt of a job, in a span if tracing is on. */
export function tracedJob<T>(name: string, origin: Origin, work: () => Promise<T>): Promise<T> {
  const tracer = currentTracer();
  return tracer ? runAndEnd(tracer.root(name, 'job', origin), work) : work();
}
