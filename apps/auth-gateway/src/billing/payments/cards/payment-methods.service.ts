import { Injectable } from '@nestjs/common';
import {
  CardsService,
  CustomerMissing,
  CustomersService,
  DeclinesRepository,
  PaidSubscriptionsService,
  PaymentProvider,
  type CardRow,
} from '@platform/billing';
import type { PaymentMethodItem, PaymentMethodRemoved, PaymentMethodUpdated, SetupResponse } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { TenantData } from '@platform/persistence';
import { newId } from '@platform/platform';
import { DataSource } from 'typeorm';
import { toPaymentError } from '../payments.errors.js';
import { PaymentMethodErrors } from './payment-methods.errors.js';

/** Saved cards of users at the provider. */
@Injectable()
export class PaymentMethodsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly cards: CardsService,
    private readonly customers: CustomersService,
    private readonly paid: PaidSubscriptionsService,
    private readonly provider: PaymentProvider,
    private readonly declines: DeclinesRepository,
  ) {}

  /** Lists the user's saved cards, newest first. Does not ask the provider. */
  async listPaymentMethods({ userId, tenantId }: UserCaller): Promise<PaymentMethodItem[]> {
    return (await this.cards.listCards(new TenantData(this.dataSource.manager, tenantId), userId)).map(toItem);
  }

  /**
   * Starts a set-up with which a browser saves a card, and returns its secret. The card is listed
   * after the provider has reported it.
   *
   * @throws AppError 429 `payment.too_many_declines` after 8 declines in an hour; 503 if the
   * provider is not available.
   */
  async startCardSetup({ userId }: UserCaller, requestId: string | null): Promise<SetupResponse> {
    await this.declines.assertBelowLimit(userId).catch(toPaymentError);
    const key = `setup:${requestId ?? newId('setup')}`;
    const { id, clientSecret } = await this.customers.withCustomer(userId, (customerId) =>
      this.provider.createSetup(customerId, { user_id: userId }, `${key}:${customerId}`),
    );
    return { client_secret: clientSecret, setup_intent_id: id, publishable_key: this.provider.publishableKey };
  }

  /**
   * Makes a card the default, which pays renewals, and automatic top-ups for which the user chose
   * no other card.
   *
   * @throws AppError 404 `payment_method.not_found` if the user does not have the card or it no
   * longer exists at the provider; 503 if the provider is not available.
   */
  async setDefaultPaymentMethod({ userId }: UserCaller, id: string): Promise<PaymentMethodUpdated> {
    if (!(await this.dataSource.transaction((em) => this.cards.setDefaultCard(em, userId, id))))
      throw PaymentMethodErrors.notFound();
    const customerId = await this.customers.findCustomerId(userId);
    if (customerId !== null && !(await this.setDefaultAtProvider(customerId, id))) throw PaymentMethodErrors.notFound();
    return { status: 'updated', id };
  }

  /**
   * Sets the default card at the provider. False if the card no longer exists there. It is then
   * deleted here too.
   */
  private async setDefaultAtProvider(customerId: string, cardId: string): Promise<boolean> {
    try {
      const isSet = await this.provider.setDefaultCard(customerId, cardId);
      if (!isSet) await this.cards.refreshCard(cardId);
      return isSet;
    } catch (error) {
      if (error instanceof CustomerMissing && (await this.customers.refreshCustomer(customerId))) return false;
      throw error;
    }
  }

  /**
   * Removes a card, so that nothing can be paid with it. The card stays if the provider is not
   * available.
   *
   * @throws AppError 404 `payment_method.not_found` if the user does not have the card, or another
   * request is removing it; 409 `payment_method.last_of_plan` for the last card while it pays for a
   * plan; 503 if the provider is not available.
   */
  async deletePaymentMethod({ userId }: UserCaller, id: string): Promise<PaymentMethodRemoved> {
    await this.dataSource.transaction(async (em) => {
      const cards = (await this.cards.lockCards(em, userId)).filter((card) => !card.is_being_removed);
      const subscription = await this.paid.lockCurrent(em, userId);
      if (!cards.some((card) => card.id === id)) throw PaymentMethodErrors.notFound();
      const isPaying = subscription && !subscription.cancel_at_period_end && subscription.price_cents !== null;
      if (isPaying && cards.length === 1) throw PaymentMethodErrors.lastOfPlan();
      await this.cards.startRemoval(em, id);
    });
    try {
      await this.provider.detachCard(id);
    } catch (error) {
      await this.cards.cancelRemoval(id);
      throw error;
    }
    // Does nothing if the provider's webhook has already deleted the card here.
    await this.dataSource.transaction((em) => this.cards.deleteCard(em, id));
    return { status: 'removed', id };
  }
}

const toItem = ({ exp_month, exp_year, is_default, id, type, brand, last4 }: CardRow): PaymentMethodItem => ({
  id,
  type,
  brand,
  last4,
  exp_month,
  exp_year,
  is_default,
});
