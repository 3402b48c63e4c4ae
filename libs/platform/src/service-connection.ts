import { Agent, fetch, type Request } from 'undici';
import { currentContext } from './request-context.js';

const CONNECT_TIMEOUT_MS = 1_000;
/** Below the 65 s after which our services end an idle connection, so that none is used that is about to close. */
const KEEP_ALIVE_MS = 30_000;
const CONNECTIONS = 50;

export interface ServiceConnection {
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
  return {
    fetch: (request) => {
      request.headers.set('X-Service-Token', serviceToken);
      const requestId = currentContext()?.requestId;
      if (requestId) request.headers.set('X-Request-Id', requestId);
      return fetch(request, { dispatcher: agent });
    },
    close: () => agent.close(),
  };
}
