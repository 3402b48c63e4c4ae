import { Module, type DynamicModule } from '@nestjs/common';
import { WebhookDeliveriesController } from './inbox/webhook-deliveries.controller.js';
import { WebhookDeliveries } from './inbox/host-webhook-deliveries.service.js';
import { WebhookInbox } from './inbox/webhook-inbox.service.js';
import { WebhookInboxWorker } from './inbox/webhook-inbox.worker.js';
import { WebhookReceiver } from './webhook-receiver.service.js';
import { DraftWebhooksController, WebhooksController } from './host-webhooks.controller.js';
import { Webhooks } from './running/webhooks.service.js';

/** Webhooks, which other systems call. */
@Module({})
export class WebhooksModule {
  /** Registers the module. `runs` provides the runs. */
  static register(runs: DynamicModule): DynamicModule {
    return {
      module: WebhooksModule,
      imports: [runs],
      controllers: [WebhooksController, DraftWebhooksController, WebhookDeliveriesController],
      providers: [Webhooks, WebhookReceiver, WebhookInbox, WebhookInboxWorker, WebhookDeliveries],
      exports: [WebhookInbox],
    };
  }
}
