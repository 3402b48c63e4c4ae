import { Module } from '@nestjs/common';
import { DeveloperModule } from '../../apps/developer/developer.module.js';
import { IdentityModule } from '../../identity/identity.module.js';
import { RegistryModule } from '../../kernel/peers/registry/registry.module.js';
import { EventsModule } from '../events/events.module.js';
import { ExtensionsModule } from '../extensions.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { Consents } from './consents.js';
import { InstallEvents } from './install-events.js';
import { InstallFeed } from './install-feed.js';
import { InstallWorker } from './install-worker.js';
import { InstallsController } from './installs.controller.js';
import { Installs } from './installs.service.js';
import { PlatformApps } from './platform-apps.js';

/** Who has which app, and what happens when that changes. */
@Module({
  imports: [DeveloperModule, EventsModule, ExtensionsModule, IdentityModule, NotificationsModule, RegistryModule],
  controllers: [InstallsController],
  providers: [Consents, InstallEvents, InstallFeed, Installs, InstallWorker, PlatformApps],
})
export class InstallsModule {}
