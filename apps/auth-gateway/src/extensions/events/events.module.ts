import { Module } from '@nestjs/common';
import { PlansModule } from '@platform/billing';
import { ExtensionHostModule } from '../../kernel/peers/extension-host/extension-host.module.js';
import { RunGrantsModule } from '../run-grants/run-grants.module.js';
import { BillingEventsListener } from './billing-events.listener.js';
import { EventSubscribersService } from './event-subscribers.service.js';
import { EventsController } from './events.controller.js';
import { PlatformEventsService } from './platform-events.service.js';

/** The event bus: publishes events, and calls the features that listen. */
@Module({
  imports: [ExtensionHostModule, PlansModule, RunGrantsModule],
  controllers: [EventsController],
  providers: [BillingEventsListener, EventSubscribersService, PlatformEventsService],
  exports: [PlatformEventsService],
})
export class EventsModule {}
