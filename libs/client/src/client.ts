import createClient, { type Client, type HeadersOptions } from 'openapi-fetch';
import { withAccessToken, type AccessTokens } from './access-tokens.js';
import type { paths } from './generated/auth-gateway.js';
import { withTimeout, type Fetch } from './timeout.js';

const TIMEOUT_MS = 10_000;

export interface PlatformClientOptions {
  /** Address of the platform: `https://platform.example.com`. */
  baseUrl: string;
  /** Headers of each request, such as `{ Authorization: 'Bearer <API key>' }`. */
  headers?: HeadersOptions;
  /** Adds the access token to each request and renews it before it expires. */
  tokens?: AccessTokens;
  fetch?: Fetch;
  /** Timeout of one request; 10 s by default. */
  timeoutMs?: number;
}

export type PlatformClient = Client<paths, 'application/json'>;

/**
 * Creates a client of the routes in `paths`. Wrap its calls in `call` to get their data or a typed
 * error. A request fails after `timeoutMs`, 10 s by default. A redirect is not followed: it fails
 * like a platform that cannot be reached.
 */
export function createPlatformClient({
  baseUrl,
  headers,
  tokens,
  fetch,
  timeoutMs = TIMEOUT_MS,
}: PlatformClientOptions): PlatformClient {
  const timed = withTimeout(fetch ?? ((request, init) => globalThis.fetch(request, init)), timeoutMs);
  return createClient<paths, 'application/json'>({
    baseUrl,
    headers,
    fetch: tokens ? withAccessToken(timed, tokens) : timed,
    // Requests carry credentials, which must not follow a redirect to another server.
    redirect: 'error',
  });
}
