import { Inject, Injectable } from '@nestjs/common';
import { Outbox } from '@platform/persistence';
import { LOGGER, newId } from '@platform/platform';
import type { Logger } from 'pino';
import { Counter, Registry } from 'prom-client';
import type { EntityManager } from 'typeorm';
import { DeclinesRepository } from './declines/declines.repository.js';
import { ALL_CUSTOMERS_SQL } from './former-customer.entity.js';
import type { PaymentIntent } from './payment-provider.js';
import { UNSETTLED_SQL, waitsForCustomer, type PaymentPurpose, type PaymentStatus } from './payment.entity.js';
import { PAYMENT_COLUMNS, type PaymentRow } from './payment-row.js';

/**
 * Gives the user the paid item, in the transaction in which the payment becomes `succeeded`. False
 * if that is no longer possible: the money is then refunded.
 */
export type PaidEffect = (em: EntityManager, payment: PaymentRow) => Promise<boolean>;

/** Runs in the transaction that changes a payment. `before` is the previous status. */
export type PaymentListener = (em: EntityManager, payment: PaymentRow, before: PaymentStatus) => Promise<void>;

/**
 * `mismatch`: the property of the provider's payment that differs from the stored one; nothing was
 * changed then. Null without a difference.
 */
export interface RecordedIntent {
  payment: PaymentRow;
  mismatch: string | null;
}

/** Shown to the user. */
const REFUSED = 'This card cannot make the payment.';

type LockedPayment = PaymentRow & { is_of_payer: boolean };

/**
 * Stores the state of payments that the provider reports. Webhooks, clients and sweeps all read the
 * intent (the payment at the provider) and pass it here. The first call that reports success gives
 * the user the paid item; all others change nothing.
 */
@Injectable()
export class PaymentStatusService {
  private readonly effects = new Map<PaymentPurpose, PaidEffect>();
  private readonly listeners: PaymentListener[] = [];
  private readonly lastListeners: PaymentListener[] = [];
  private readonly mismatches: Counter;

  constructor(
    private readonly outbox: Outbox,
    private readonly declines: DeclinesRepository,
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: Registry,
  ) {
    this.mismatches = new Counter({
      name: 'payment_mismatches_total',
      help: 'Payments at the provider that differ from the stored ones. They had no effect; an operator must check them',
      registers: [metrics],
    });
  }

  /**
   * Sets the effect of paid payments of this purpose. Call this in the constructor of a provider.
   *
   * @throws Error if the purpose already has an effect.
   */
  onPaid(purpose: PaymentPurpose, effect: PaidEffect): void {
    if (this.effects.has(purpose)) throw new Error(`There are two effects for the purpose ${purpose}.`);
    this.effects.set(purpose, effect);
  }

  /**
   * Adds a listener that runs for each new status that `recordIntent` or `endPayment` stores, after
   * the effect. Call this in the constructor of a provider.
   *
   * @param options `isLast`: run after all other listeners. Use it for a listener that takes a lock
   * for which settlements of all users wait.
   */
  onChange(listener: PaymentListener, { isLast = false } = {}): void {
    (isLast ? this.lastListeners : this.listeners).push(listener);
  }

  /**
   * Stores the state of an intent, the payment at the provider. If the payment is now paid, the
   * user gets the paid item in the same transaction or, if that is not possible, a refund is
   * stored. Changes nothing and logs an error if the intent differs from the stored payment
   * (`mismatch`). Safe to repeat.
   *
   * @param intent fresh from the provider.
   * @returns null if the intent belongs to no payment of the platform.
   */
  recordIntent(intent: PaymentIntent): Promise<RecordedIntent | null> {
    return this.outbox.transaction(async (em) => {
      const locked = await lock(em, intent);
      if (!locked) return null;
      const { is_of_payer: isOfPayer, ...payment } = locked;
      const mismatch = mismatchOf(payment, isOfPayer, intent);
      if (mismatch) {
        this.mismatches.inc();
        this.logger.error(
          { payment_id: payment.id, intent_id: intent.id, mismatch },
          'a payment at the provider differs from the stored one',
        );
        return { payment, mismatch };
      }
      await this.recordDecline(em, payment, intent);
      return { payment: await this.updateStatus(em, payment, intent), mismatch: null };
    });
  }

  /**
   * Ends a payment that does not exist at the provider: the provider refused it (`failed`), never
   * received it, or no longer has its intent (`canceled`). Does nothing to a payment that is final
   * or that has an intent there. Returns the payment as it is afterwards.
   *
   * @param options `goneIntentId`: an intent that no longer exists at the provider.
   */
  endPayment(
    id: string,
    status: 'failed' | 'canceled',
    { failureCode = null, goneIntentId = null }: { failureCode?: string | null; goneIntentId?: string | null } = {},
  ): Promise<PaymentRow> {
    return this.outbox.transaction(async (em) => {
      const [before] = await em.query<[PaymentRow]>(
        `SELECT ${PAYMENT_COLUMNS} FROM payments p JOIN users u ON u.id = p.user_id WHERE p.id = $1 FOR KEY SHARE OF u FOR NO KEY UPDATE OF p`,
        [id],
      );
      const [[ended]] = await em.query<[PaymentRow[], number]>(
        `UPDATE payments p SET status = $2, failure_code = $3, failure_message = CASE WHEN $3::text IS NOT NULL THEN '${REFUSED}' END,
           completed_at = now(), checked_at = now()
         WHERE p.id = $1 AND (p.provider_intent_id IS NULL OR p.provider_intent_id = $4) AND ${UNSETTLED_SQL} RETURNING ${PAYMENT_COLUMNS}`,
        [id, status, failureCode, goneIntentId],
      );
      if (!ended) return before;
      if (status === 'failed')
        this.logger.warn({ payment_id: id, code: failureCode }, 'the provider refused a payment');
      await this.notify(em, ended, before.status);
      return ended;
    });
  }

  /**
   * Adds to the user's declined attempts (`DeclinesRepository`) the decline of a payment that a
   * saved card made without the user, before the event about it arrives. Does nothing if the bank
   * did not decline.
   */
  private async recordDecline(
    em: EntityManager,
    { is_off_session: isOffSession, status }: PaymentRow,
    { id: intentId, customerId, declinedChargeId: attemptId }: PaymentIntent,
  ): Promise<void> {
    if (!isOffSession || status === 'failed' || attemptId === null || customerId === null) return;
    await this.declines.addDeclines(em, [{ attemptId, customerId, intentId, declinedAt: new Date() }]);
  }

  private async updateStatus(em: EntityManager, payment: PaymentRow, intent: PaymentIntent): Promise<PaymentRow> {
    const status = nextStatus(payment, intent);
    const [[moved]] = await em.query<[PaymentRow[], number]>(UPDATE, [
      payment.id,
      status,
      intent.id,
      intent.failure?.code ?? null,
      intent.failure?.message ?? null,
      intent.receiptUrl,
      intent.paymentMethodId,
    ]);
    if (!moved) throw new Error(`The payment ${payment.id} no longer exists.`);
    if (moved.status === payment.status) return moved;
    if (moved.status === 'succeeded') await this.deliver(em, moved);
    await this.notify(em, moved, payment.status);
    return moved;
  }

  private async notify(em: EntityManager, payment: PaymentRow, before: PaymentStatus): Promise<void> {
    for (const listener of [...this.listeners, ...this.lastListeners]) await listener(em, payment, before);
  }

  private async deliver(em: EntityManager, payment: PaymentRow): Promise<void> {
    const effect = this.effects.get(payment.purpose);
    if (!effect) throw new Error(`No effect is registered: the purpose ${payment.purpose} is unknown.`);
    if (await effect(em, payment)) return;
    this.logger.warn({ payment_id: payment.id }, 'the paid item cannot be delivered: the payment is refunded');
    await em.query(
      `INSERT INTO payment_refunds (id, tenant_id, payment_id, number, amount_cents, reason, status)
       VALUES ($1, $2, $3, 1, $4, 'not_deliverable', 'requested')`,
      [newId('refund'), payment.tenant_id, payment.id, payment.amount_cents],
    );
  }
}

/**
 * Finds the payment of an intent; undefined if it is no payment of the platform. Locks the user
 * before the payment, in the order of account deletion. Other payments of the user wait, because
 * some states are allowed for only one payment of a user.
 */
async function lock(
  em: EntityManager,
  { id, customerId, metadata }: PaymentIntent,
): Promise<LockedPayment | undefined> {
  const [payment] = await em.query<LockedPayment[]>(
    `SELECT ${PAYMENT_COLUMNS}, EXISTS (
       SELECT FROM ${ALL_CUSTOMERS_SQL} AS c WHERE c.user_id = p.user_id AND c.is_live = p.is_live AND c.provider_customer_id = $3) AS is_of_payer
     FROM payments p JOIN users u ON u.id = p.user_id
     WHERE p.provider_intent_id = $1 OR (p.id = $2 AND p.provider_intent_id IS NULL)
     FOR NO KEY UPDATE OF u FOR NO KEY UPDATE OF p`,
    [id, metadata['payment_id'] ?? null, customerId],
  );
  return payment;
}

function mismatchOf(payment: PaymentRow, isOfPayer: boolean, intent: PaymentIntent): string | null {
  if (intent.isLive !== payment.is_live) return 'livemode';
  if (intent.metadata['payment_id'] !== payment.id || intent.metadata['user_id'] !== payment.user_id) return 'metadata';
  if (!isOfPayer) return 'customer';
  if (intent.currency !== payment.currency) return 'currency';
  if (intent.amountCents !== payment.amount_cents) return 'amount';
  if (intent.status === 'succeeded' && intent.receivedCents !== payment.amount_cents) return 'amount_received';
  return null;
}

/** The bank wants the customer to confirm the payment. The card can still pay it then. */
const NEEDS_CUSTOMER = 'authentication_required';

function nextStatus({ status, is_off_session: isOffSession }: PaymentRow, intent: PaymentIntent): PaymentStatus {
  // A paid payment stays paid. A given-up payment becomes paid if the provider has received the
  // money.
  if (intent.status === 'succeeded' || status === 'succeeded') return 'succeeded';
  if (intent.status === 'canceled') return status === 'failed' ? 'failed' : 'canceled';
  if (status === 'failed' || status === 'canceled') return status;
  if (intent.status === 'processing') return 'processing';
  if (status === 'canceling') return 'canceling';
  const isDeclined = intent.failure !== null && intent.failure.code !== NEEDS_CUSTOMER;
  return isOffSession && isDeclined ? 'failed' : 'open';
}

/**
 * If another payment of the scope is already paid or in progress, the payment gets its own scope;
 * its effect then finds that it is one too many. An open payment is given up if another payment of
 * its purpose already waits for the customer. Of two that both wait, the younger one is given up.
 */
const UPDATE = `
  UPDATE payments p SET
    status = CASE WHEN $2 = 'open' AND EXISTS (
      SELECT FROM payments o WHERE o.user_id = p.user_id AND o.purpose = p.purpose AND o.id <> p.id AND ${waitsForCustomer('o')}
        AND (p.status <> 'open' OR o.id < p.id))
      THEN 'canceling' ELSE $2 END,
    scope = CASE WHEN $2 IN ('failed', 'canceled') OR NOT EXISTS (
      SELECT FROM payments o WHERE o.scope = p.scope AND o.id <> p.id AND o.status NOT IN ('failed', 'canceled')) THEN p.scope ELSE 'again:' || p.id END,
    provider_intent_id = $3,
    failure_code = CASE WHEN $2 IN ('processing', 'succeeded') THEN NULL ELSE coalesce($4, p.failure_code) END,
    failure_message = CASE WHEN $2 IN ('processing', 'succeeded') THEN NULL ELSE coalesce($5, p.failure_message) END,
    receipt_url = coalesce($6, p.receipt_url),
    payment_method_id = coalesce($7, p.payment_method_id),
    completed_at = CASE
      WHEN $2 = 'succeeded' AND p.status <> 'succeeded' THEN now()
      WHEN $2 IN ('succeeded', 'failed', 'canceled') THEN coalesce(p.completed_at, now()) END,
    checked_at = now()
  WHERE p.id = $1 RETURNING ${PAYMENT_COLUMNS}`;
