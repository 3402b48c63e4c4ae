import { AppError, isHopByHop } from '@platform/platform';

const MAX_RESPONSE_BYTES = 1024 * 1024;
const MAX_HEADERS = 50;
const MAX_HEADER_BYTES = 8 * 1024;

/** It is served on the panel's origin: whatever a handler answers must not run there, nor change what the origin does beyond this answer. */
const ALWAYS = {
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
};

/** Which frame the message, or speak for the whole origin or to the proxies in front of it. */
const NOT_A_HANDLERS = new Set([
  'alt-svc',
  'clear-site-data',
  'content-encoding',
  'content-length',
  'content-security-policy-report-only',
  'date',
  'nel',
  'origin-agent-cluster',
  'report-to',
  'reporting-endpoints',
  'server',
  'service-worker-allowed',
  'set-cookie',
  'set-cookie2',
  'strict-transport-security',
  'www-authenticate',
  'x-sendfile',
  ...Object.keys(ALWAYS),
]);

/** A page of the origin could load these as its own scripts and styles, sandbox or not. */
const ACTIVE_TYPES = /javascript|ecmascript|jscript|livescript|css|wasm/i;

const CONTROL_KEYS = new Set(['status_code', 'headers', 'body']);
const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

export interface WebhookResponse {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: Buffer;
}

/**
 * What a handler returned, as a response: `status_code` (200 unless told), `headers`, and `body`, a text as it is or anything else as JSON.
 * Without `body` the other keys are the JSON, or there is none; what is no object is the body itself, and nothing is nothing. Headers that
 * are not a handler's to set are left out.
 *
 * @throws AppError 502 for a result that is no response.
 */
export function webhookResponse(result: unknown): WebhookResponse {
  const { status_code: status = 200, headers = {}, body } = isObject(result) ? partsOf(result) : { body: result ?? undefined };
  if (!Number.isInteger(status) || (status as number) < 200 || (status as number) > 599)
    throw notAResponse('The status is none from 200 to 599.');
  if (!isObject(headers)) throw notAResponse('The headers are no object.');
  const content = contentOf(body);
  if (content.bytes.length > MAX_RESPONSE_BYTES) throw notAResponse(`The body is larger than ${MAX_RESPONSE_BYTES} bytes.`);
  const isEmpty = status === 204 || status === 205 || status === 304;
  const given = handlerHeaders(headers);
  const type = given['content-type'] ?? content.type;
  return {
    status: status as number,
    headers: {
      'cache-control': 'no-store',
      ...given,
      ...(isEmpty ? {} : { 'content-type': ACTIVE_TYPES.test(type) ? 'text/plain; charset=utf-8' : type }),
      ...ALWAYS,
    },
    body: isEmpty ? Buffer.alloc(0) : content.bytes,
  };
}

interface Parts {
  status_code?: unknown;
  headers?: unknown;
  body?: unknown;
}

function partsOf(result: Record<string, unknown>): Parts {
  if (Object.hasOwn(result, 'body')) return result;
  const others = Object.entries(result).filter(([key]) => !CONTROL_KEYS.has(key));
  return { ...result, body: others.length ? Object.fromEntries(others) : undefined };
}

function contentOf(body: unknown): { bytes: Buffer; type: string } {
  if (typeof body === 'string') return { bytes: Buffer.from(body), type: 'text/plain; charset=utf-8' };
  return body === undefined
    ? { bytes: Buffer.alloc(0), type: 'text/plain; charset=utf-8' }
    : { bytes: Buffer.from(JSON.stringify(body)), type: 'application/json' };
}

function handlerHeaders(headers: Record<string, unknown>): Record<string, string> {
  const entries = Object.entries(headers)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(([name, value]): [string, string] => [name.toLowerCase(), String(value)]);
  const connection = entries.find(([name]) => name === 'connection')?.[1];
  const kept = entries.filter(([name, value]) => {
    if (NOT_A_HANDLERS.has(name) || name.startsWith('x-accel-') || isHopByHop(name, connection)) return false;
    return FIELD_NAME.test(name) && FIELD_VALUE.test(value) && value.length <= MAX_HEADER_BYTES;
  });
  return Object.fromEntries(kept.slice(0, MAX_HEADERS));
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

const notAResponse = (why: string) =>
  new AppError(502, 'webhook.bad_response', `The handler of this webhook gave no valid response. ${why}`);
