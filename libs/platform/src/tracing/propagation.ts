import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { ServiceToken } from '../config.js';
import { currentSpan, type Origin } from './spans.js';

const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
/** Our own entry of `tracestate`. */
const PROOF = /(?:^|,)\s*platform=([\w-]{43})\s*(?:,|$)/;

export const isTraceparent = (value: unknown): value is string => typeof value === 'string' && TRACEPARENT.test(value);

/** Shows that who has the token wrote this traceparent. It tells nothing of the token. */
const proofOf = (traceparent: string, token: string): string =>
  createHmac('sha256', token).update(`traceparent:${traceparent}`).digest('base64url');

/**
 * The headers of a request to another of our services, which continues the trace there; none outside of a span. Whoever calls with the credential of
 * a user, as the panel does, shows by this that the trace is ours.
 *
 * @param token one of the `SERVICE_TOKENS` of that service.
 */
export function traceHeaders(token: string): Record<string, string> {
  const traceparent = currentSpan()?.traceparent;
  return traceparent === undefined ? {} : { traceparent, tracestate: `platform=${proofOf(traceparent, token)}` };
}

/** Only our own services continue a trace: a stranger could have all of its requests recorded, or put them into the trace of another. */
export function originOf({ traceparent, tracestate }: IncomingHttpHeaders, tokens: readonly ServiceToken[]): Origin {
  if (!isTraceparent(traceparent)) return {};
  const proof = typeof tracestate === 'string' ? PROOF.exec(tracestate)?.[1] : undefined;
  if (proof === undefined) return { link: traceparent };
  const isOurs = tokens.some(({ token }) => timingSafeEqual(Buffer.from(proofOf(traceparent, token)), Buffer.from(proof)));
  return isOurs ? { parent: traceparent } : { link: traceparent };
}
