import { Module } from '@nestjs/common';
import { ProviderEventsService } from './provider-events.service.js';
import { StripeWebhookService } from './stripe-webhook.service.js';
import { StripeWebhookController } from './stripe-webhook.controller.js';

@Module({
  controllers: [StripeWebhookController],
  providers: [ProviderEventsService, StripeWebhookService],
  exports: [ProviderEventsService],
})
export class ProviderEventsModule {}
