import { Module } from '@nestjs/common';
import { PlansModule } from '@platform/billing';
import { ProviderEventsModule } from '../provider-events/provider-events.module.js';
import { CardEvents } from './card-events.js';
import { PaymentMethodsController } from './payment-methods.controller.js';
import { PaymentMethods } from './payment-methods.service.js';

/** The cards of users. */
@Module({
  imports: [PlansModule, ProviderEventsModule],
  controllers: [PaymentMethodsController],
  providers: [CardEvents, PaymentMethods],
  exports: [PaymentMethods],
})
export class CardsModule {}
