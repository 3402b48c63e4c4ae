import type { TokenResponse, UserResponse } from '@platform/contracts';
import { randomBytes } from 'node:crypto';
import type { ReplicatedPlatform } from '../replicated-platform.js';

export interface Answer<Body> {
  status: number;
  body: Body;
}

interface Sent {
  body?: object;
  idempotencyKey?: string;
  headers?: Record<string, string>;
}

/** Longer than any request limit of the platform. */
const TIMEOUT_MS = 40_000;

/** Calls the gateway through the proxy and returns every status. Rejects if no answer comes. */
export async function ask<Body>(
  url: string,
  method: string,
  path: string,
  sent: Sent = {},
  token?: string,
): Promise<Answer<Body>> {
  const { body, idempotencyKey, headers } = sent;
  const answer = await fetch(url + path, {
    method,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      ...(body && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: (text ? JSON.parse(text) : null) as Body };
}

/** A signed-in user. */
export class ApiUser {
  private constructor(
    private readonly url: string,
    readonly id: string,
    readonly tokens: TokenResponse,
  ) {}

  static async signIn(url: string, credentials: object): Promise<ApiUser> {
    const login = await ask<TokenResponse>(url, 'POST', '/v1/auth/login', { body: credentials });
    if (login.status !== 200) throw new Error(`The login answered ${login.status}.`);
    const { body: me } = await ask<UserResponse>(url, 'GET', '/v1/auth/me', {}, login.body.access_token);
    return new ApiUser(url, me.platform_id, login.body);
  }

  /** Creates a user, as an administrator, and signs in. */
  static async join(platform: ReplicatedPlatform, administrator: ApiUser): Promise<ApiUser> {
    const credentials = {
      email: `p-${randomBytes(4).toString('hex')}@example.com`,
      password: randomBytes(9).toString('base64url'),
    };
    const { status } = await administrator.ask('POST', '/v1/users', { body: credentials });
    if (status !== 201) throw new Error(`Making a user answered ${status}.`);
    return ApiUser.signIn(platform.addresses.gatewayUrl, credentials);
  }

  ask<Body>(method: string, path: string, sent: Sent = {}): Promise<Answer<Body>> {
    return ask(this.url, method, path, sent, this.tokens.access_token);
  }
}
