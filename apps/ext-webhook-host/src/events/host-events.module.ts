import { Module, type DynamicModule } from '@nestjs/common';
import { EventDeliveriesService } from './event-deliveries.service.js';
import { EventSubscriptionsService } from './event-subscriptions.service.js';
import { HostEventsWorker } from './host-events.worker.js';
import { HostEventsController } from './host-events.controller.js';

/** Delivers events to the apps that subscribe to them. */
@Module({})
export class HostEventsModule {
  /** Registers the module. `runs` provides the runs and the event bus. */
  static withRuns(runs: DynamicModule): DynamicModule {
    return {
      module: HostEventsModule,
      imports: [runs],
      controllers: [HostEventsController],
      providers: [EventDeliveriesService, EventSubscriptionsService, HostEventsWorker],
      exports: [EventDeliveriesService, EventSubscriptionsService],
    };
  }
}
