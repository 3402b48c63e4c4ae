import { Inject, Injectable } from '@nestjs/common';
import { currentContext, traced, traceHeaders } from '@platform/platform';
import { CONFIG, type Config } from '../config.js';
import { GatewayErrors } from './gateway.errors.js';
import type { Visitor } from './visitor.js';

const READ_TIMEOUT_MS = 10_000;
/**
 * A payment can take the gateway 25 s if the provider is slow. With a shorter timeout, the browser
 * would not know if it was paid.
 */
const WRITE_TIMEOUT_MS = 30_000;

export interface GatewayRequest {
  method: string;
  /** Path from `/v1/` on, with its query. */
  path: string;
  body?: unknown;
  /** Lets the gateway recognise a retry of the same request. */
  idempotencyKey?: string | undefined;
}

export interface SessionOfUser {
  userId: string;
  gatewaySessionId: string;
}

/** Any answer of the gateway, whatever its status. The body is JSON text, unchanged. */
export interface GatewayAnswer {
  status: number;
  headers: Headers;
  body: string;
}

/**
 * Calls the gateway for a visitor. Only the listed parts of the browser's request are passed on.
 */
@Injectable()
export class PanelGatewayClient {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /**
   * Calls the gateway without credentials. A refusal is an answer, not an error.
   *
   * @throws AppError 503 `gateway_unavailable` if no JSON answer arrives within 10 s (GET) or 30 s.
   */
  callPublicly(visitor: Visitor, request: GatewayRequest): Promise<GatewayAnswer> {
    return this.send(visitor, request, {});
  }

  /**
   * Calls the gateway with an access token. A refusal is an answer, not an error.
   *
   * @throws AppError 503 `gateway_unavailable` if no JSON answer arrives within 10 s (GET) or 30 s.
   */
  callWithToken(visitor: Visitor, request: GatewayRequest, accessToken: string): Promise<GatewayAnswer> {
    return this.send(visitor, request, { Authorization: `Bearer ${accessToken}` });
  }

  /**
   * Calls the gateway with the panel's service token, for the user of a live gateway session. The
   * caller guarantees that the user is present. A refusal is an answer, not an error.
   *
   * @throws AppError 503 `gateway_unavailable` if no JSON answer arrives within 10 s (GET) or 30 s.
   */
  actingFor(
    visitor: Visitor,
    request: GatewayRequest,
    { userId, gatewaySessionId }: SessionOfUser,
  ): Promise<GatewayAnswer> {
    return this.send(visitor, request, {
      'X-Service-Token': this.config.GATEWAY_SERVICE_TOKEN,
      'X-Acting-User': userId,
      'X-Acting-Session': gatewaySessionId,
    });
  }

  /**
   * Opens an event stream. Returns a Response whose body continues until the stream ends or
   * `signal` aborts, or the refusal of the gateway.
   *
   * @throws AppError 503 `gateway_unavailable` if the stream does not begin within 10 s, or
   * `signal` aborts before.
   */
  async stream(
    visitor: Visitor,
    { path, lastEventId }: { path: string; lastEventId: string | undefined },
    accessToken: string,
    signal: AbortSignal,
  ): Promise<Response | GatewayAnswer> {
    const beginning = new AbortController();
    const timer = setTimeout(() => beginning.abort(), READ_TIMEOUT_MS);
    try {
      const response = await fetch(`${this.config.AUTH_GATEWAY_URL}${path}`, {
        headers: {
          ...this.headers(visitor),
          Accept: 'text/event-stream',
          Authorization: `Bearer ${accessToken}`,
          ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
        },
        redirect: 'error',
        signal: AbortSignal.any([signal, beginning.signal]),
      });
      return response.status === 200 ? response : await answerOf(response);
    } catch (error) {
      throw GatewayErrors.unavailable({ cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  private send(...request: Parameters<PanelGatewayClient['exchange']>): Promise<GatewayAnswer> {
    return traced('gateway request', 'client', {}, () => this.exchange(...request));
  }

  private async exchange(
    visitor: Visitor,
    { method, path, body, idempotencyKey }: GatewayRequest,
    credential: Record<string, string>,
  ): Promise<GatewayAnswer> {
    try {
      const response = await fetch(`${this.config.AUTH_GATEWAY_URL}${path}`, {
        method,
        headers: {
          ...this.headers(visitor),
          ...credential,
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.timeout(method === 'GET' ? READ_TIMEOUT_MS : WRITE_TIMEOUT_MS),
      });
      return await answerOf(response);
    } catch (error) {
      throw GatewayErrors.unavailable({ cause: error });
    }
  }

  private headers({ address, userAgent }: Visitor): Record<string, string> {
    const requestId = currentContext()?.requestId;
    return {
      Accept: 'application/json',
      'User-Agent': userAgent,
      'X-Forwarded-For': address ?? 'unknown', // RFC 7239 section 6.2; without it, the gateway would take the panel for the visitor
      ...(requestId && { 'X-Request-Id': requestId }),
      ...traceHeaders(this.config.GATEWAY_SERVICE_TOKEN),
    };
  }
}

async function answerOf(response: Response): Promise<GatewayAnswer> {
  const body = await response.text();
  if (!response.headers.get('content-type')?.includes('json'))
    throw new Error(`the answer of status ${response.status} is not JSON`);
  return { status: response.status, headers: response.headers, body };
}
