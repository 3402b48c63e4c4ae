import { Module } from '@nestjs/common';
import { ExtensionHostModule } from '../extension-host/extension-host.module.js';
import { InstallationGrants } from '../extensions/installation-grants.js';
import { EventSubscribers } from './event-subscribers.js';
import { EventsController } from './events.controller.js';
import { PlatformEvents } from './platform-events.js';

/** The events of the bus: for the features that publish some, and those that listen. */
@Module({
  imports: [ExtensionHostModule],
  controllers: [EventsController],
  providers: [EventSubscribers, InstallationGrants, PlatformEvents],
  exports: [PlatformEvents],
})
export class EventsModule {}
