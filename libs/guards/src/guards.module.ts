import { Global, Module, type DynamicModule, type Provider, type Type } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { LOGGER, type ServiceGrants, type ServiceToken } from '@platform/platform';
import type { Logger } from 'pino';
import { AccessGuard } from './access.guard.js';
import { PANEL_URL } from './access.js';
import { RouteAccessCheckService } from './route-access-check.service.js';
import { Credentials, NoUserCredentials } from './credentials.js';
import { QuotasService } from './rate-limits/quotas.service.js';
import { RATE_LIMIT_SCALE, RateLimitGuard } from './rate-limits/rate-limit.guard.js';
import { RateLimiter } from './rate-limits/rate-limiter.js';
import { UserLimitGuard } from './rate-limits/user-limit.guard.js';
import { ServiceTokens } from './service-tokens.js';
import { ApiKeyStrategy } from './strategies/api-key.strategy.js';
import { PassportService } from './strategies/passport.service.js';
import { BearerStrategy } from './strategies/bearer.strategy.js';
import { ServiceTokenStrategy } from './strategies/service-token.strategy.js';

export interface GuardsOptions {
  serviceTokens: readonly ServiceToken[];
  /** Permissions of backends that are not services of the platform. Default: none. */
  servicePermissions?: ServiceGrants;
  /**
   * The app's own check of access tokens, API keys and acting users, from one of `imports`. Without
   * it users are refused.
   */
  credentials?: Type<Credentials>;
  imports?: DynamicModule['imports'];
  /** Required if a route has `@RateLimit` or `@UserLimit`. */
  rateLimiter?: Provider<RateLimiter>;
  rateLimitScale?: number;
  /** Required if the `money` of a route names a page of the panel. */
  panelUrl?: string;
}

/**
 * Runs the guards before every route: rate limits, access rules, and limits of each user. Rate
 * limits of addresses come first, because a credential costs more to check.
 */
@Global()
@Module({})
export class GuardsModule {
  static register({
    serviceTokens,
    servicePermissions = {},
    credentials,
    imports,
    rateLimiter,
    rateLimitScale = 1,
    panelUrl,
  }: GuardsOptions): DynamicModule {
    return {
      module: GuardsModule,
      imports: [DiscoveryModule, ...(imports ?? [])],
      providers: [
        {
          provide: ServiceTokens,
          inject: [LOGGER],
          useFactory: (logger: Logger) => {
            const tokens = new ServiceTokens(serviceTokens, servicePermissions);
            for (const warning of tokens.warnings) logger.warn(warning);
            return tokens;
          },
        },
        credentials
          ? { provide: Credentials, useExisting: credentials }
          : { provide: Credentials, useClass: NoUserCredentials },
        PassportService,
        BearerStrategy,
        ApiKeyStrategy,
        ServiceTokenStrategy,
        RouteAccessCheckService,
        { provide: PANEL_URL, useValue: panelUrl },
        { provide: RATE_LIMIT_SCALE, useValue: rateLimitScale },
        ...(rateLimiter ? [rateLimiter, QuotasService, { provide: APP_GUARD, useClass: RateLimitGuard }] : []),
        { provide: APP_GUARD, useClass: AccessGuard },
        ...(rateLimiter ? [{ provide: APP_GUARD, useClass: UserLimitGuard }] : []),
      ],
      exports: [ServiceTokens, ...(rateLimiter ? [RateLimiter, QuotasService] : [])],
    };
  }
}
