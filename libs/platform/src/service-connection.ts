import { Agent, fetch, request as send, type Dispatcher, type Request } from 'undici';
import type { CancellationSignal } from './cancellation.js';
import { currentContext } from './request-context.js';

const CONNECT_TIMEOUT_MS = 1_000;
/** Below the 65 s after which our services end an idle connection, so that none is used that is about to close. */
const KEEP_ALIVE_MS = 30_000;
const CONNECTIONS = 50;

export interface JsonRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  /** What is undefined or null is left out. */
  query?: Record<string, string | number | null | undefined> | undefined;
  body?: object | undefined;
  signal: CancellationSignal;
}

/** As `call` of the typed client takes it. */
export interface JsonAnswer<Data> {
  response: Pick<Response, 'ok' | 'status' | 'statusText'> & { headers: { get(name: string): string | null } };
  /** Of a 2xx that has a body. */
  data?: Data;
  /** Of any other status: parsed where it is JSON, else text. */
  error?: unknown;
}

export interface ServiceConnection {
  /**
   * For routes that no typed client knows, and without what `fetch` costs beside a request. A redirect is no answer.
   *
   * @throws TypeError, SyntaxError, or what `signal` was aborted with.
   */
  sendJson<Data>(request: JsonRequest): Promise<JsonAnswer<Data>>;
  /** The Request is undici's own, since an agent of one version does not fit the fetch of another, which Node.js brings. */
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/**
 * Connections to another of our services that are kept open; each request carries the service token and the id of the request that
 * causes it.
 *
 * @param silenceTimeoutMs behind the time limit of a call, for what nobody waits for any more.
 */
export function connectService(serviceToken: string, { silenceTimeoutMs = 10_000, connections = CONNECTIONS } = {}): ServiceConnection {
  const agent = new Agent({
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: silenceTimeoutMs,
    bodyTimeout: silenceTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    connections,
  });
  const headers = (): Record<string, string> => {
    const requestId = currentContext()?.requestId;
    return { 'x-service-token': serviceToken, ...(requestId && { 'x-request-id': requestId }) };
  };
  return {
    sendJson: async <Data>(request: JsonRequest) => toAnswer<Data>(await exchange(agent, request, headers())),
    fetch: (request) => {
      for (const [name, value] of Object.entries(headers())) request.headers.set(name, value);
      return fetch(request, { dispatcher: agent });
    },
    close: () => agent.close(),
  };
}

/** A path in which each part is one segment, whatever it holds. @throws RangeError for the two that no address can hold. */
export const segments = (texts: TemplateStringsArray, ...parts: string[]): string => {
  if (parts.some((part) => part === '.' || part === '..')) throw new RangeError('No segment of a path');
  return String.raw({ raw: texts }, ...parts.map(encodeURIComponent));
};

interface Exchanged extends Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'> {
  text: string;
}

async function exchange(
  agent: Agent,
  { method, url, query = {}, body, signal }: JsonRequest,
  headers: Record<string, string>,
): Promise<Exchanged> {
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== null));
  try {
    const {
      statusCode,
      headers: received,
      body: stream,
    } = await send(url, {
      dispatcher: agent,
      method,
      query: given,
      signal, // an EventTarget and its `aborted` and `reason` are all it uses
      headers: body ? { ...headers, 'content-type': 'application/json' } : headers,
      body: body ? JSON.stringify(body) : null,
    });
    return { statusCode, headers: received, text: await stream.text() };
  } catch (error) {
    // As `fetch` says it.
    throw signal.aborted ? error : new TypeError('The request failed.', { cause: error });
  }
}

function toAnswer<Data>({ statusCode: status, headers, text }: Exchanged): JsonAnswer<Data> {
  const isRedirect = status >= 300 && status < 400;
  if (isRedirect) throw new TypeError('The service redirects.');
  const ok = status < 300;
  const response = { ok, status, statusText: '', headers: { get: (name: string) => headers[name]?.toString() ?? null } };
  if (ok) return { response, ...(text && { data: JSON.parse(text) as Data }) };
  return { response, error: parsedOr(text) };
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
