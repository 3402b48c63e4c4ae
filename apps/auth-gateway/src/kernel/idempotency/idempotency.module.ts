import { Global, Module } from '@nestjs/common';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { IdempotentRequests } from './idempotent-requests.js';

/** For the routes that take an `Idempotency-Key`. */
@Global()
@Module({ providers: [IdempotencyInterceptor, IdempotentRequests], exports: [IdempotentRequests] })
export class IdempotencyModule {}
