import { Inject, Injectable } from '@nestjs/common';
import {
  CardsService,
  ChargesService,
  isTopup,
  PaymentProvider,
  PaymentsRepository,
  WalletsRepository,
  type ChargeResult,
} from '@platform/billing';
import {
  CREDITS_PER_CENT,
  MIN_TOPUP_CENTS,
  type TopUpConfigResponse,
  type TopUpConfirmRequest,
  type TopUpConfirmResponse,
  type TopUpRequest,
  type TopUpResponse,
} from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { TenantData } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../../../config.js';
import { toPaymentStatus } from '../history/payment-status.js';
import { PaymentErrors, toPaymentError } from '../payments.errors.js';
import { assertTopUpPrice, getTopUpTiers } from './topup-prices.js';

/** Credits that users buy. */
@Injectable()
export class UserTopUpsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly cards: CardsService,
    private readonly charges: ChargesService,
    private readonly payments: PaymentsRepository,
    private readonly provider: PaymentProvider,
    private readonly wallets: WalletsRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Amounts that are sold, and the provider's key for payments in a browser. */
  getTopUpConfig(): TopUpConfigResponse {
    const { TOPUP_MAX_CENTS: maxCents } = this.config;
    return {
      publishable_key: this.provider.publishableKey,
      tiers: getTopUpTiers(maxCents),
      custom_min_cents: MIN_TOPUP_CENTS,
      custom_max_cents: maxCents,
      token_rate: CREDITS_PER_CENT,
    };
  }

  /**
   * Starts a payment that a browser completes, or with `off_session` a payment with the saved card.
   * A retry with the same `requestId` continues the first payment.
   *
   * @throws AppError 400 `topup.…` if the price does not match the credits; 402
   * `payment.card_required` without a saved card, `payment.declined` if it is declined; 403
   * `account_disabled` if the user or the tenant is inactive; 409 `payment.replaced` if the payment
   * was given up meanwhile; 429 `payment.too_many_declines`; 503 if the provider is not available.
   * After a 503 the platform finds out if the payment was made, and then adds the credits.
   */
  async startTopUp({ userId }: UserCaller, request: TopUpRequest, requestId: string | null): Promise<TopUpResponse> {
    const { tokens, price_cents: priceCents, save_payment_method: keepsCard, off_session: isOffSession } = request;
    assertTopUpPrice(tokens, priceCents, this.config.TOPUP_MAX_CENTS);
    const paymentMethodId = isOffSession ? await this.requireCard(userId) : undefined;
    const charged = await this.charges
      .createPayment({
        userId,
        purpose: 'topup',
        amountCents: priceCents,
        credits: tokens,
        keepsCard,
        requestId,
        ...(paymentMethodId && { paymentMethodId }),
      })
      .catch(toPaymentError);
    const { status, failure_message: why, failure_code: code } = charged.payment;
    if (status === 'failed') throw PaymentErrors.declined(why, code);
    return this.toResponse(charged);
  }

  /**
   * Checks a payment at the provider, for a backend that was told of it, and adds its credits if it
   * is paid. The provider's webhook does the same; only the first of both has an effect. Safe to
   * repeat.
   *
   * @throws AppError 404 `payment.not_found` for a payment that is not a top-up of this user; 409
   * `payment.mismatch` if the provider's payment differs from the stored one; 503 if the provider
   * is not available.
   */
  async confirmTopUp(
    { userId, tenantId }: UserCaller,
    { payment_intent_id: intentId }: TopUpConfirmRequest,
  ): Promise<TopUpConfirmResponse> {
    const payment = await this.payments.findByIntent(userId, intentId);
    if (!payment || !isTopup(payment)) throw PaymentErrors.notFound();
    const settled = await this.charges.refreshIntent(intentId);
    if (!settled) throw PaymentErrors.notFound();
    if (settled.mismatch) throw PaymentErrors.mismatch();
    const { available } = await this.wallets.getWalletState(new TenantData(this.dataSource.manager, tenantId), userId);
    const { status, credits } = settled.payment;
    return {
      payment_intent_id: intentId,
      status: toPaymentStatus(settled.payment),
      credited: status === 'succeeded' ? Number(credits) : 0,
      balance: available,
    };
  }

  private async requireCard(userId: string): Promise<string> {
    const card = await this.cards.findDefaultCard(userId);
    if (card === null) throw PaymentErrors.cardRequired();
    return card;
  }

  private toResponse({ payment, intent }: ChargeResult): TopUpResponse {
    return {
      client_secret: intent?.clientSecret ?? '',
      payment_intent_id: intent?.id ?? '',
      publishable_key: this.provider.publishableKey,
      amount_cents: payment.amount_cents,
      currency: payment.currency,
      succeeded: payment.status === 'succeeded',
      requires_action: payment.is_off_session && payment.status === 'open',
    };
  }
}
