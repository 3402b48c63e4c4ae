import { applyDecorators, createParamDecorator, UseInterceptors, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { MovesMoney } from '@platform/guards';
import type { Request } from 'express';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';

const DESCRIPTION = `Makes retries safe. A retry of the same request with the same key within 24 hours has no second effect: it gets the
answer of the first request, with \`Idempotency-Replayed: true\`. While the first request is still running, the answer
is 409 \`idempotency.in_progress\`. A different request with the same key gets 422 \`idempotency.key_reused\`. Answers
with 401, 403, 422 (validation errors), 429 and 5xx are not stored.`;

/**
 * Makes a route accept an `Idempotency-Key`, so that clients can retry safely after a lost answer.
 * `@Access` of the route must say with `money` if it moves money. The handler must derive the keys
 * of its bookings from `@IdempotentRequestId()`: it can run again after a crash.
 */
export const Idempotent = (): MethodDecorator =>
  applyDecorators(
    MovesMoney(),
    UseInterceptors(IdempotencyInterceptor),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description: DESCRIPTION.replaceAll('\n', ' '),
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
    }),
  );

/**
 * Parameter decorator: our id for the `Idempotency-Key` of the request. It is the same for each
 * retry, also after a crash, and differs between callers, routes and days. A booking with a key
 * made of it is made only once. Null if the client sent no key.
 *
 * @throws Error on a route without `@Idempotent`.
 */
export const IdempotentRequestId = createParamDecorator((_data: unknown, context: ExecutionContext): string | null => {
  const { idempotentRequestId } = context.switchToHttp().getRequest<Request>();
  if (idempotentRequestId === undefined) throw new Error('@IdempotentRequestId on a route without @Idempotent');
  return idempotentRequestId;
});
