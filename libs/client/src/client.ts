import createClient, { type Client, type HeadersOptions } from 'openapi-fetch';
import { withAccessToken, type AccessTokens } from './access-tokens.js';
import type { paths } from './generated/auth-gateway.js';
import { withTimeout, type Fetch } from './timeout.js';

const TIMEOUT_MS = 10_000;

export interface PlatformClientOptions {
  /** Where the platform is: `https://platform.example.com`. */
  baseUrl: string;
  /** Sent with each request, such as `{ Authorization: 'Bearer <API key>' }`. */
  headers?: HeadersOptions;
  /** Signs each request in and renews the access token when it is due. */
  tokens?: AccessTokens;
  fetch?: Fetch;
  /** How long one request may take, 10 s unless told. */
  timeoutMs?: number;
}

export type PlatformClient = Client<paths, 'application/json'>;

/** A client of the routes in `paths`. Wrap its calls in `call` to get their data or a typed error. */
export function createPlatformClient({ baseUrl, headers, tokens, fetch, timeoutMs = TIMEOUT_MS }: PlatformClientOptions): PlatformClient {
  const timed = withTimeout(fetch ?? ((request, init) => globalThis.fetch(request, init)), timeoutMs);
  return createClient<paths, 'application/json'>({
    baseUrl,
    headers,
    fetch: tokens ? withAccessToken(timed, tokens) : timed,
    // What a request carries is for the platform alone.
    redirect: 'error',
  });
}
