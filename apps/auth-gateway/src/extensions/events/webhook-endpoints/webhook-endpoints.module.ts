import { Module } from '@nestjs/common';
import { WebhookDispatchModule } from './dispatch/webhook-dispatch.module.js';
import { EndpointDeliveries } from './endpoint-deliveries.service.js';
import { EventReplays } from './event-replays.service.js';
import { WebhookEndpointsController } from './webhook-endpoints.controller.js';
import { WebhookEndpoints } from './webhook-endpoints.service.js';

/** Administration of webhook endpoints and of their deliveries. */
@Module({
  imports: [WebhookDispatchModule],
  controllers: [WebhookEndpointsController],
  providers: [EndpointDeliveries, EventReplays, WebhookEndpoints],
})
export class WebhookEndpointsModule {}
