import { Global, Module } from '@nestjs/common';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { IdempotentRequests } from './idempotent-requests.service.js';

/** Required by routes with `@Idempotent`. */
@Global()
@Module({ providers: [IdempotencyInterceptor, IdempotentRequests], exports: [IdempotentRequests] })
export class IdempotencyModule {}
