import { applyDecorators, Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension, ApiResponse } from '@nestjs/swagger';
import type { Request } from 'express';
import { userOf } from '../caller.js';
import { QuotasService } from './quotas.service.js';
import type { RateLimitPolicy } from './rate-limiter.js';

const USER_LIMIT = Symbol('USER_LIMIT');

/**
 * Limits a route per user, with all credentials of the user together; above a limit the answer is
 * 429 `rate_limited`. Each of several policies must allow the request. Routes whose policies have
 * the same name share a quota. A backend that acts for a user counts for that user; one that acts
 * for itself, and an anonymous caller, are not counted.
 */
export const UserLimit = (...policies: RateLimitPolicy[]): MethodDecorator =>
  applyDecorators(
    SetMetadata(USER_LIMIT, policies),
    ApiResponse({ status: 429, description: 'Too many requests from this user' }),
    ApiExtension('x-limited-by', 'user'),
    ApiExtension(
      'x-limits',
      policies.map(({ quota, windowSeconds }) => ({ quota, window_seconds: windowSeconds })),
    ),
  );

/** Applies the limits of `@UserLimit`. It runs after `AccessGuard`, which identifies the caller. */
@Injectable()
export class UserLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly quotas: QuotasService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const policies = this.reflector.get<RateLimitPolicy[] | undefined>(USER_LIMIT, context.getHandler()) ?? [];
    const { caller } = context.switchToHttp().getRequest<Request>();
    const user = caller && userOf(caller);
    if (user) for (const policy of policies) await this.quotas.consume(policy, user.userId);
    return true;
  }
}
