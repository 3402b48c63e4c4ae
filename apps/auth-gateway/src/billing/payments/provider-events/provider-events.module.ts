import { Module } from '@nestjs/common';
import { ProviderEvents } from './provider-events.js';
import { StripeWebhook } from './stripe-webhook.js';
import { StripeWebhookController } from './stripe-webhook.controller.js';

@Module({
  controllers: [StripeWebhookController],
  providers: [ProviderEvents, StripeWebhook],
  exports: [ProviderEvents],
})
export class ProviderEventsModule {}
