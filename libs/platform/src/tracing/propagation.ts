import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { ServiceToken } from '../config.js';
import { currentSpan, type Origin } from './spans.js';

const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
/** Our own entry of `tracestate`. */
const PROOF = /(?:^|,)\s*platform=([\w-]{43})\s*(?:,|$)/;

export const isTraceparent = (value: unknown): value is string => typeof value === 'string' && TRACEPARENT.test(value);

/** Proof that the sender of this traceparent has the token. It does not reveal the token. */
const proofOf = (traceparent: string, token: string): string =>
  createHmac('sha256', token).update(`traceparent:${traceparent}`).digest('base64url');

/**
 * Headers that continue the trace in another service of the platform; none outside of a span. They
 * prove that the trace is ours, also for a request with the credential of a user, as the panel
 * sends it.
 *
 * @param token one of the `SERVICE_TOKENS` of that service.
 */
export function traceHeaders(token: string): Record<string, string> {
  const traceparent = currentSpan()?.traceparent;
  return traceparent === undefined ? {} : { traceparent, tracestate: `platform=${proofOf(traceparent, token)}` };
}

/**
 * Finds the trace that a request continues. `parent` is set if the headers prove, with one of the
 * tokens, that our own service sent them. Any other valid `traceparent` becomes only a `link`:
 * otherwise a stranger could force the recording of all its requests, or add them to the trace of
 * another caller. Empty without a valid `traceparent`.
 */
export function originOf({ traceparent, tracestate }: IncomingHttpHeaders, tokens: readonly ServiceToken[]): Origin {
  if (!isTraceparent(traceparent)) return {};
  const proof = typeof tracestate === 'string' ? PROOF.exec(tracestate)?.[1] : undefined;
  if (proof === undefined) return { link: traceparent };
  const isOurs = tokens.some(({ token }) =>
    timingSafeEqual(Buffer.from(proofOf(traceparent, token)), Buffer.from(proof)),
  );
  return isOurs ? { parent: traceparent } : { link: traceparent };
}
