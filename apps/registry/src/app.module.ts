import { Module, type DynamicModule } from '@nestjs/common';
import { GuardsModule } from '@platform/guards';
import { PersistenceModule } from '@platform/persistence';
import { AccessModule } from './access/access.module.js';
import { ApiKeyUsers } from './access/registry-credentials.service.js';
import { AppsController } from './apps/registry-apps.controller.js';
import { Apps } from './apps/registry-apps.service.js';
import { CatalogEntries } from './catalog/catalog-entry-cache.js';
import { CatalogController } from './catalog/catalog.controller.js';
import { Catalog } from './catalog/catalog.service.js';
import { WithheldApps } from './catalog/withheld-apps.service.js';
import type { Config } from './config.js';
import { database } from './database.js';
import { HealthController } from './health/health.controller.js';
import { InstallChanges } from './installs/install-changes.service.js';
import { InstallChangesController, InstallsController } from './installs/registry-installs.controller.js';
import { Installs } from './installs/registry-installs.service.js';
import { AppSettings } from './settings/app-settings.service.js';
import { SettingsController } from './settings/settings.controller.js';
import { Manifests } from './tools/manifests.service.js';
import { ToolsController } from './tools/tools.controller.js';

@Module({
  controllers: [
    AppsController,
    ToolsController,
    SettingsController,
    CatalogController,
    InstallsController,
    InstallChangesController,
    HealthController,
  ],
  providers: [Apps, Manifests, AppSettings, Catalog, CatalogEntries, Installs, InstallChanges, WithheldApps],
})
export class AppModule {
  static register(config: Config): DynamicModule {
    const access = AccessModule.register(config);
    return {
      module: AppModule,
      imports: [
        access,
        PersistenceModule.register(database(config.DATABASE_URL, config.DATABASE_POOL_SIZE)),
        GuardsModule.register({
          serviceTokens: config.SERVICE_TOKENS,
          servicePermissions: config.SERVICE_PERMISSIONS,
          credentials: ApiKeyUsers,
          imports: [access],
        }),
      ],
    };
  }
}
