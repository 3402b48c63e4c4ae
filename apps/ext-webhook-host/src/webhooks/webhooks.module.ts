import { Module, type DynamicModule } from '@nestjs/common';
import { WebhookDeliveriesController } from './inbox/webhook-deliveries.controller.js';
import { HostWebhookDeliveriesService } from './inbox/host-webhook-deliveries.service.js';
import { WebhookInboxService } from './inbox/webhook-inbox.service.js';
import { WebhookInboxWorker } from './inbox/webhook-inbox.worker.js';
import { WebhookReceiverService } from './webhook-receiver.service.js';
import { DraftWebhooksController, HostWebhooksController } from './host-webhooks.controller.js';
import { WebhooksService } from './running/webhooks.service.js';

/** Webhooks, which other systems call. */
@Module({})
export class WebhooksModule {
  /** Registers the module. `runs` provides the runs. */
  static withRuns(runs: DynamicModule): DynamicModule {
    return {
      module: WebhooksModule,
      imports: [runs],
      controllers: [HostWebhooksController, DraftWebhooksController, WebhookDeliveriesController],
      providers: [
        WebhooksService,
        WebhookReceiverService,
        WebhookInboxService,
        WebhookInboxWorker,
        HostWebhookDeliveriesService,
      ],
      exports: [WebhookInboxService],
    };
  }
}
