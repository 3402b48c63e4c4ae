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

/** What a webhook's answers may say here. */
export interface AnswerTerms {
  /** Its own address, at the panel. */
  url: string;
  /** Beside the panel. */
  redirectHosts: readonly string[];
  /** Whether no browser asked: `isFromProgram`. */
  toProgram: boolean;
}

/**
 * The result of a handler as a response: `status_code` (200 unless told), `headers`, and `body`, a text as it is or anything else as JSON, or
 * `body_base64`, bytes. Without either the other keys are the JSON, or there is none; what is no object is the body itself, and nothing is
 * nothing. Headers that are not a handler's to set are left out; what a browser would render or run is plain text.
 *
 * @throws AppError 502 for a result that is no response.
 */
export function webhookResponse(result: unknown, terms: AnswerTerms): WebhookResponse {
  const { status_code: status = 200, headers = {}, ...parts } = isObject(result) ? partsOf(result) : { body: result ?? undefined };
  if (!Number.isInteger(status) || (status as number) < 200 || (status as number) > 599)
    throw notAResponse('The status is none from 200 to 599.');
  if (!isObject(headers)) throw notAResponse('The headers are no object.');
  const content = contentOf(parts);
  if (content.bytes.length > MAX_RESPONSE_BYTES) throw notAResponse(`The body is larger than ${MAX_RESPONSE_BYTES} bytes.`);
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

/** True where an answer with this status says how long its content is, also where it is 0. */
export const hasContent = (status: number): boolean => status !== 204 && status !== 304;

/** With what tells the panel, which knows no documents, that the app may lead there. */
function locationHeaders(location: string, isRedirect: boolean, { url, redirectHosts }: AnswerTerms): Record<string, string> {
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
    if (typeof base64 !== 'string' || !BASE64.test(base64)) throw notAResponse('Its body_base64 is no Base64.');
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

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

const notAResponse = (why: string) =>
  new AppError(502, 'webhook.bad_response', `The handler of this webhook gave no valid response. ${why}`);
