import {
  APP_ANSWER_HEADERS,
  appContentHeaders,
  AppError,
  appLocation,
  isAppHeader,
  isHopByHop,
  REDIRECT_HOST_HEADER,
} from '@platform/platform';

const MAX_RESPONSE_BYTES = 1024 * 1024;
const MAX_HEADERS = 50;
const MAX_HEADER_BYTES = 8 * 1024;

const CONTROL_KEYS = new Set(['status_code', 'headers', 'body', 'body_base64']);
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

export interface WebhookResponse {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: Buffer;
}

/** Rules for the answers of a webhook. */
export interface AnswerTerms {
  /** Address of the webhook at the panel. */
  url: string;
  /** Hosts to which it may redirect, in addition to the panel. */
  redirectHosts: readonly string[];
  /** True if the request does not come from a browser: `isFromProgram`. */
  toProgram: boolean;
}

/**
 * Turns the result of a handler into a response. The keys of an object are `status_code` (200 by
 * default), `headers`, and `body` (a text as it is, anything else as JSON) or `body_base64`
 * (bytes). Without a body key, all other keys become a JSON body; the body is empty if there are
 * none. A result that is not an object becomes the body, and null an empty body. Headers that a
 * handler may not set are left out. Content that a browser would render or run is sent as plain
 * text.
 *
 * @throws AppError 502 `webhook.bad_response` if the status is not 200 to 599, the headers are no
 * object, the body is larger than 1 MiB or invalid Base64, both forms of a body are given, or it
 * redirects to a host that the app does not declare.
 */
export function webhookResponse(result: unknown, terms: AnswerTerms): WebhookResponse {
  const {
    status_code: status = 200,
    headers = {},
    ...parts
  } = isObject(result) ? partsOf(result) : { body: result ?? undefined };
  if (!Number.isInteger(status) || (status as number) < 200 || (status as number) > 599)
    throw notAResponse('The status_code must be from 200 to 599.');
  if (!isObject(headers)) throw notAResponse('The headers must be an object.');
  const content = contentOf(parts);
  if (content.bytes.length > MAX_RESPONSE_BYTES)
    throw notAResponse(`The body is larger than ${MAX_RESPONSE_BYTES} bytes.`);
  const isEmpty = status === 205 || !hasContent(status as number);
  const { location, 'content-type': type = content.type, ...given } = handlerHeaders(headers, terms.toProgram);
  const isRedirect = (status as number) >= 300 && status !== 304 && (status as number) < 400;
  return {
    status: status as number,
    headers: {
      ...given,
      ...(location !== undefined && locationHeaders(location, isRedirect, terms)),
      ...(isEmpty ? {} : appContentHeaders(type, given['content-disposition'])),
      ...APP_ANSWER_HEADERS,
    },
    body: isEmpty ? Buffer.alloc(0) : content.bytes,
  };
}

/** True if answers with this status have a Content-Length, even if it is 0. */
export const hasContent = (status: number): boolean => status !== 204 && status !== 304;

/**
 * Checks a `Location` against the hosts that the app declares for redirects. For an allowed one,
 * adds a header that permits it at the panel, which does not know the documents of apps. Another
 * location is left out if the answer is no redirect.
 *
 * @throws AppError 502 `webhook.bad_response` if a redirect goes to another host.
 */
function locationHeaders(
  location: string,
  isRedirect: boolean,
  { url, redirectHosts }: AnswerTerms,
): Record<string, string> {
  const href = appLocation(location, url, redirectHosts);
  if (href) return { location: href, [REDIRECT_HOST_HEADER]: new URL(href).host };
  if (isRedirect) throw notAResponse('It redirects to a host that is not among the redirect_hosts of the webhook.');
  return {};
}

interface Parts {
  status_code?: unknown;
  headers?: unknown;
  body?: unknown;
  body_base64?: unknown;
}

function partsOf(result: Record<string, unknown>): Parts {
  if (Object.hasOwn(result, 'body') || Object.hasOwn(result, 'body_base64')) return result;
  const others = Object.entries(result).filter(([key]) => !CONTROL_KEYS.has(key));
  return { ...result, body: others.length ? Object.fromEntries(others) : undefined };
}

function contentOf({ body, body_base64: base64 }: Parts): { bytes: Buffer; type: string } {
  if (base64 !== undefined && base64 !== null) {
    if (body !== undefined) throw notAResponse('It has both a body and a body_base64.');
    if (typeof base64 !== 'string' || !BASE64.test(base64)) throw notAResponse('Its body_base64 is not valid Base64.');
    return { bytes: Buffer.from(base64, 'base64'), type: 'application/octet-stream' };
  }
  if (typeof body === 'string') return { bytes: Buffer.from(body), type: 'text/plain; charset=utf-8' };
  return body === undefined
    ? { bytes: Buffer.alloc(0), type: 'text/plain; charset=utf-8' }
    : { bytes: Buffer.from(JSON.stringify(body)), type: 'application/json' };
}

function handlerHeaders(headers: Record<string, unknown>, toProgram: boolean): Record<string, string> {
  const entries = Object.entries(headers)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(([name, value]): [string, string] => [name.toLowerCase(), String(value)]);
  const connection = entries.find(([name]) => name === 'connection')?.[1];
  const kept = entries.filter(([name, value]) => {
    if (!isAppHeader(name, toProgram) && name !== 'location' && name !== 'content-type') return false;
    return !isHopByHop(name, connection) && FIELD_VALUE.test(value) && value.length <= MAX_HEADER_BYTES;
  });
  return Object.fromEntries(kept.slice(0, MAX_HEADERS));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const notAResponse = (why: string) =>
  new AppError(502, 'webhook.bad_response', `The handler of this webhook returned no valid response. ${why}`);
