import { Global, Module, type DynamicModule } from '@nestjs/common';
import { GuardsModule, PostgresRateLimiter, RateLimiter, RedisRateLimiter } from '@platform/guards';
import { MessagingModule, QueueEngine } from '@platform/messaging';
import { PersistenceModule } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { ActionsModule } from './extensions/actions/actions.module.js';
import { AgenciesModule } from './organisation/agencies/agencies.module.js';
import { AutomationsModule } from './automations/automations.module.js';
import { CONFIG, type Config } from './config.js';
import { database } from './database.js';
import { DeploysModule } from './apps/deploys/deploys.module.js';
import { DeveloperModule } from './apps/developer/developer.module.js';
import { AppOperationsModule } from './apps/developer/operations/app-operations.module.js';
import { EventsModule } from './extensions/events/events.module.js';
import { CallsModule } from './extensions/calls/calls.module.js';
import { UserSecretsModule } from './extensions/secrets/user-secrets.module.js';
import { ExtensionsModule } from './extensions/extensions.module.js';
import { HostRoutesModule } from './extensions/host-routes/host-routes.module.js';
import { IdentityModule } from './identity/identity.module.js';
import { Maintenance } from './maintenance/maintenance.js';
import { InstallsModule } from './extensions/installs/installs.module.js';
import { MarketplaceModule } from './marketplace/marketplace.module.js';
import { NotificationsModule } from './extensions/notifications/notifications.module.js';
import { OrganisationModule } from './organisation/organisation.module.js';
import { RegistryModule } from './kernel/peers/registry/registry.module.js';
import { SchemasModule } from './kernel/schemas/schemas.module.js';
import { GatewayCredentials } from './identity/credentials/gateway-credentials.js';
import { TenantsModule } from './organisation/tenants/tenants.module.js';

/** The gateway, configured. */
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
          credentials: GatewayCredentials,
          rateLimitScale: config.RATE_LIMIT_SCALE,
          imports: [IdentityModule],
          rateLimiter: {
            provide: RateLimiter,
            useFactory: (dataSource: DataSource, { redis, prefix }: QueueEngine) =>
              redis ? new RedisRateLimiter(redis, prefix) : new PostgresRateLimiter(dataSource),
            inject: [DataSource, QueueEngine],
          },
        }),
        IdentityModule,
        OrganisationModule,
        AgenciesModule,
        TenantsModule,
        EventsModule,
        ExtensionsModule,
        SchemasModule,
        DeploysModule,
        CallsModule,
        HostRoutesModule,
        ActionsModule,
        NotificationsModule,
        AutomationsModule,
        UserSecretsModule,
        DeveloperModule,
        AppOperationsModule,
        InstallsModule,
        MarketplaceModule,
        RegistryModule,
      ],
      providers: [{ provide: CONFIG, useValue: config }, Maintenance],
      exports: [CONFIG],
    };
  }
}
