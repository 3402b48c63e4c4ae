import { Module } from '@nestjs/common';
import { WebhookDispatchModule } from './dispatch/webhook-dispatch.module.js';
import { EndpointDeliveriesService } from './endpoint-deliveries.service.js';
import { EventReplaysService } from './event-replays.service.js';
import { WebhookEndpointsController } from './webhook-endpoints.controller.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';

/** Administration of webhook endpoints and of their deliveries. */
@Module({
  imports: [WebhookDispatchModule],
  controllers: [WebhookEndpointsController],
  providers: [EndpointDeliveriesService, EventReplaysService, WebhookEndpointsService],
})
export class WebhookEndpointsModule {}
