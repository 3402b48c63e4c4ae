import { Module, type DynamicModule } from '@nestjs/common';
import { EventDeliveries } from './event-deliveries.js';
import { EventSubscribers } from './event-subscribers.js';
import { EventWorker } from './event-worker.js';
import { EventsController } from './events.controller.js';

/** What apps handle of the events of others. */
@Module({})
export class EventsModule {
  /** `runs` has what runs them, and where events come in. */
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
