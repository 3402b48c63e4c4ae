import { Agent, request as send, type Dispatcher } from 'undici';
import type { CancellationSignal } from './speed/cancellation.js';
import { currentContext } from './request-context.js';
import { traceHeaders } from './tracing/propagation.js';

const CONNECT_TIMEOUT_MS = 1_000;
/**
 * Shorter than the 65 s after which our services close an idle connection, so that no request uses
 * a connection that is about to close.
 */
const KEEP_ALIVE_MS = 30_000;
const CONNECTIONS = 50;

export interface JsonRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  /** Undefined and null values are left out. */
  query?: Record<string, string | number | null | undefined> | undefined;
  body?: object | undefined;
  /** ETag for `If-Match`: the change applies only to this state. */
  ifMatch?: string | undefined;
  signal: CancellationSignal;
}

/** A response in the form that `call` of the typed client takes. */
export interface JsonAnswer<Data> {
  response: Pick<Response, 'ok' | 'status' | 'statusText'> & { headers: { get(name: string): string | null } };
  /** Body of a 2xx response; absent if it is empty. */
  data?: Data;
  /** Body of any other status: parsed JSON, or text. */
  error?: unknown;
}

export interface ServiceConnection {
  /**
   * Sends a request and reads the whole response, with less overhead than `fetch`. Redirects are
   * not followed.
   *
   * @throws TypeError if the request fails or the service redirects; SyntaxError if a 2xx body is
   * not JSON; the reason of `signal` if it is aborted.
   */
  sendJson<Data>(request: JsonRequest): Promise<JsonAnswer<Data>>;
  close(): Promise<void>;
}

export interface ConnectionOptions {
  /**
   * Milliseconds without data after which a request ends. Longer than the time limit of a call: it
   * ends requests for which no caller waits any more.
   */
  silenceTimeoutMs?: number;
  /** Maximum number of open connections. */
  connections?: number;
}

/**
 * Makes a connection pool to another service of the platform. Each request carries the service
 * token, the id of the current request, and the headers that continue its trace.
 */
export function connectService(
  serviceToken: string,
  { silenceTimeoutMs = 10_000, connections = CONNECTIONS }: ConnectionOptions = {},
): ServiceConnection {
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
    return {
      'x-service-token': serviceToken,
      ...(requestId && { 'x-request-id': requestId }),
      ...traceHeaders(serviceToken),
    };
  };
  return {
    sendJson: async <Data>(request: JsonRequest) => toAnswer<Data>(await exchange(agent, request, headers())),
    close: () => agent.close(),
  };
}

interface Exchanged extends Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'> {
  text: string;
}

async function exchange(
  agent: Agent,
  { method, url, query = {}, body, ifMatch, signal }: JsonRequest,
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
      signal, // undici uses only the methods of EventTarget, `aborted` and `reason`
      headers: {
        ...headers,
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body ? JSON.stringify(body) : null,
    });
    return { statusCode, headers: received, text: await stream.text() };
  } catch (error) {
    // The same error as from `fetch`.
    throw signal.aborted ? error : new TypeError('The request failed.', { cause: error });
  }
}

function toAnswer<Data>({ statusCode: status, headers, text }: Exchanged): JsonAnswer<Data> {
  const isRedirect = status >= 300 && status < 400;
  if (isRedirect) throw new TypeError('The service redirects.');
  const ok = status < 300;
  const response = {
    ok,
    status,
    statusText: '',
    headers: { get: (name: string) => headers[name]?.toString() ?? null },
  };
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
