import { Inject, Injectable } from '@nestjs/common';
import { Outbox } from '@platform/persistence';
import { isCircuitOpen, LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource, type EntityManager } from 'typeorm';
import { LIVE_STATUSES_SQL } from '../../plans/subscription.entity.js';
import { CardsService } from '../cards.service.js';
import { ChargesService, PaymentReplaced } from '../charges.service.js';
import { PaymentRefused } from '../payment-provider.js';
import { TooManyDeclines } from '../declines/declines.repository.js';
import { PayerInactive } from '../payments.repository.js';
import { PAYMENT_COLUMNS, type PaymentRow } from '../payment-row.js';
import type { PaymentStatus } from '../payment.entity.js';
import { ClawbacksService } from '../refunds/clawbacks.service.js';
import { PaymentStatusService } from '../payment-status.service.js';
import { checkAutoTopUpLimits, type LimitReached } from './auto-topup-limits.js';
import { AutoTopUpNoticesService } from './auto-topup-notices.service.js';
import { AutoTopUpSettingsService } from './auto-topup-settings.service.js';
import { WalletCrossingsRepository, type Crossing } from './wallet-crossings.repository.js';

/** Wallets that are handled at the same time. */
const AT_ONCE = 4;

/** Current state of a wallet with a crossing. */
interface Low {
  wallet_id: string;
  user_id: string;
  tenant_id: string;
  /** Balance minus debt. */
  balance: string;
  low_mark: string | null;
  /** False while the user or the tenant is inactive. */
  may_pay: boolean;
  is_gone: boolean;
  in_an_hour: Date;
  /**
   * True if the period of the plan is over and the next one, which grants credits, is not opened
   * yet.
   */
  is_renewing: boolean;
  enabled: boolean | null;
  paused_until: Date | null;
  is_paused: boolean;
}

type Enabled = Low & {
  number: number;
  recharge_cents: number;
  recharge_tokens: string;
  daily_cap_cents: number;
  monthly_cap_cents: number;
  payment_method_id: string | null;
  updated_at: Date;
};

/** The purchase no longer matches: the settings, or the credits already bought, have changed. */
class Outdated extends Error {}

/**
 * Buys credits for users with a low balance who enabled this, and notifies the others of the low
 * balance. The movement that makes a balance fall below its mark also records that in the database,
 * as a crossing.
 *
 * A wallet has at most one automatic top-up in progress. Its scope contains a number, which grows
 * after each success. A payment with an unknown result keeps its number, and so the same
 * idempotency key at the provider.
 */
@Injectable()
export class AutoTopUpPurchasesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly crossings: WalletCrossingsRepository,
    private readonly settings: AutoTopUpSettingsService,
    private readonly notices: AutoTopUpNoticesService,
    private readonly cards: CardsService,
    private readonly charges: ChargesService,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'error'>,
    paymentStatus: PaymentStatusService,
    clawbacks: ClawbacksService,
  ) {
    paymentStatus.onChange((em, payment, before) => this.applyPaymentStatus(em, payment, before));
    // Without this, refunded credits would be bought again with the same card.
    clawbacks.onClawback((em, { user_id }, kind) =>
      settings.disable(em, user_id, kind === 'dispute' ? 'disputed' : 'refunded'),
    );
    cards.onChange(async (em, { kind, userId, cardId }) => {
      if (kind === 'removed') await settings.handleCardRemoval(em, userId, cardId);
    });
  }

  /**
   * Handles up to `CROSSING_BATCH` crossings, the records of wallets whose balance fell below its
   * low mark. If the balance is still low, buys credits for a user with automatic top-ups, and
   * notifies any other user. A wallet whose user or tenant is inactive, or whose automatic top-ups
   * are paused, waits. A failure of one wallet stops no other, and is retried.
   *
   * @returns the number of wallets.
   * @throws ServiceUnavailable if the circuit breaker of the provider is open.
   */
  async buyForLowBalances(): Promise<number> {
    const due = await this.crossings.claimDue();
    for (let first = 0; first < due.length; first += AT_ONCE) {
      await Promise.all(due.slice(first, first + AT_ONCE).map((crossing) => this.handleSafely(crossing)));
    }
    return due.length;
  }

  private async handleSafely(crossing: Crossing): Promise<void> {
    try {
      await this.handle(crossing);
    } catch (error) {
      if (isCircuitOpen(error)) throw error;
      this.logger.error(
        { err: error, wallet_id: crossing.walletId },
        'a wallet with a low balance could not be handled; it is retried',
      );
    }
  }

  private async handle(crossing: Crossing): Promise<void> {
    const low = await this.find(crossing.walletId);
    if (!low || low.is_gone || low.low_mark === null || Number(low.balance) >= Number(low.low_mark))
      return this.deleteCrossing(crossing);
    if (!low.may_pay) return this.crossings.postpone(this.dataSource.manager, crossing, low.in_an_hour);
    if (low.is_renewing) return;
    if (!low.enabled) return this.notifyLowBalance(crossing, low);
    if (low.is_paused && low.paused_until)
      return this.crossings.postpone(this.dataSource.manager, crossing, low.paused_until);
    await this.charge(crossing, low as Enabled);
  }

  private async find(walletId: string): Promise<Low | undefined> {
    const [low] = await this.dataSource.query<Low[]>(
      `SELECT w.id AS wallet_id, w.user_id, w.tenant_id, (w.balance - w.debt)::text AS balance, w.low_mark,
         u.is_active AND t.is_active AS may_pay, u.erased_at IS NOT NULL OR w.closed_at IS NOT NULL AS is_gone,
         billing_now() + interval '1 hour' AS in_an_hour, a.updated_at,
         coalesce(s.status = 'active' AND s.period_ends_at <= billing_now(), false) AS is_renewing,
         a.enabled, a.number, a.recharge_cents, a.recharge_tokens, a.daily_cap_cents, a.monthly_cap_cents, a.payment_method_id, a.paused_until,
         coalesce(a.paused_until > billing_now(), false) AS is_paused
       FROM wallets w JOIN users u ON u.id = w.user_id JOIN tenants t ON t.id = w.tenant_id LEFT JOIN auto_topups a ON a.user_id = w.user_id
         LEFT JOIN subscriptions s ON s.user_id = w.user_id AND s.status IN ${LIVE_STATUSES_SQL}
       WHERE w.id = $1`,
      [walletId],
    );
    return low;
  }

  private async deleteCrossing(crossing: Crossing): Promise<void> {
    await this.crossings.deleteHandled(this.dataSource.manager, crossing);
  }

  private async notifyLowBalance(
    crossing: Crossing,
    { user_id: userId, tenant_id: tenantId, balance, low_mark: mark }: Low,
  ): Promise<void> {
    await this.outbox.transaction(async (em) => {
      if (!(await this.crossings.deleteHandled(em, crossing))) return;
      await this.notices.notify(em, {
        kind: 'low_balance',
        userId,
        tenantId,
        balance: Number(balance),
        mark: Number(mark),
      });
    });
  }

  /**
   * Buys as many top-ups as raise the balance to the user's threshold, in one payment, within the
   * daily and monthly limits of the user; or continues a payment that is not over. If the user has
   * changed the settings since, a payment without an intent is only searched for at the provider.
   * Stops automatic top-ups if there is no card for them, and pauses them if a limit is reached.
   */
  private async charge(crossing: Crossing, low: Enabled): Promise<void> {
    const { user_id: userId, payment_method_id: chosen, number, recharge_cents: each } = low;
    const card = chosen ?? (await this.cards.findDefaultCard(userId));
    if (card === null || !(await this.cards.isCardOfUser(userId, card))) {
      return this.outbox.transaction((em) => this.settings.disable(em, userId, 'card_removed'));
    }
    const scope = `auto:${low.wallet_id}:${number}`;
    const wanted = Math.ceil((Number(low.low_mark) - Number(low.balance)) / Number(low.recharge_tokens));
    const underWay = await this.findUnfinishedPayment(scope);
    // The payment was never sent or its result is unknown, and the user has changed the settings
    // since. It is searched for at the provider and not sent again.
    if (underWay?.provider_intent_id === null && low.updated_at > underWay.created_at) {
      await this.charges.reconcilePayment(underWay);
      return;
    }
    const allowed = underWay ? { times: 1 } : await checkAutoTopUpLimits(this.dataSource.manager, userId, low, wanted);
    if (!('times' in allowed)) return this.pause(crossing, userId, allowed);
    const { times } = allowed;
    try {
      const { payment } = await this.charges.createPayment({
        userId,
        purpose: 'auto_topup',
        scope,
        amountCents: each * times,
        credits: Number(low.recharge_tokens) * times,
        paymentMethodId: card,
        prepare: (em) => this.assertCurrent(em, low, times),
      });
      // The crossing is due again immediately. The next run finds the pause or the stop that the
      // decline caused.
      if (payment.status === 'failed') await this.crossings.postpone(this.dataSource.manager, crossing, new Date(0));
      else if (['succeeded', 'open'].includes(payment.status)) await this.deleteCrossing(crossing);
    } catch (error) {
      if (error instanceof PayerInactive)
        return this.crossings.postpone(this.dataSource.manager, crossing, low.in_an_hour);
      // The crossing becomes due again when its minute is over.
      if (
        !(error instanceof Outdated) &&
        !(error instanceof PaymentReplaced) &&
        !(error instanceof PaymentRefused) &&
        !(error instanceof TooManyDeclines)
      )
        throw error;
    }
  }

  /**
   * Payment with this scope (wallet and number) that is neither `failed` nor `canceled`; undefined
   * without one. It is continued even if a limit is reached.
   */
  private async findUnfinishedPayment(scope: string): Promise<PaymentRow | undefined> {
    const [payment] = await this.dataSource.query<PaymentRow[]>(
      `SELECT ${PAYMENT_COLUMNS} FROM payments p WHERE p.scope = $1 AND p.status NOT IN ('failed', 'canceled')`,
      [scope],
    );
    return payment;
  }

  private async pause(crossing: Crossing, userId: string, { reason, until }: LimitReached): Promise<void> {
    await this.outbox.transaction(async (em) => {
      await this.settings.pause(em, userId, reason, until);
      await this.crossings.postpone(em, crossing, until);
    });
  }

  /**
   * Checks that the purchase is still right: automatic top-ups are on and not paused, their number,
   * amount and card are unchanged, the balance still needs so many top-ups, and the limits allow
   * them. Runs under the lock of the user, so that no other transaction begins a payment or changes
   * the settings.
   *
   * @throws Outdated if one of these is no longer true.
   */
  private async assertCurrent(em: EntityManager, low: Enabled, times: number): Promise<void> {
    const [current] = await em.query<Pick<Enabled, 'recharge_cents' | 'daily_cap_cents' | 'monthly_cap_cents'>[]>(
      `SELECT a.recharge_cents, a.daily_cap_cents, a.monthly_cap_cents FROM auto_topups a JOIN wallets w ON w.id = $3
       WHERE a.user_id = $1 AND a.enabled AND a.number = $2 AND a.recharge_cents = $4 AND a.payment_method_id IS NOT DISTINCT FROM $5
         AND coalesce(a.paused_until <= billing_now(), true) AND ceil((w.low_mark - (w.balance - w.debt))::numeric / a.recharge_tokens) >= $6`,
      [low.user_id, low.number, low.wallet_id, low.recharge_cents, low.payment_method_id, times],
    );
    const allowed = current ? await checkAutoTopUpLimits(em, low.user_id, current, times) : null;
    if (!allowed || !('times' in allowed) || allowed.times < times) throw new Outdated();
  }

  /**
   * Updates the settings after a new status of an automatic top-up: counts a success, pauses after
   * a decline (and stops after the third), and stops if the bank wants the customer to confirm. A
   * failure after that wait does not count as a decline. Ignores other payments.
   */
  private async applyPaymentStatus(em: EntityManager, payment: PaymentRow, before: PaymentStatus): Promise<void> {
    if (payment.purpose !== 'auto_topup') return;
    const { id: paymentId, user_id: userId, status, failure_message: why } = payment;
    if (status === 'succeeded') {
      await this.settings.recordCharge(em, {
        userId,
        paymentId,
        credits: Number(payment.credits),
        amountCents: payment.amount_cents,
      });
    } else if (status === 'open') await this.settings.disable(em, userId, 'authentication_required', paymentId);
    // A failure of a payment that waited for the customer can be of another card, so it does not
    // count against the saved one.
    else if (status === 'failed' && before !== 'open')
      await this.settings.recordDecline(em, { userId, paymentId, why });
  }
}
