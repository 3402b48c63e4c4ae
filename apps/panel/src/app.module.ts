import { Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { GuardsModule } from '@platform/guards';
import { PersistenceModule } from '@platform/persistence';
import { ApiController } from './api/api.controller.js';
import { CONFIG, type Config } from './config.js';
import { SameOriginGuard } from './csrf/same-origin.guard.js';
import { database } from './database.js';
import { EventRelay } from './events/event-relay.js';
import { PanelEventsController } from './events/panel-events.controller.js';
import { PanelGatewayClient } from './gateway/panel-gateway.client.js';
import { PackageDownloadsService } from './packages/package-downloads.service.js';
import { PackagesController } from './packages/packages.controller.js';
import { ServedPackages } from './packages/served-packages.js';
import { PagesController } from './pages/pages.controller.js';
import { WebFiles } from './pages/web-files.js';
import { DeviceCookieService } from './sessions/device-cookie.service.js';
import { SessionCookieService } from './sessions/session-cookie.service.js';
import { SessionStore } from './sessions/session-store.js';
import { SessionCleanupService } from './sessions/session-cleanup.service.js';
import { SessionController } from './sessions/session.controller.js';
import { PanelSessionsService } from './sessions/panel-sessions.service.js';
import { SignedInGuard } from './sessions/signed-in.js';
import { WebhookProxyClient } from './webhooks/webhook-proxy.client.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';

/** Folders with the output of the build. */
export interface BuiltFolders {
  /** Files of the front end. */
  web: string;
  packages: string;
}

/**
 * The server of the panel. The order of controllers matters: `ApiController` answers all other
 * paths of `/api`, so more specific routes come before it; pages take the remaining paths.
 */
@Module({
  controllers: [
    SessionController,
    PanelEventsController,
    ApiController,
    WebhooksController,
    PackagesController,
    PagesController,
  ],
})
export class PanelAppModule {
  static register(config: Config, { web, packages }: BuiltFolders): DynamicModule {
    return {
      module: PanelAppModule,
      imports: [
        PersistenceModule.register(database(config.DATABASE_URL, config.DATABASE_POOL_SIZE)),
        GuardsModule.register({ serviceTokens: [] }),
      ],
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: WebFiles, useFactory: () => new WebFiles(web) },
        { provide: ServedPackages, useFactory: () => new ServedPackages(packages, config.PUBLIC_URL) },
        { provide: APP_GUARD, useClass: SameOriginGuard },
        DeviceCookieService,
        EventRelay,
        WebhookProxyClient,
        PanelGatewayClient,
        PackageDownloadsService,
        SessionCookieService,
        SessionStore,
        SessionCleanupService,
        PanelSessionsService,
        SignedInGuard,
      ],
    };
  }
}
