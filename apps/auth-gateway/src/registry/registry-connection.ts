import type { InstallChangesQuery } from '@platform/contracts';
import { currentContext } from '@platform/platform';
import createClient, { type Client } from 'openapi-fetch';
import { Agent, fetch, Request } from 'undici';
import type { paths } from './generated/registry.js';

const CONNECT_TIMEOUT_MS = 1_000;
/** Behind the limit of a call, for what nobody waits for any more. */
const SILENCE_TIMEOUT_MS = 10_000;
/** Below the 65 s after which the Registry ends an idle connection, so that none is used that is about to close. */
const KEEP_ALIVE_MS = 30_000;
const CONNECTIONS = 50;

/** What the Registry's public document leaves out. */
interface InternalPaths {
  '/v1/internal/installs': {
    get: {
      parameters: { query: InstallChangesQuery };
      responses: { 200: { content: { 'application/json': InstallChanges } } };
    };
  };
}

/** An install as it is now, and not each of its changes. */
export interface InstallChange {
  user_id: string;
  app_id: string;
  installed: boolean;
  /** ISO 8601. */
  installed_at: string;
  removed_at: string | null;
  revision: number;
}

export interface InstallChanges {
  /** By revision. */
  changes: InstallChange[];
  /** Where to continue. */
  next_after: number;
  has_more: boolean;
}

export interface RegistryConnection {
  http: Client<paths & InternalPaths, 'application/json'>;
  close(): Promise<void>;
}

/** Connections that are kept open, a service token, and the id of the request that causes the call. */
export function connectRegistry(baseUrl: string, serviceToken: string): RegistryConnection {
  const agent = new Agent({
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: SILENCE_TIMEOUT_MS,
    bodyTimeout: SILENCE_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    connections: CONNECTIONS,
  });
  const http = createClient<paths & InternalPaths, 'application/json'>({
    baseUrl,
    // undici's own, since an agent of one version does not fit the fetch of another, which Node.js brings.
    Request: Request as unknown as typeof globalThis.Request,
    fetch: (request) => send(request as unknown as Request),
    headers: { 'X-Service-Token': serviceToken },
    redirect: 'error',
  });
  const send = (request: Request) => {
    const requestId = currentContext()?.requestId;
    if (requestId) request.headers.set('X-Request-Id', requestId);
    return fetch(request, { dispatcher: agent }) as unknown as Promise<Response>;
  };
  return { http, close: () => agent.close() };
}
