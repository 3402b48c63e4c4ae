import { Agent, request as send, type Dispatcher } from 'undici';
import type { CancellationSignal } from './speed/cancellation.js';
import { currentContext } from './request-context.js';
import { traceHeaders } from './tracing/propagation.js';

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
  /** The tag of the state that is to be changed, and no other. */
  ifMatch?: string | undefined;
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
   * Without what `fetch` costs beside a request. A redirect is no answer.
   *
   * @throws TypeError, SyntaxError, or what `signal` was aborted with.
   */
  sendJson<Data>(request: JsonRequest): Promise<JsonAnswer<Data>>;
  close(): Promise<void>;
}

export interface ConnectionOptions {
  /** Behind the time limit of a call, for what nobody waits for any more. */
  silenceTimeoutMs?: number;
  /** How many are kept open at the most. */
  connections?: number;
}

/**
 * Connections to another of our services that are kept open; each request carries the service token and the id of the request that
 * causes it.
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
    return { 'x-service-token': serviceToken, ...(requestId && { 'x-request-id': requestId }), ...traceHeaders(serviceToken) };
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
      signal, // an EventTarget and its `aborted` and `reason` are all it uses
      headers: { ...headers, ...(ifMatch !== undefined && { 'if-match': ifMatch }), ...(body && { 'content-type': 'application/json' }) },
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
