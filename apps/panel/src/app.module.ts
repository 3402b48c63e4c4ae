import { Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { GuardsModule } from '@platform/guards';
import { PersistenceModule } from '@platform/persistence';
import { ApiController } from './api/api.controller.js';
import { CONFIG, type Config } from './config.js';
import { SameOriginGuard } from './csrf/same-origin.guard.js';
import { database } from './database.js';
import { Gateway } from './gateway/gateway.js';
import { PagesController } from './pages/pages.controller.js';
import { WebFiles } from './pages/web-files.js';
import { DeviceCookie } from './sessions/device-cookie.js';
import { SessionCookie } from './sessions/session-cookie.js';
import { SessionStore } from './sessions/session-store.js';
import { SessionSweep } from './sessions/session-sweep.js';
import { SessionController } from './sessions/session.controller.js';
import { Sessions } from './sessions/sessions.service.js';
import { SignedInGuard } from './sessions/signed-in.js';
import { ExtensionHost } from './webhooks/extension-host.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';

/** The panel's server, configured. The pages come last, since they take every path that is left. */
@Module({ controllers: [SessionController, ApiController, WebhooksController, PagesController] })
export class AppModule {
  static register(config: Config, webFolder: string): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PersistenceModule.register(database(config.DATABASE_URL, config.DATABASE_POOL_SIZE)),
        GuardsModule.register({ serviceTokens: [] }),
      ],
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: WebFiles, useFactory: () => new WebFiles(webFolder) },
        { provide: APP_GUARD, useClass: SameOriginGuard },
        DeviceCookie,
        ExtensionHost,
        Gateway,
        SessionCookie,
        SessionStore,
        SessionSweep,
        Sessions,
        SignedInGuard,
      ],
    };
  }
}
