import { Agent, fetch, Request } from 'undici';
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
  signal: AbortSignal;
}

/** As `call` of the typed client takes it. */
export interface JsonAnswer<Data> {
  response: Response;
  /** Of a 2xx that has a body. */
  data?: Data;
  /** Of any other status: parsed where it is JSON, else text. */
  error?: unknown;
}

export interface ServiceConnection {
  /** For routes that no typed client knows. Follows no redirect. @throws TypeError, SyntaxError, or what `signal` was aborted with. */
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
  const connection: ServiceConnection = {
    sendJson: async (request) => toAnswer(await connection.fetch(toRequest(request))),
    fetch: (request) => {
      request.headers.set('X-Service-Token', serviceToken);
      const requestId = currentContext()?.requestId;
      if (requestId) request.headers.set('X-Request-Id', requestId);
      return fetch(request, { dispatcher: agent });
    },
    close: () => agent.close(),
  };
  return connection;
}

/** A path in which each part is one segment, whatever it holds. @throws RangeError for the two that no address can hold. */
export const segments = (texts: TemplateStringsArray, ...parts: string[]): string => {
  if (parts.some((part) => part === '.' || part === '..')) throw new RangeError('No segment of a path');
  return String.raw({ raw: texts }, ...parts.map(encodeURIComponent));
};

function toRequest({ method, url, query = {}, body, signal }: JsonRequest): Request {
  const target = new URL(url);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) target.searchParams.set(name, String(value));
  }
  return new Request(target, {
    method,
    redirect: 'error',
    signal,
    ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  });
}

async function toAnswer<Data>(response: Response): Promise<JsonAnswer<Data>> {
  const text = await response.text();
  if (response.ok) return { response, ...(text && { data: JSON.parse(text) as Data }) };
  return { response, error: parsedOr(text) };
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
