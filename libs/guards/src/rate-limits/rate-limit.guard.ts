import {
  applyDecorators,
  Inject,
  Injectable,
  SetMetadata,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension, ApiResponse } from '@nestjs/swagger';
import { clientBucket, Errors } from '@platform/platform';
import type { Request, Response } from 'express';
import { RateLimiter, type RateLimitPolicy } from './rate-limiter.js';

const RATE_LIMITS = Symbol('RATE_LIMITS');
/**
 * Factor for the quotas per client address and per user. 1, unless a load test or a shared address
 * needs more.
 */
export const RATE_LIMIT_SCALE = Symbol('RATE_LIMIT_SCALE');

/**
 * Limits a route per client address, or per IPv6 /64; above a limit the answer is 429
 * `rate_limited`. Each policy must allow the request, which counts even if it is refused later.
 * Routes whose policies have the same name share a quota. `RATE_LIMIT_SCALE` multiplies the quotas.
 * Features limit accounts and sessions themselves, because those limits must not be visible.
 */
export const RateLimit = (...policies: RateLimitPolicy[]): MethodDecorator =>
  applyDecorators(
    SetMetadata(RATE_LIMITS, policies),
    ApiResponse({ status: 429, description: 'Too many requests from this address' }),
    ApiExtension('x-limited-by', 'address'),
    ApiExtension(
      'x-limits',
      policies.map(({ quota, windowSeconds }) => ({ quota, window_seconds: windowSeconds })),
    ),
  );

@Injectable()
/** Applies the limits of `@RateLimit`, and sets the headers `RateLimit` and `RateLimit-Policy`. */
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly limiter: RateLimiter,
    @Inject(RATE_LIMIT_SCALE) private readonly scale: number,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const policies = this.reflector.get<RateLimitPolicy[] | undefined>(RATE_LIMITS, context.getHandler());
    if (!policies) return true;
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    for (const documented of policies) {
      const policy = { ...documented, quota: documented.quota * this.scale };
      const result = await this.limiter.consume(policy, clientBucket(request.ip));
      // https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
      response.setHeader('RateLimit-Policy', `"${policy.name}";q=${policy.quota};w=${policy.windowSeconds}`);
      response.setHeader('RateLimit', `"${policy.name}";r=${result.remaining};t=${result.resetSeconds}`);
      if (!result.allowed) throw Errors.rateLimited(result.retryAfterSeconds);
    }
    return true;
  }
}
