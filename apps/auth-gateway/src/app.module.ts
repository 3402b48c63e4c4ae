import { Global, Module, type DynamicModule } from '@nestjs/common';
import { GuardsModule, PostgresRateLimiter, RateLimiter, RedisRateLimiter } from '@platform/guards';
import { MessagingModule, QueueEngine } from '@platform/messaging';
import { RetentionService, PersistenceModule } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { AppsModule } from './apps/apps.module.js';
import { AutomationsModule } from './automations/automations.module.js';
import { BillingModule } from './billing/billing.module.js';
import { CONFIG, type Config } from './config.js';
import { database } from './database.js';
import { ExtensionsModule } from './extensions/extensions.module.js';
import { CredentialsModule } from './identity/credentials/credentials.module.js';
import { GatewayCredentialsService } from './identity/credentials/gateway-credentials.service.js';
import { IdentityModule } from './identity/identity.module.js';
import { KernelModule } from './kernel/kernel.module.js';
import { MaintenanceModule } from './maintenance/maintenance.module.js';
import { MarketplaceModule } from './marketplace/marketplace.module.js';
import { OrganisationModule } from './organisation/organisation.module.js';

/** Root module of the gateway. */
@Global()
@Module({})
export class AppModule {
  static register(config: Config): DynamicModule {
    const db = database(config.DATABASE_URL, config.DATABASE_POOL_SIZE);
    return {
      module: AppModule,
      imports: [
        PersistenceModule.register(db),
        MessagingModule.register({
          schema: db.schema,
          databaseUrl: config.DATABASE_URL,
          redisUrl: config.REDIS_URL,
          runWorkers: config.WORKERS === 'inline',
          workersOffAfterSeconds: config.WORKERS_OFF_AFTER_SECONDS,
        }),
        GuardsModule.register({
          serviceTokens: config.SERVICE_TOKENS,
          servicePermissions: config.SERVICE_PERMISSIONS,
          credentials: GatewayCredentialsService,
          rateLimitScale: config.RATE_LIMIT_SCALE,
          panelUrl: config.PANEL_URL,
          imports: [CredentialsModule],
          rateLimiter: {
            provide: RateLimiter,
            useFactory: (dataSource: DataSource, { redis, prefix }: QueueEngine, retention: RetentionService) => {
              // Also with Redis, to delete counters from the time before Redis was enabled.
              retention.registerExpiredRows(() => PostgresRateLimiter.deleteUnusedCounters(dataSource));
              return redis ? new RedisRateLimiter(redis, prefix) : new PostgresRateLimiter(dataSource);
            },
            inject: [DataSource, QueueEngine, RetentionService],
          },
        }),
        KernelModule,
        IdentityModule,
        OrganisationModule,
        BillingModule,
        AppsModule,
        ExtensionsModule,
        MarketplaceModule,
        AutomationsModule,
        MaintenanceModule,
      ],
      providers: [{ provide: CONFIG, useValue: config }],
      exports: [CONFIG],
    };
  }
}
