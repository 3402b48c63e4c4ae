import { Global, Module } from '@nestjs/common';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { IdempotentRequestsService } from './idempotent-requests.service.js';

/** Required by routes with `@Idempotent`. */
@Global()
@Module({ providers: [IdempotencyInterceptor, IdempotentRequestsService], exports: [IdempotentRequestsService] })
export class IdempotencyModule {}
