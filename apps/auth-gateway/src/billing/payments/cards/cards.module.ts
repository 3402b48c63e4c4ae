import { Module } from '@nestjs/common';
import { PlansModule } from '@platform/billing';
import { MailModule } from '../../../identity/mail/mail.module.js';
import { ProviderEventsModule } from '../provider-events/provider-events.module.js';
import { CardEventsService } from './card-events.service.js';
import { CardExpiryWorker } from './card-expiry.worker.js';
import { PaymentMethodsController } from './payment-methods.controller.js';
import { PaymentMethodsService } from './payment-methods.service.js';

@Module({
  imports: [MailModule, PlansModule, ProviderEventsModule],
  controllers: [PaymentMethodsController],
  providers: [CardEventsService, CardExpiryWorker, PaymentMethodsService],
  exports: [PaymentMethodsService],
})
export class CardsModule {}
