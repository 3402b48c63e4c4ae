import { Module } from '@nestjs/common';
import { EventPositionsModule } from '../../../../kernel/events/event-positions.module.js';
import { WebhookDeliveringModule } from '../delivering/webhook-delivering.module.js';
import { NewDeliveriesService } from './new-deliveries.service.js';
import { WebhookDispatchWorker } from './webhook-dispatch.worker.js';

/** Creates deliveries of events for the endpoints that select them. */
@Module({
  imports: [EventPositionsModule, WebhookDeliveringModule],
  providers: [NewDeliveriesService, WebhookDispatchWorker],
  exports: [NewDeliveriesService],
})
export class WebhookDispatchModule {}
