import type { InstallChangesQuery, InstallKey } from '@platform/contracts';
import { connectService } from '@platform/platform';
import createClient, { type Client } from 'openapi-fetch';
import { Request } from 'undici';
import type { paths } from './generated/registry.js';

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
  /** The API key that registered or removed it; null for a trusted backend. */
  changed_by: InstallKey | null;
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
  /** Resolves when it takes requests. */
  isReady(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export function connectRegistry(baseUrl: string, serviceToken: string): RegistryConnection {
  const connection = connectService(serviceToken);
  const http = createClient<paths & InternalPaths, 'application/json'>({
    baseUrl,
    Request: Request as unknown as typeof globalThis.Request,
    fetch: (request) => connection.fetch(request as unknown as Request),
    redirect: 'error',
  });
  const isReady = async (signal: AbortSignal): Promise<void> => {
    const { response } = await connection.sendJson({ method: 'GET', url: `${baseUrl}/readyz`, signal });
    if (!response.ok) throw new Error(`It is not ready: ${response.status}.`);
  };
  return { http, isReady, close: () => connection.close() };
}
