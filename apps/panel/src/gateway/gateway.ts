import { Inject, Injectable } from '@nestjs/common';
import { currentContext, traced, traceHeaders } from '@platform/platform';
import { CONFIG, type Config } from '../config.js';
import { GatewayErrors } from './gateway.errors.js';
import type { Visitor } from './visitor.js';

const READ_TIMEOUT_MS = 10_000;
/** A payment may take the gateway 25 s, when the payment provider is slow. A browser that is answered before that does not know whether it paid. */
const WRITE_TIMEOUT_MS = 30_000;

export interface GatewayRequest {
  method: string;
  /** From `/v1/` on, with its query. */
  path: string;
  body?: unknown;
  /** By which the gateway knows the same request again. */
  idempotencyKey?: string | undefined;
}

export interface SessionOfUser {
  userId: string;
  gatewaySessionId: string;
}

/** What the gateway answered, whatever its status. The body is JSON, as it came. */
export interface GatewayAnswer {
  status: number;
  headers: Headers;
  body: string;
}

/** Calls the gateway for a visitor. Nothing of the browser's request goes along but what is named here. */
@Injectable()
export class Gateway {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** @throws AppError 503 when no answer came within 10 s (GET) or 30 s, or none of the gateway. */
  public(visitor: Visitor, request: GatewayRequest): Promise<GatewayAnswer> {
    return this.send(visitor, request, {});
  }

  /** @throws AppError 503, as above. */
  bearer(visitor: Visitor, request: GatewayRequest, accessToken: string): Promise<GatewayAnswer> {
    return this.send(visitor, request, { Authorization: `Bearer ${accessToken}` });
  }

  /**
   * As the panel itself, for the user of this session of the gateway, which has to be alive. The caller vouches for it that the user is there.
   *
   * @throws AppError 503, as above.
   */
  actingFor(visitor: Visitor, request: GatewayRequest, { userId, gatewaySessionId }: SessionOfUser): Promise<GatewayAnswer> {
    return this.send(visitor, request, {
      'X-Service-Token': this.config.GATEWAY_SERVICE_TOKEN,
      'X-Acting-User': userId,
      'X-Acting-Session': gatewaySessionId,
    });
  }

  /**
   * A stream of events, whose body comes until it ends; what the gateway refuses is an answer as any other.
   *
   * @throws AppError 503 when it has not begun within 10 s, or the gateway does not answer.
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

  private send(...request: Parameters<Gateway['exchange']>): Promise<GatewayAnswer> {
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
      'X-Forwarded-For': address ?? 'unknown', // RFC 7239 section 6.2; else the visitor would be taken for this panel
      ...(requestId && { 'X-Request-Id': requestId }),
      ...traceHeaders(this.config.GATEWAY_SERVICE_TOKEN),
    };
  }
}

async function answerOf(response: Response): Promise<GatewayAnswer> {
  const body = await response.text();
  if (!response.headers.get('content-type')?.includes('json')) throw new Error(`no JSON in an answer of status ${response.status}`);
  return { status: response.status, headers: response.headers, body };
}
