import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, newId } from '@platform/platform';
import type { Logger } from 'pino';
import { Counter, Registry } from 'prom-client';
import { DataSource, type EntityManager } from 'typeorm';
import { SubscriptionsService } from '../../plans/subscriptions.service.js';
import { ChargesService } from '../charges.service.js';
import { PaymentProvider, type DisputeStatus, type ProviderDispute } from '../payment-provider.js';
import type { PaymentRow } from '../payment-row.js';
import { DISPUTE_STATUSES } from './payment-dispute.entity.js';
import { DISPUTE_COLUMNS, lockPayment, type DisputeRow } from './refund-row.js';
import { ClawbacksService } from './clawbacks.service.js';

/** Statuses in which the bank has taken the money. In a `warning_…` status it has not. */
const HAS_MONEY: readonly DisputeStatus[] = ['needs_response', 'under_review', 'lost'];
const IS_CLOSED: readonly DisputeStatus[] = ['warning_closed', 'lost', 'won', 'prevented'];

/** Runs in the transaction that stores a new dispute or changes its status. */
export type DisputeListener = (em: EntityManager, dispute: DisputeRow, payment: PaymentRow) => Promise<void>;

/** Disputes: payments that banks take back for their customers, and perhaps return. */
@Injectable()
export class DisputesService {
  private readonly listeners: DisputeListener[] = [];
  private readonly mismatches: Counter;

  constructor(
    private readonly dataSource: DataSource,
    private readonly provider: PaymentProvider,
    private readonly charges: ChargesService,
    private readonly clawbacks: ClawbacksService,
    private readonly subscriptions: SubscriptionsService,
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: Registry,
  ) {
    this.mismatches = new Counter({
      name: 'dispute_mismatches_total',
      help: 'Disputes at the provider that do not match a stored payment. Nothing was clawed back for them; an operator must check them',
      registers: [metrics],
    });
  }

  /**
   * Adds a listener for new disputes and new statuses. Call this in the constructor of a provider.
   */
  onChange(listener: DisputeListener): void {
    this.listeners.push(listener);
  }

  /**
   * Reads a dispute from the provider and stores its state. When the bank has the money, claws back
   * as many credits as the disputed part requires; if all money is gone, the plan that it paid for
   * ends (the free plan begins), or its upgrade is reverted. Returns the credits if the dispute is
   * won. Each happens once, in any order of events. Ignores an unknown dispute or payment; logs an
   * error if the payment is unpaid or in another currency.
   *
   * @throws ServiceUnavailable if the provider is not available.
   */
  async refreshDispute(providerDisputeId: string): Promise<void> {
    const found = await this.provider.findDispute(providerDisputeId);
    if (!found || found.intentId === null) return;
    const { intentId } = found;
    const [known] = await this.dataSource.query<{ status: string }[]>(
      'SELECT status FROM payments WHERE provider_intent_id = $1',
      [intentId],
    );
    if (known?.status !== 'succeeded') await this.charges.refreshIntent(intentId);
    const planless = await this.dataSource.transaction((em) => this.storeReportedDispute(em, intentId, found));
    if (planless !== null) await this.subscriptions.ensureFreePlan(planless);
  }

  /**
   * Stores a dispute. Claws back credits of its payment when the bank has the money (`HAS_MONEY`),
   * and returns them when it is won after that. Returns the user's id if this has ended the user's
   * plan; otherwise null. Stores nothing if the payment is unknown, is unpaid or has another
   * currency.
   */
  private async storeReportedDispute(
    em: EntityManager,
    intentId: string,
    found: ProviderDispute,
  ): Promise<string | null> {
    const payment = await lockPayment(em, intentId);
    if (payment?.status !== 'succeeded' || payment.currency !== found.currency) {
      if (payment) {
        this.mismatches.inc();
        this.logger.error(
          { dispute_id: found.id, payment_id: payment.id },
          'a dispute does not match its stored payment',
        );
      }
      return null;
    }
    const dispute = await this.saveDispute(em, payment, found);
    const going = { kind: 'dispute', id: dispute.id } as const;
    if (HAS_MONEY.includes(dispute.status) && dispute.taken_at === null) {
      await em.query('UPDATE payment_disputes SET taken_at = now() WHERE id = $1', [dispute.id]);
      const { endsPlan } = await this.clawbacks.clawBackCredits(em, payment, going);
      return endsPlan ? payment.user_id : null;
    }
    if (dispute.status === 'won' && dispute.taken_at !== null && dispute.returned_at === null) {
      await em.query('UPDATE payment_disputes SET returned_at = now() WHERE id = $1', [dispute.id]);
      await this.clawbacks.returnCredits(em, payment, going);
    }
    return null;
  }

  /**
   * Stores the dispute, and runs the listeners if it is new or has a new status. The status only
   * moves forward: an earlier one that arrives late does not change it.
   */
  private async saveDispute(em: EntityManager, payment: PaymentRow, found: ProviderDispute): Promise<DisputeRow> {
    const [before] = await em.query<{ status: string }[]>(
      'SELECT status FROM payment_disputes WHERE provider_dispute_id = $1',
      [found.id],
    );
    const [dispute] = await em.query<DisputeRow[]>(
      `INSERT INTO payment_disputes AS d (id, tenant_id, payment_id, provider_dispute_id, amount_cents, status, reason, created_at, closed_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, CASE WHEN $6 = ANY ($10) THEN now() END)
       ON CONFLICT (provider_dispute_id) DO UPDATE SET
         status = CASE WHEN array_position($9, EXCLUDED.status) > array_position($9, d.status) THEN EXCLUDED.status ELSE d.status END,
         closed_at = coalesce(d.closed_at, EXCLUDED.closed_at)
       RETURNING ${DISPUTE_COLUMNS}`,
      [
        newId('dispute'),
        payment.tenant_id,
        payment.id,
        found.id,
        found.amountCents,
        found.status,
        found.reason,
        found.createdAt,
        DISPUTE_STATUSES,
        IS_CLOSED,
      ],
    );
    if (!dispute) throw new Error(`The dispute ${found.id} was not stored.`);
    if (dispute.status !== before?.status) for (const listener of this.listeners) await listener(em, dispute, payment);
    return dispute;
  }
}
