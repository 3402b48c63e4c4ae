import { Injectable } from '@nestjs/common';
import { Cards, CustomerGone, Customers, DeclinesRepository, PaidSubscriptions, PaymentProvider, type CardRow } from '@platform/billing';
import type { PaymentMethodItem, PaymentMethodRemoved, PaymentMethodUpdated, SetupResponse } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { TenantData } from '@platform/persistence';
import { newId } from '@platform/platform';
import { DataSource } from 'typeorm';
import { toPaymentError } from '../payments.errors.js';
import { PaymentMethodErrors } from './payment-methods.errors.js';

/** The cards that a user keeps at the provider. */
@Injectable()
export class PaymentMethods {
  constructor(
    private readonly dataSource: DataSource,
    private readonly cards: Cards,
    private readonly customers: Customers,
    private readonly paid: PaidSubscriptions,
    private readonly provider: PaymentProvider,
    private readonly declines: DeclinesRepository,
  ) {}

  /** The newest first. Never asks the provider. */
  async list({ userId, tenantId }: UserCaller): Promise<PaymentMethodItem[]> {
    return (await this.cards.list(new TenantData(this.dataSource.manager, tenantId), userId)).map(toItem);
  }

  /** Lets a browser keep a card. It is in the list once the provider has told that it is kept. @throws AppError 429 after too many declines, 503 while the provider is away. */
  async beginSetup({ userId }: UserCaller, requestId: string | null): Promise<SetupResponse> {
    await this.declines.assertFew(userId).catch(toPaymentError);
    const key = `setup:${requestId ?? newId('setup')}`;
    const { id, clientSecret } = await this.customers.with(userId, (customerId) =>
      this.provider.createSetup(customerId, { user_id: userId }, `${key}:${customerId}`),
    );
    return { client_secret: clientSecret, setup_intent_id: id, publishable_key: this.provider.publishableKey };
  }

  /** This card pays renewals and automatic top-ups from now on. @throws AppError 404 for one that is not theirs, or is gone from the provider, 503. */
  async makeDefault({ userId }: UserCaller, id: string): Promise<PaymentMethodUpdated> {
    if (!(await this.dataSource.transaction((em) => this.cards.makeDefault(em, userId, id)))) throw PaymentMethodErrors.notFound();
    const customerId = await this.customers.find(userId);
    if (customerId !== null && !(await this.setDefault(customerId, id))) throw PaymentMethodErrors.notFound();
    return { status: 'updated', id };
  }

  /** False where the provider has no such card any more, which is forgotten here then. */
  private async setDefault(customerId: string, cardId: string): Promise<boolean> {
    try {
      const isSet = await this.provider.setDefaultCard(customerId, cardId);
      if (!isSet) await this.cards.refresh(cardId);
      return isSet;
    } catch (error) {
      if (error instanceof CustomerGone && (await this.customers.refresh(customerId))) return false;
      throw error;
    }
  }

  /**
   * Nothing pays with it any more. It stays where the provider is away.
   *
   * @throws AppError 404 for one that is not theirs, or that another request is removing; 409 for the last one while a plan is paid with it, 503 while the provider is away.
   */
  async remove({ userId }: UserCaller, id: string): Promise<PaymentMethodRemoved> {
    await this.dataSource.transaction(async (em) => {
      const cards = (await this.cards.lockCards(em, userId)).filter((card) => !card.is_being_removed);
      const subscription = await this.paid.lockCurrent(em, userId);
      if (!cards.some((card) => card.id === id)) throw PaymentMethodErrors.notFound();
      const isPaying = subscription && !subscription.cancel_at_period_end && subscription.price_cents !== null;
      if (isPaying && cards.length === 1) throw PaymentMethodErrors.lastOfPlan();
      await this.cards.beginRemoval(em, id);
    });
    try {
      await this.provider.detachCard(id);
    } catch (error) {
      await this.cards.cancelRemoval(id);
      throw error;
    }
    // The webhook of the provider may have come first.
    await this.dataSource.transaction((em) => this.cards.forget(em, id));
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
