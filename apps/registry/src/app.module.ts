import { Module, type DynamicModule } from '@nestjs/common';
import { GuardsModule } from '@platform/guards';
import { PersistenceModule } from '@platform/persistence';
import { AccessModule } from './access/access.module.js';
import { RegistryCredentialsService } from './access/registry-credentials.service.js';
import { RegistryAppsController } from './apps/registry-apps.controller.js';
import { RegistryAppsService } from './apps/registry-apps.service.js';
import { CatalogEntryCache } from './catalog/catalog-entry-cache.js';
import { CatalogController } from './catalog/catalog.controller.js';
import { CatalogService } from './catalog/catalog.service.js';
import { WithheldAppsService } from './catalog/withheld-apps.service.js';
import type { Config } from './config.js';
import { database } from './database.js';
import { HealthController } from './health/health.controller.js';
import { InstallChangesService } from './installs/install-changes.service.js';
import { InstallChangesController, RegistryInstallsController } from './installs/registry-installs.controller.js';
import { RegistryInstallsService } from './installs/registry-installs.service.js';
import { AppSettingsService } from './settings/app-settings.service.js';
import { SettingsController } from './settings/settings.controller.js';
import { ManifestsService } from './tools/manifests.service.js';
import { ToolsController } from './tools/tools.controller.js';

@Module({
  controllers: [
    RegistryAppsController,
    ToolsController,
    SettingsController,
    CatalogController,
    RegistryInstallsController,
    InstallChangesController,
    HealthController,
  ],
  providers: [
    RegistryAppsService,
    ManifestsService,
    AppSettingsService,
    CatalogService,
    CatalogEntryCache,
    RegistryInstallsService,
    InstallChangesService,
    WithheldAppsService,
  ],
})
export class RegistryAppModule {
  static register(config: Config): DynamicModule {
    const access = AccessModule.register(config);
    return {
      module: RegistryAppModule,
      imports: [
        access,
        PersistenceModule.register(database(config.DATABASE_URL, config.DATABASE_POOL_SIZE)),
        GuardsModule.register({
          serviceTokens: config.SERVICE_TOKENS,
          servicePermissions: config.SERVICE_PERMISSIONS,
          credentials: RegistryCredentialsService,
          imports: [access],
        }),
      ],
    };
  }
}
