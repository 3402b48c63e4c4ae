import { Injectable } from '@nestjs/common';
import type { TenantData } from '@platform/persistence';
import { newId } from '@platform/platform';
import { DataSource, type EntityManager } from 'typeorm';
import type { Page } from '../page.js';
import { DeclinesRepository } from './declines/declines.repository.js';
import { CURRENCY, PaymentProvider } from './payment-provider.js';
import { IS_BEING_MADE_SQL, UNSETTLED_SQL, waitsForCustomer, type PaymentPurpose } from './payment.entity.js';
import { isGivenUp, PAYMENT_COLUMNS, type PaymentRow } from './payment-row.js';
import { wasNotDelivered } from './refunds/refund-row.js';

/** What is to be paid. */
export interface NewPayment {
  userId: string;
  purpose: PaymentPurpose;
  /** Absent: it is a payment of its own, whatever else is paid. */
  scope?: string;
  amountCents: number;
  credits: number;
  /** The kept card that pays without the customer; absent where a browser is to pay. */
  paymentMethodId?: string;
  keepsCard?: boolean;
  /** The same when a request is tried again, which then makes no other payment. */
  requestId?: string | null;
  plan?: {
    subscriptionId: string;
    planId: string;
    planVersion: number;
    periodNumber: number;
    /** Plan that the price of an upgrade counts from. */
    from?: { planId: string; planVersion: number };
  };
  /** Called in the transaction that writes it down, before it is; not where it is there already. What it throws ends the transaction. */
  prepare?: (em: EntityManager) => Promise<void>;
}

export interface Begun {
  payment: PaymentRow;
  /** False where it was there already: from the same request before, or as the one that is under way for this scope. */
  isNew: boolean;
  /** Those that its customer has not paid, of the same purpose: the provider is to be told that they are canceled. */
  replaced: PaymentRow[];
}

/** The user may not pay: they, or their tenant, are inactive. */
export class PayerInactive extends Error {
  constructor() {
    super('The user or their tenant is not active.');
  }
}

/** Called in the transaction that writes a payment down. */
export type BegunListener = (em: EntityManager, payment: PaymentRow) => Promise<void>;

/** What users pay, as it is written down here. What the provider knows comes by `Settlements`. */
@Injectable()
export class Payments {
  private readonly listeners: BegunListener[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly provider: PaymentProvider,
    private readonly declines: DeclinesRepository,
  ) {}

  /** Call it in the constructor of a provider. */
  onBegun(listener: BegunListener): void {
    this.listeners.push(listener);
  }

  /**
   * Writes down what is to be paid, before the provider is asked. A payment that a user begins takes the place of one of its purpose that waits for them. Those of one
   * user that come at once have their turn one after the other.
   *
   * @throws PayerInactive, also for one who was erased. TooManyDeclines. What `prepare` throws.
   */
  async begin(em: EntityManager, payment: NewPayment): Promise<Begun> {
    const { userId, purpose, requestId = null, paymentMethodId = null, plan } = payment;
    const tenantId = await lockPayer(em, userId);
    await forgetUnsent(em, userId, requestId);
    const before =
      requestId === null
        ? []
        : await em.query<PaymentRow[]>(`SELECT ${PAYMENT_COLUMNS} FROM payments p WHERE p.request_id = $1 AND p.user_id = $2`, [
            requestId,
            userId,
          ]);
    if (before[0]) return { payment: before[0], isNew: false, replaced: [] };
    const id = newId('pay');
    const scope = payment.scope ?? `${purpose}:${id}`;
    // The payments before what `prepare` locks, here and below, as a settlement does.
    const ofScope = await em.query<PaymentRow[]>(
      `SELECT ${PAYMENT_COLUMNS} FROM payments p WHERE p.scope = $1 ORDER BY p.attempt FOR NO KEY UPDATE`,
      [scope],
    );
    const standing = ofScope.find((one) => !isGivenUp(one));
    if (standing) return { payment: standing, isNew: false, replaced: [] };
    await this.declines.assertFew(userId, em);
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
    if (!made) throw new Error(`The payment ${id} was not written.`);
    for (const listener of this.listeners) await listener(em, made);
    return { payment: made, isNew: true, replaced };
  }

  /** Of this user; null where they have no such payment. */
  async findByIntent(userId: string, intentId: string): Promise<PaymentRow | null> {
    const [payment] = await this.dataSource.query<PaymentRow[]>(
      `SELECT ${PAYMENT_COLUMNS} FROM payments p WHERE p.provider_intent_id = $1 AND p.user_id = $2`,
      [intentId, userId],
    );
    return payment ?? null;
  }

  /** Of a request of this user that came before; null where it made none. */
  async findByRequest(userId: string, requestId: string): Promise<PaymentRow | null> {
    const [payment] = await this.dataSource.query<PaymentRow[]>(
      `SELECT ${PAYMENT_COLUMNS} FROM payments p WHERE p.request_id = $1 AND p.user_id = $2`,
      [requestId, userId],
    );
    return payment ?? null;
  }

  /** How often a change to this plan was paid within this period: more than once where the money of one went back. */
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

  /** Null where there is none. */
  async find(id: string): Promise<PaymentRow | null> {
    const [payment] = await this.dataSource.query<PaymentRow[]>(`SELECT ${PAYMENT_COLUMNS} FROM payments p WHERE p.id = $1`, [id]);
    return payment ?? null;
  }

  /** Those that the provider knows of, the newest first. */
  list(tenant: TenantData, userId: string, { limit, offset }: Page): Promise<PaymentRow[]> {
    return tenant.query<PaymentRow>(
      `SELECT ${PAYMENT_COLUMNS} FROM payments p WHERE p.tenant_id = $tenant AND p.user_id = $1 AND p.provider_intent_id IS NOT NULL
       ORDER BY p.created_at DESC, p.id DESC LIMIT $2 OFFSET $3`,
      [userId, limit, offset],
    );
  }

  /** Of a user who is erased: what nobody has paid yet is not to be paid any more. The sweep tells the provider. */
  async cancelOpen(tenant: TenantData, userId: string): Promise<void> {
    await tenant.query(
      "UPDATE payments SET status = 'canceling' WHERE tenant_id = $tenant AND user_id = $1 AND status IN ('created', 'open', 'unknown')",
      [userId],
    );
  }

  /** Of a user who chooses automatic top-ups anew: what the bank wants confirmed is given up. The sweep tells the provider. */
  async cancelOpenAutoTopUp(em: EntityManager, userId: string): Promise<void> {
    await em.query("UPDATE payments SET status = 'canceling' WHERE user_id = $1 AND purpose = 'auto_topup' AND status = 'open'", [userId]);
  }

  /** All of the user that a browser may pay, also those that were given up before and may not be canceled yet: `Charges.resolve` tells the provider. */
  async giveUpWaiting(userId: string): Promise<PaymentRow[]> {
    const [waiting] = await this.dataSource.query<[PaymentRow[], number]>(
      `UPDATE payments p SET status = 'canceling' WHERE p.user_id = $1 AND (p.status IN ('canceling', 'open') OR ${waitsForCustomer('p')}) RETURNING ${PAYMENT_COLUMNS}`,
      [userId],
    );
    return waiting;
  }

  /** Gives up payments that wait for the user at the provider, or this one of them: `Charges.resolve`, or the sweep, tells the provider. */
  async giveUpOpen(em: EntityManager, userId: string, id: string | null = null): Promise<PaymentRow[]> {
    const [open] = await em.query<[PaymentRow[], number]>(
      `UPDATE payments p SET status = 'canceling'
       WHERE p.user_id = $1 AND p.is_live = $2 AND p.status = 'open' AND ($3::text IS NULL OR p.id = $3) RETURNING ${PAYMENT_COLUMNS}`,
      [userId, this.provider.isLive, id],
    );
    return open;
  }

  /** Whether a payment of the user is not over. */
  async hasUnsettled(userId: string): Promise<boolean> {
    return (
      (await this.dataSource.query<unknown[]>(`SELECT FROM payments WHERE user_id = $1 AND ${UNSETTLED_SQL} LIMIT 1`, [userId])).length > 0
    );
  }

  /** Since when, in seconds, the oldest payment of each status waits whose state the provider is to tell; 0 where none does. */
  async oldestAges(): Promise<{ status: string; age: number }[]> {
    const rows = await this.dataSource.query<{ status: string; age: string }[]>(
      `SELECT s.status, coalesce(max(extract(epoch FROM now() - p.created_at)), 0) AS age
       FROM unnest('{created,unknown,canceling,processing}'::text[]) AS s (status) LEFT JOIN payments p ON p.status = s.status AND p.${UNSETTLED_SQL} GROUP BY 1`,
    );
    return rows.map(({ status, age }) => ({ status, age: Number(age) }));
  }

  /** How many there are whose state nobody knows, or that are to be canceled. Those that are being made are not counted. */
  async countUnknown(): Promise<number> {
    const [row] = await this.dataSource.query<[{ count: number }]>(
      `SELECT count(*)::int AS count FROM payments WHERE status IN ('created', 'unknown', 'canceling') AND NOT ${IS_BEING_MADE_SQL}`,
    );
    return row.count;
  }

  /** The provider was asked for it, and did not answer. */
  async markUnknown(id: string): Promise<void> {
    await this.dataSource.query("UPDATE payments SET status = 'unknown', checked_at = now() WHERE id = $1 AND status = 'created'", [id]);
  }

  /** Whether what was paid for could not be given any more. */
  wasNotDelivered(id: string): Promise<boolean> {
    return wasNotDelivered(this.dataSource, id);
  }

  /** Whether they may pay at this moment. */
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

/** Of a request whose payment never reached the provider: the same request again makes another. */
async function forgetUnsent(em: EntityManager, userId: string, requestId: string | null): Promise<void> {
  if (requestId === null) return;
  await em.query(
    "UPDATE payments SET request_id = NULL WHERE request_id = $1 AND user_id = $2 AND status = 'canceled' AND provider_intent_id IS NULL",
    [requestId, userId],
  );
}

/** Others that begin a payment of the user wait. Returns the user's tenant. */
async function lockPayer(em: EntityManager, userId: string): Promise<string> {
  const [payer] = await em.query<{ tenant_id: string }[]>(
    `SELECT u.tenant_id FROM users u JOIN tenants t ON t.id = u.tenant_id
     WHERE u.id = $1 AND u.erased_at IS NULL AND u.is_active AND t.is_active FOR NO KEY UPDATE OF u`,
    [userId],
  );
  if (!payer) throw new PayerInactive();
  return payer.tenant_id;
}
