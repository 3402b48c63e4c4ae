import { Injectable } from '@nestjs/common';
import type { TenantData } from '@platform/persistence';
import { newId } from '@platform/platform';
import { DataSource, type EntityManager } from 'typeorm';
import type { Page } from '../page.js';
import { DeclinesRepository } from './declines/declines.repository.js';
import { CURRENCY, PaymentProvider } from './payment-provider.js';
import { IS_BEING_MADE_SQL, UNSETTLED_SQL, waitsForCustomer, type PaymentPurpose } from './payment.entity.js';
import { isFailedOrCanceled, PAYMENT_COLUMNS, type PaymentRow } from './payment-row.js';
import { isUndelivered } from './refunds/refund-row.js';

export interface NewPayment {
  userId: string;
  purpose: PaymentPurpose;
  /** Absent: the payment is independent of all others. */
  scope?: string;
  amountCents: number;
  credits: number;
  /** Saved card that pays without the customer; absent if a browser will pay. */
  paymentMethodId?: string;
  keepsCard?: boolean;
  /** The same id for a retry of the request, which then creates no second payment. */
  requestId?: string | null;
  plan?: {
    subscriptionId: string;
    planId: string;
    planVersion: number;
    periodNumber: number;
    /** Plan from which the price of an upgrade was computed. */
    from?: { planId: string; planVersion: number };
  };
  /**
   * Runs in the transaction that creates the payment, before the insert. Does not run if the
   * payment already exists. An error aborts the transaction.
   */
  prepare?: (em: EntityManager) => Promise<void>;
}

export interface CreatedPayment {
  payment: PaymentRow;
  /**
   * False if the payment already existed: from the same request, or as the current payment of this
   * scope.
   */
  isNew: boolean;
  /**
   * Unpaid payments of the same purpose that the new one replaces. The caller must cancel them at
   * the provider.
   */
  replaced: PaymentRow[];
}

/** The user cannot pay, because the user or the tenant is inactive, or the user was deleted. */
export class PayerInactive extends Error {
  constructor() {
    super('The user or their tenant is not active.');
  }
}

/** Runs in the transaction that creates a payment. */
export type CreatedPaymentListener = (em: EntityManager, payment: PaymentRow) => Promise<void>;

/**
 * Payments of users, as they are stored here. `PaymentStatusService` stores the state that the
 * provider reports.
 */
@Injectable()
export class PaymentsRepository {
  private readonly listeners: CreatedPaymentListener[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly provider: PaymentProvider,
    private readonly declines: DeclinesRepository,
  ) {}

  /** Adds a listener for each new payment. Call this in the constructor of a provider. */
  onCreated(listener: CreatedPaymentListener): void {
    this.listeners.push(listener);
  }

  /**
   * Stores a payment before the provider is asked. A payment of the same purpose that waits for the
   * user is given up, and the caller must cancel it at the provider (`replaced`). With the same
   * `requestId`, or if the scope has a payment that is not `failed` or `canceled`, returns that
   * payment with `isNew` false. Simultaneous calls for one user run one after the other, because
   * the user is locked.
   *
   * @throws PayerInactive if the user or the tenant is inactive, or the user was deleted.
   * TooManyDeclines if 8 attempts of the user were declined in the last hour. Errors of `prepare`.
   */
  async insertPayment(em: EntityManager, payment: NewPayment): Promise<CreatedPayment> {
    const { userId, purpose, requestId = null, paymentMethodId = null, plan } = payment;
    const tenantId = await lockPayer(em, userId);
    await detachRequestId(em, userId, requestId);
    const before =
      requestId === null
        ? []
        : await em.query<PaymentRow[]>(
            `SELECT ${PAYMENT_COLUMNS} FROM payments p WHERE p.request_id = $1 AND p.user_id = $2`,
            [requestId, userId],
          );
    if (before[0]) return { payment: before[0], isNew: false, replaced: [] };
    const id = newId('pay');
    const scope = payment.scope ?? `${purpose}:${id}`;
    // Locks the payments before the rows that `prepare` locks, here and below, in the order of a
    // settlement.
    const ofScope = await em.query<PaymentRow[]>(
      `SELECT ${PAYMENT_COLUMNS} FROM payments p WHERE p.scope = $1 ORDER BY p.attempt FOR NO KEY UPDATE`,
      [scope],
    );
    const standing = ofScope.find((one) => !isFailedOrCanceled(one));
    if (standing) return { payment: standing, isNew: false, replaced: [] };
    await this.declines.assertBelowLimit(userId, em);
    const replaced = await this.replaceOpen(em, userId, purpose);
    await payment.prepare?.(em);
    const [made] = await em.query<PaymentRow[]>(
      `INSERT INTO payments AS p (id, tenant_id, user_id, purpose, scope, attempt, status, amount_cents, currency, credits, is_live, is_off_session,
         keeps_card, payment_method_id, request_id, subscription_id, plan_id, plan_version, period_number, from_plan_id, from_plan_version)
       SELECT $1, $2, $3, $4, $5, coalesce(max(o.attempt), 0) + 1, 'created', $6, $7, $8, $9, $10::text IS NOT NULL, $11, $10, $12, $13, $14, $15, $16, $17, $18
       FROM payments o WHERE o.scope = $5
       RETURNING ${PAYMENT_COLUMNS}`,
      [
        id,
        tenantId,
        userId,
        purpose,
        scope,
        payment.amountCents,
        CURRENCY,
        payment.credits,
        this.provider.isLive,
        paymentMethodId,
        payment.keepsCard ?? false,
        requestId,
        plan?.subscriptionId,
        plan?.planId,
        plan?.planVersion,
        plan?.periodNumber,
        plan?.from?.planId,
        plan?.from?.planVersion,
      ],
    );
    if (!made) throw new Error(`The payment ${id} was not inserted.`);
    for (const listener of this.listeners) await listener(em, made);
    return { payment: made, isNew: true, replaced };
  }

  /** Payment of this user; null if the user has none with this intent. */
  async findByIntent(userId: string, intentId: string): Promise<PaymentRow | null> {
    const [payment] = await this.dataSource.query<PaymentRow[]>(
      `SELECT ${PAYMENT_COLUMNS} FROM payments p WHERE p.provider_intent_id = $1 AND p.user_id = $2`,
      [intentId, userId],
    );
    return payment ?? null;
  }

  /** Payment that an earlier try of this request created; null without one. */
  async findByRequest(userId: string, requestId: string): Promise<PaymentRow | null> {
    const [payment] = await this.dataSource.query<PaymentRow[]>(
      `SELECT ${PAYMENT_COLUMNS} FROM payments p WHERE p.request_id = $1 AND p.user_id = $2`,
      [requestId, userId],
    );
    return payment ?? null;
  }

  /**
   * Number of paid upgrades to this plan within this period. It can be above 1, because a refunded
   * upgrade counts too.
   */
  async countUpgrades(
    em: EntityManager,
    userId: string,
    plan: { subscriptionId: string; periodNumber: number; planId: string },
  ): Promise<number> {
    const [row] = await em.query<[{ count: number }]>(
      `SELECT count(*)::int AS count FROM payments
       WHERE user_id = $1 AND subscription_id = $2 AND period_number = $3 AND plan_id = $4 AND purpose = 'upgrade' AND status = 'succeeded'`,
      [userId, plan.subscriptionId, plan.periodNumber, plan.planId],
    );
    return row.count;
  }

  async findPayment(id: string): Promise<PaymentRow | null> {
    const [payment] = await this.dataSource.query<PaymentRow[]>(
      `SELECT ${PAYMENT_COLUMNS} FROM payments p WHERE p.id = $1`,
      [id],
    );
    return payment ?? null;
  }

  /** Payments that have reached the provider, newest first. */
  listPayments(tenant: TenantData, userId: string, { limit, offset }: Page): Promise<PaymentRow[]> {
    return tenant.query<PaymentRow>(
      `SELECT ${PAYMENT_COLUMNS} FROM payments p WHERE p.tenant_id = $tenant AND p.user_id = $1 AND p.provider_intent_id IS NOT NULL
       ORDER BY p.created_at DESC, p.id DESC LIMIT $2 OFFSET $3`,
      [userId, limit, offset],
    );
  }

  /**
   * Gives up unpaid payments during account deletion, except those that the bank is processing. The
   * sweep cancels them at the provider.
   */
  async cancelForAccountDeletion(tenant: TenantData, userId: string): Promise<void> {
    await tenant.query(
      "UPDATE payments SET status = 'canceling' WHERE tenant_id = $tenant AND user_id = $1 AND status IN ('created', 'open', 'unknown')",
      [userId],
    );
  }

  /**
   * Gives up an automatic top-up that waits for a confirmation at the bank, because the user saves
   * new settings. The sweep cancels it at the provider.
   */
  async cancelOpenAutoTopUp(em: EntityManager, userId: string): Promise<void> {
    await em.query(
      "UPDATE payments SET status = 'canceling' WHERE user_id = $1 AND purpose = 'auto_topup' AND status = 'open'",
      [userId],
    );
  }

  /**
   * Gives up all payments of the user that a browser can pay. Also returns payments that were given
   * up earlier and are perhaps not canceled yet. Pass the result to
   * `ChargesService.reconcilePayment`, which cancels them at the provider.
   */
  async cancelBrowserPayments(userId: string): Promise<PaymentRow[]> {
    const [waiting] = await this.dataSource.query<[PaymentRow[], number]>(
      `UPDATE payments p SET status = 'canceling' WHERE p.user_id = $1 AND (p.status IN ('canceling', 'open') OR ${waitsForCustomer('p')}) RETURNING ${PAYMENT_COLUMNS}`,
      [userId],
    );
    return waiting;
  }

  /**
   * Gives up the user's payments with the status `open` in this mode (test or live), or only the
   * one with `id`, and returns them. `ChargesService.reconcilePayment` or the sweep cancels them at
   * the provider.
   */
  async cancelOpenPayments(em: EntityManager, userId: string, id: string | null = null): Promise<PaymentRow[]> {
    const [open] = await em.query<[PaymentRow[], number]>(
      `UPDATE payments p SET status = 'canceling'
       WHERE p.user_id = $1 AND p.is_live = $2 AND p.status = 'open' AND ($3::text IS NULL OR p.id = $3) RETURNING ${PAYMENT_COLUMNS}`,
      [userId, this.provider.isLive, id],
    );
    return open;
  }

  /** True if a payment of the user is not final. */
  async hasUnsettled(userId: string): Promise<boolean> {
    return (
      (
        await this.dataSource.query<unknown[]>(`SELECT FROM payments WHERE user_id = $1 AND ${UNSETTLED_SQL} LIMIT 1`, [
          userId,
        ])
      ).length > 0
    );
  }

  /**
   * Age in seconds of the oldest payment in each status in which the provider must act: `created`,
   * `unknown`, `canceling` and `processing`; 0 without one.
   */
  async getOldestAges(): Promise<{ status: string; age: number }[]> {
    const rows = await this.dataSource.query<{ status: string; age: string }[]>(
      `SELECT s.status, coalesce(max(extract(epoch FROM now() - p.created_at)), 0) AS age
       FROM unnest('{created,unknown,canceling,processing}'::text[]) AS s (status) LEFT JOIN payments p ON p.status = s.status AND p.${UNSETTLED_SQL} GROUP BY 1`,
    );
    return rows.map(({ status, age }) => ({ status, age: Number(age) }));
  }

  /**
   * Number of payments with an unknown state or still to be canceled. Does not count payments that
   * are just being made.
   */
  async countUnknown(): Promise<number> {
    const [row] = await this.dataSource.query<[{ count: number }]>(
      `SELECT count(*)::int AS count FROM payments WHERE status IN ('created', 'unknown', 'canceling') AND NOT ${IS_BEING_MADE_SQL}`,
    );
    return row.count;
  }

  /**
   * Records that the provider did not answer. Does nothing if the payment already has another
   * status than `created`.
   */
  async markUnknown(id: string): Promise<void> {
    await this.dataSource.query(
      "UPDATE payments SET status = 'unknown', checked_at = now() WHERE id = $1 AND status = 'created'",
      [id],
    );
  }

  /** True if the platform could not give the user the paid item. */
  isUndelivered(id: string): Promise<boolean> {
    return isUndelivered(this.dataSource, id);
  }

  /** True if the user can pay now: user and tenant are active, and the user was not deleted. */
  async isPayerActive(userId: string): Promise<boolean> {
    const active = await this.dataSource.query<unknown[]>(
      'SELECT FROM users u JOIN tenants t ON t.id = u.tenant_id WHERE u.id = $1 AND u.erased_at IS NULL AND u.is_active AND t.is_active',
      [userId],
    );
    return active.length > 0;
  }

  private async replaceOpen(em: EntityManager, userId: string, purpose: PaymentPurpose): Promise<PaymentRow[]> {
    const [replaced] = await em.query<[PaymentRow[], number]>(
      `UPDATE payments p SET status = 'canceling'
       WHERE p.user_id = $1 AND p.purpose = $2 AND ${waitsForCustomer('p')} RETURNING ${PAYMENT_COLUMNS}`,
      [userId, purpose],
    );
    return replaced;
  }
}

/**
 * Detaches the request id from a canceled payment that never reached the provider, so that a retry
 * of the request creates a new payment.
 */
async function detachRequestId(em: EntityManager, userId: string, requestId: string | null): Promise<void> {
  if (requestId === null) return;
  await em.query(
    "UPDATE payments SET request_id = NULL WHERE request_id = $1 AND user_id = $2 AND status = 'canceled' AND provider_intent_id IS NULL",
    [requestId, userId],
  );
}

/**
 * Locks the user, so that simultaneous payments of the user wait. Returns the user's tenant.
 *
 * @throws PayerInactive if the user or the tenant is inactive, or the user was deleted.
 */
async function lockPayer(em: EntityManager, userId: string): Promise<string> {
  const [payer] = await em.query<{ tenant_id: string }[]>(
    `SELECT u.tenant_id FROM users u JOIN tenants t ON t.id = u.tenant_id
     WHERE u.id = $1 AND u.erased_at IS NULL AND u.is_active AND t.is_active FOR NO KEY UPDATE OF u`,
    [userId],
  );
  if (!payer) throw new PayerInactive();
  return payer.tenant_id;
}
