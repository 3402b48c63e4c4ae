import { Module } from '@nestjs/common';
import { WebhookDispatchModule } from './dispatch/webhook-dispatch.module.js';
import { EndpointDeliveries } from './endpoint-deliveries.js';
import { EventReplays } from './event-replays.js';
import { WebhookEndpointsController } from './webhook-endpoints.controller.js';
import { WebhookEndpoints } from './webhook-endpoints.service.js';

/** Administrators manage where the events of their tenant are posted to, and what was sent there. */
@Module({
  imports: [WebhookDispatchModule],
  controllers: [WebhookEndpointsController],
  providers: [EndpointDeliveries, EventReplays, WebhookEndpoints],
})
export class WebhookEndpointsModule {}
