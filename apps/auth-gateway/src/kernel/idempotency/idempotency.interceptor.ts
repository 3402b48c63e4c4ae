import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { DEFAULT_TENANT, serviceOf } from '@platform/contracts';
import { userOf, type Caller } from '@platform/guards';
import { AppError, sha256, ValidationFailed } from '@platform/platform';
import type { Request, Response } from 'express';
import { lastValueFrom, of, type Observable } from 'rxjs';
import { IdempotencyErrors } from './idempotency.errors.js';
import {
  IdempotentRequestsService,
  type Answer,
  type Attempt,
  type IdempotentContent,
} from './idempotent-requests.service.js';

const PRINTABLE = /^[ -~]{1,255}$/;
/** Statuses of refusals before any work was done. The client can use the key again. */
const STATUSES_WITHOUT_EFFECT = new Set([401, 403, 429]);

declare module 'express' {
  interface Request {
    /**
     * Our id for the key of the request (not the key itself), on routes that accept an
     * `Idempotency-Key`. Null if the client sent no key.
     */
    idempotentRequestId?: string | null;
  }
}

/**
 * Answers a retry with the stored answer of the first request, also if that was an error, except
 * 401, 403, 429, 5xx and validation errors: after these, and after an answer with a client secret,
 * a retry runs the request again. Runs after the guards, which set the caller. Answers 422 for a
 * malformed `Idempotency-Key` or one of another request, and 409 while the first request runs. A
 * request without the header runs as usual.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(private readonly requests: IdempotentRequestsService) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const key = request.headers['idempotency-key'];
    request.idempotentRequestId = null;
    if (key === undefined) return next.handle();
    if (typeof key !== 'string' || !PRINTABLE.test(key)) throw IdempotencyErrors.malformedKey();
    const claimed = await this.requests.claimKey(contentOf(request, key));
    if (claimed.kind === 'answer') return of(replayed(claimed, response));
    request.idempotentRequestId = claimed.id;
    return of(await this.answer(claimed, next, response));
  }

  private async answer(attempt: Attempt, next: CallHandler, response: Response): Promise<unknown> {
    const [result] = await Promise.allSettled([
      lastValueFrom<unknown, undefined>(next.handle(), { defaultValue: undefined }),
    ]);
    if (result.status === 'fulfilled') {
      // A client secret allows payment, so the answer is not stored. A retry creates the answer
      // again, from the same payment.
      if (hasClientSecret(result.value)) await this.requests.abandonAttempt(attempt);
      else await this.requests.storeAnswer(attempt, response.statusCode, result.value);
      return result.value;
    }
    await this.storeRefusal(attempt, result.reason);
    throw result.reason;
  }

  private storeRefusal(attempt: Attempt, error: unknown): Promise<void> {
    if (error instanceof ValidationFailed) return this.requests.discardAttempt(attempt);
    if (!(error instanceof AppError) || error.status >= 500) return this.requests.abandonAttempt(attempt);
    if (STATUSES_WITHOUT_EFFECT.has(error.status)) return this.requests.discardAttempt(attempt);
    const { status, code, message, options } = error;
    return this.requests.storeAnswer(attempt, status, { code, message, details: options.details } satisfies Refusal);
  }
}

const hasClientSecret = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'client_secret' in body && Boolean(body.client_secret);

/** Stored part of an error, without data of one request such as its id. */
type Refusal = Pick<AppError, 'code' | 'message'> & Pick<AppError['options'], 'details'>;

function replayed({ status, body }: Answer, response: Response): unknown {
  response.set('Idempotency-Replayed', 'true');
  if (status >= 400) {
    const { code, message, details } = body as Refusal;
    throw new AppError(status, code, message, { ...(details && { details }) });
  }
  response.status(status);
  return body;
}

function contentOf(request: Request, key: string): IdempotentContent {
  const { caller, method, query } = request;
  if (!caller) throw new Error('A route with @Idempotent must not be public.');
  const user = userOf(caller);
  const body: unknown = request.body;
  return {
    tenantId: user?.tenantId ?? DEFAULT_TENANT,
    userId: user?.userId ?? null,
    owner: getOwnerName(caller),
    target: `${method} ${pathOf(request)}`,
    key,
    sha256: sha256(JSON.stringify({ query, body }, sorted)),
  };
}

/**
 * Returns a name of the caller that stays the same after a rotation of its service token, such as
 * `user:usr_…` or `service:panel/user:usr_…`.
 */
function getOwnerName(caller: Caller): string {
  if (caller.kind === 'user') return `user:${caller.userId}`;
  const service = `service:${serviceOf(caller.service)}`;
  return caller.actingUser ? `${service}/user:${caller.actingUser.userId}` : service;
}

/**
 * Returns the path of the request with its parameters in one canonical encoding, because clients
 * can also encode characters that need no encoding.
 */
function pathOf({ route, params }: Request): string {
  const { path } = route as { path: string };
  return path.replace(/:(\w+)/g, (_parameter, name: string) => encodeURIComponent(String(params[name])));
}

/**
 * Sorts the keys of an object, as a replacer for `JSON.stringify`, so that the same content in
 * another order has the same hash. Other values stay as they are.
 */
const sorted = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;
