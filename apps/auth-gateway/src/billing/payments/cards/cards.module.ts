import { Module } from '@nestjs/common';
import { PlansModule } from '@platform/billing';
import { MailModule } from '../../../identity/mail/mail.module.js';
import { ProviderEventsModule } from '../provider-events/provider-events.module.js';
import { CardEvents } from './card-events.service.js';
import { CardExpiry } from './card-expiry.worker.js';
import { PaymentMethodsController } from './payment-methods.controller.js';
import { PaymentMethods } from './payment-methods.service.js';

@Module({
  imports: [MailModule, PlansModule, ProviderEventsModule],
  controllers: [PaymentMethodsController],
  providers: [CardEvents, CardExpiry, PaymentMethods],
  exports: [PaymentMethods],
})
export class CardsModule {}
