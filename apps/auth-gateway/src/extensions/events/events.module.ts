import { Module } from '@nestjs/common';
import { ExtensionHostModule } from '../../kernel/peers/extension-host/extension-host.module.js';
import { RunGrantsModule } from '../run-grants/run-grants.module.js';
import { EventSubscribers } from './event-subscribers.js';
import { EventsController } from './events.controller.js';
import { PlatformEvents } from './platform-events.js';

/** The events of the bus: for the features that publish some, and those that listen. */
@Module({
  imports: [ExtensionHostModule, RunGrantsModule],
  controllers: [EventsController],
  providers: [EventSubscribers, PlatformEvents],
  exports: [PlatformEvents],
})
export class EventsModule {}
