import { Module } from '@nestjs/common';
import { Egress } from '@platform/egress';
import { CONFIG, type Config } from '../../../../config.js';
import { MailModule } from '../../../../identity/mail/mail.module.js';
import { NotificationsModule } from '../../../notifications/notifications.module.js';
import { EndpointDisablingService } from './endpoint-disabling.service.js';
import { WebhookDeliveriesWorker } from './webhook-deliveries.worker.js';
import { WebhookMetricsService } from './webhook-metrics.service.js';
import { WebhookClient } from './webhook.client.js';

/** Posts deliveries to endpoints, and disables endpoints that no event reaches. */
@Module({
  imports: [MailModule, NotificationsModule],
  providers: [
    {
      provide: Egress,
      useFactory: ({ EGRESS_ALLOW }: Config) => new Egress({ allow: EGRESS_ALLOW }),
      inject: [CONFIG],
    },
    EndpointDisablingService,
    WebhookDeliveriesWorker,
    WebhookMetricsService,
    WebhookClient,
  ],
})
export class WebhookDeliveringModule {}
