import { applyDecorators, createParamDecorator, UseInterceptors, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { SaysMoney } from '@platform/guards';
import type { Request } from 'express';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';

const DESCRIPTION = `The same request again with the same key, within 24 hours, does nothing more: it is answered as the first was, with
\`Idempotency-Replayed: true\`; 409 \`idempotency.in_progress\` as long as the first is under way. Another request with the key is a 422
\`idempotency.key_reused\`. Answers of 401, 403, 422 (what does not validate), 429 and from 500 on are not kept.`;

/** For a request that changes something and may be repeated after a lost answer: takes an `Idempotency-Key`. `@Access` says whether it moves `money`. Its handler makes the keys of its movements of `@IdempotentRequestId()`. */
export const Idempotent = (): MethodDecorator =>
  applyDecorators(
    SaysMoney(),
    UseInterceptors(IdempotencyInterceptor),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description: DESCRIPTION.replaceAll('\n', ' '),
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
    }),
  );

/**
 * An id of ours for the key that came: the same when the request is tried again, also after a crash, and never that of another caller, route or
 * day. So a movement whose key is made of it is made once. Null where no key came.
 */
export const IdempotentRequestId = createParamDecorator((_data: unknown, context: ExecutionContext): string | null => {
  const { idempotentRequestId } = context.switchToHttp().getRequest<Request>();
  if (idempotentRequestId === undefined) throw new Error('@IdempotentRequestId on a route without @Idempotent');
  return idempotentRequestId;
});
