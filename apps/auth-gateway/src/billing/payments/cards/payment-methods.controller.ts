import { Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { PaymentMethodItem, PaymentMethodRemoved, PaymentMethodUpdated, SetupResponse } from '@platform/contracts';
import { Access, CurrentUser, UserLimit, type UserCaller } from '@platform/guards';
import { RefusesUnknownQueryKeys } from '@platform/platform';
import { Idempotent, IdempotentRequestId } from '../../../kernel/idempotency/idempotent.js';
import { PANEL_PAGES } from '../../releases/panel-pages.js';
import { CARD_SETUP_LIMIT, ENDING_LIMITS, PAYMENT_LIMITS } from '../payments.limits.js';
import { PaymentMethodsService } from './payment-methods.service.js';

@ApiTags('Billing')
@Controller('v1/billing/payment-methods')
export class PaymentMethodsController {
  constructor(private readonly methods: PaymentMethodsService) {}

  /** Lists the caller's saved cards, newest first. */
  @Get()
  @Access('bearerOrActingUser', { keyScope: 'billing:read', permission: 'billing' })
  @RefusesUnknownQueryKeys()
  listPaymentMethods(@CurrentUser() user: UserCaller): Promise<PaymentMethodItem[]> {
    return this.methods.listPaymentMethods(user);
  }

  /**
   * Starts to save a card. A browser completes this with the `client_secret`. The first card of a
   * user becomes the default. Answers 429 `payment.too_many_declines` after too many declines in an
   * hour.
   */
  @Post('setup')
  @HttpCode(200)
  @Access('sessionOrActingUser', { permission: 'billing', money: PANEL_PAGES.payments })
  @UserLimit(...PAYMENT_LIMITS, CARD_SETUP_LIMIT)
  @Idempotent()
  setUpPaymentMethod(
    @CurrentUser() user: UserCaller,
    @IdempotentRequestId() idempotentRequestId: string | null,
  ): Promise<SetupResponse> {
    return this.methods.startCardSetup(user, idempotentRequestId);
  }

  /**
   * Makes a card the default. The default card pays renewals, and automatic top-ups for which the
   * caller chose no other card. Answers 404 `payment_method.not_found` if the caller does not have
   * the card.
   */
  @Put(':pm_id/default')
  @Access('sessionOrActingUser', { permission: 'billing', money: PANEL_PAGES.payments })
  @UserLimit(...ENDING_LIMITS)
  @Idempotent()
  setDefaultPaymentMethod(@CurrentUser() user: UserCaller, @Param('pm_id') id: string): Promise<PaymentMethodUpdated> {
    return this.methods.setDefaultPaymentMethod(user, id);
  }

  /**
   * Removes a card. The last card cannot be removed while it pays for a plan: the answer is 409
   * `payment_method.last_of_plan`. Answers 404 `payment_method.not_found` if the caller does not
   * have the card.
   */
  @Delete(':pm_id')
  @Access('sessionOrActingUser', { permission: 'billing', money: PANEL_PAGES.payments })
  @UserLimit(...ENDING_LIMITS)
  @Idempotent()
  deletePaymentMethod(@CurrentUser() user: UserCaller, @Param('pm_id') id: string): Promise<PaymentMethodRemoved> {
    return this.methods.deletePaymentMethod(user, id);
  }
}
