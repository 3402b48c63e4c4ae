import { Module } from '@nestjs/common';
import { RunsModule } from '../runs/runs.module.js';
import { WebhookDeliveriesController } from './inbox/webhook-deliveries.controller.js';
import { WebhookDeliveries } from './inbox/webhook-deliveries.service.js';
import { WebhookInbox } from './inbox/webhook-inbox.js';
import { WebhookInboxWorker } from './inbox/webhook-inbox-worker.js';
import { WebhookReceiver } from './webhook-receiver.js';
import { WebhooksController } from './webhooks.controller.js';
import { Webhooks } from './webhooks.service.js';

/** What other systems call. */
@Module({
  imports: [RunsModule],
  controllers: [WebhooksController, WebhookDeliveriesController],
  providers: [Webhooks, WebhookReceiver, WebhookInbox, WebhookInboxWorker, WebhookDeliveries],
  exports: [WebhookInbox],
})
export class WebhooksModule {}
