import { Module, type DynamicModule } from '@nestjs/common';
import { EventDeliveries } from './event-deliveries.service.js';
import { EventSubscribers } from './event-subscriptions.service.js';
import { EventWorker } from './host-events.worker.js';
import { EventsController } from './host-events.controller.js';

/** Delivers events to the apps that subscribe to them. */
@Module({})
export class EventsModule {
  /** Registers the module. `runs` provides the runs and the event bus. */
  static register(runs: DynamicModule): DynamicModule {
    return {
      module: EventsModule,
      imports: [runs],
      controllers: [EventsController],
      providers: [EventDeliveries, EventSubscribers, EventWorker],
      exports: [EventDeliveries, EventSubscribers],
    };
  }
}
