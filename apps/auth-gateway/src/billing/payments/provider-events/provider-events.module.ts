import { Module } from '@nestjs/common';
import { ProviderEvents } from './provider-events.service.js';
import { StripeWebhook } from './stripe-webhook.service.js';
import { StripeWebhookController } from './stripe-webhook.controller.js';

@Module({
  controllers: [StripeWebhookController],
  providers: [ProviderEvents, StripeWebhook],
  exports: [ProviderEvents],
})
export class ProviderEventsModule {}
