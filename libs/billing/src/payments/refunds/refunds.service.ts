import { Inject, Injectable } from '@nestjs/common';
import { onViolation, Outbox } from '@platform/persistence';
import { LOGGER, newId } from '@platform/platform';
import type { Logger } from 'pino';
import { Counter, Registry } from 'prom-client';
import { DataSource, type EntityManager } from 'typeorm';
import { SubscriptionsService } from '../../plans/subscriptions.service.js';
import { ChargesService, IDEMPOTENCY_KEY_HOURS } from '../charges.service.js';
import { PaymentProvider, RefundDenied, type ProviderRefund } from '../payment-provider.js';
import { REFUND_STATUSES, type RefundStatus } from '../payment-refund.entity.js';
import type { PaymentRow } from '../payment-row.js';
import { lockPayment, REFUND_COLUMNS, toRefundProviderKey, type RefundRow } from './refund-row.js';
import { ClawbacksService } from './clawbacks.service.js';

export interface RefundRequest {
  intentId: string;
  /** Absent: everything that is left of the payment. */
  amountCents?: number | undefined;
  /** Reason for the refund. */
  note: string;
  /** The same id for a retry of the request, which then makes no second refund. */
  requestId: string | null;
}

/** Runs once, in the transaction in which a refund becomes `succeeded`. */
export type RefundListener = (em: EntityManager, refund: RefundRow, payment: PaymentRow) => Promise<void>;

/**
 * The refund is not possible; nothing was stored. `not_found`: no payment has this intent.
 * `not_succeeded`: it is not paid. `nothing_left`: all of it is refunded, being refunded or
 * disputed. `too_much`: more than is left of the payment, and something is left.
 */
export class RefundRefused extends Error {
  /** @param leftCents of the payment that can be refunded. */
  constructor(
    readonly why: 'not_found' | 'not_succeeded' | 'nothing_left' | 'too_much',
    readonly leftCents = 0,
  ) {
    super(`The refund is refused: ${why}.`);
  }
}

/** The provider reports a refund of a payment that is not stored as `succeeded` yet. */
class PaymentNotSucceeded extends Error {}

/**
 * A refund that was made at the provider does not fit into the payment. Probably one of our refunds
 * never reached the provider, or failed there without our knowledge.
 */
class RefundTooLarge extends Error {
  constructor(readonly paymentId: string) {
    super(
      `The stored refunds of the payment ${paymentId} differ from the provider's, so a refund of the provider does not fit.`,
    );
  }
}

/**
 * Refunds of payments. A refund is stored, then the provider is asked. The answer, an event or the
 * sweep brings the result here: the first call that reports success claws back the credits; all
 * others change nothing.
 */
@Injectable()
export class RefundsService {
  private readonly listeners: RefundListener[] = [];
  private readonly changeListeners: RefundListener[] = [];
  private readonly mismatches: Counter;

  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly provider: PaymentProvider,
    private readonly charges: ChargesService,
    private readonly clawbacks: ClawbacksService,
    private readonly subscriptions: SubscriptionsService,
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: Registry,
  ) {
    this.mismatches = new Counter({
      name: 'refund_mismatches_total',
      help: 'Refunds at the provider that differ from the stored ones. Nothing was changed for them; an operator must check them',
      registers: [metrics],
    });
  }

  /**
   * Adds a listener that runs once for each refund that succeeds, after its credits were clawed
   * back. Call this in the constructor of a provider.
   */
  onRefunded(listener: RefundListener): void {
    this.listeners.push(listener);
  }

  /**
   * Adds a listener that runs for each new status of a refund that the provider reports, before
   * credits are clawed back or returned, and for a refund that the provider refuses. Call this in
   * the constructor of a provider.
   */
  onChange(listener: RefundListener): void {
    this.changeListeners.push(listener);
  }

  /**
   * Stores a refund with the status `requested`, of `amountCents` or, without it, of all that is
   * left. Call `submitRefund` after the transaction has committed to make it at the provider.
   * Simultaneous calls for one payment run one after the other. A retry with the same `requestId`
   * returns the first refund, with `isNew` false.
   *
   * @throws RefundRefused `not_found` if no payment has this intent, `not_succeeded` if it is not
   * paid, `nothing_left` if all of it is refunded, being refunded or disputed, `too_much` if less
   * than `amountCents` is left.
   */
  async createRefund(
    em: EntityManager,
    request: RefundRequest,
  ): Promise<{ refund: RefundRow; payment: PaymentRow; isNew: boolean }> {
    const { intentId, amountCents, note, requestId } = request;
    const payment = await lockPayment(em, intentId);
    if (!payment) throw new RefundRefused('not_found');
    const [before] = await em.query<RefundRow[]>(
      `SELECT ${REFUND_COLUMNS} FROM payment_refunds r WHERE r.payment_id = $1 AND r.request_id = $2`,
      [payment.id, requestId],
    );
    if (before) return { refund: before, payment, isNew: false };
    if (payment.status !== 'succeeded') throw new RefundRefused('not_succeeded');
    const left = await this.getRefundableCents(em, payment);
    if (left <= 0) throw new RefundRefused('nothing_left');
    if (amountCents !== undefined && amountCents > left) throw new RefundRefused('too_much', left);
    const refund = await insert(em, payment, {
      amountCents: amountCents ?? left,
      reason: 'requested',
      note,
      requestId,
    });
    return { refund, payment, isNew: true };
  }

  /**
   * Cents of a payment that can still be refunded: its amount without refunds in progress or done,
   * and without disputes that are open or lost. An early warning of a dispute (a `warning_…`
   * status) does not count.
   */
  async getRefundableCents(
    em: Pick<EntityManager, 'query'>,
    payment: Pick<PaymentRow, 'id' | 'amount_cents' | 'returning_cents'>,
  ): Promise<number> {
    return Math.max(0, payment.amount_cents - payment.returning_cents - (await disputedCents(em, payment.id)));
  }

  /**
   * Makes a stored refund at the provider, or asks for its result, and stores the result with its
   * effects: a success claws back credits of the payment (see `apply`). Safe to repeat: it makes no
   * second refund. If the provider refuses it for good, it becomes `failed`, and all refunds of the
   * payment are read from the provider. Returns the refund as it is afterwards; null if it does not
   * exist.
   *
   * @throws ServiceUnavailable if the provider is not available. The sweep asks again.
   * RefundTooLarge if another refund that was made at the provider does not fit into the payment.
   */
  async submitRefund(id: string): Promise<RefundRow | null> {
    const [refund] = await this.dataSource.query<SubmittedRefund[]>(
      `SELECT ${REFUND_COLUMNS}, p.provider_intent_id AS intent_id, p.is_live FROM payment_refunds r JOIN payments p ON p.id = r.payment_id WHERE r.id = $1`,
      [id],
    );
    if (!refund) return null;
    try {
      const found = await this.find(refund);
      if (found) await this.apply(found);
    } catch (error) {
      if (!(error instanceof RefundDenied)) throw error;
      this.logger.warn(
        { refund_id: id, payment_id: refund.payment_id, why: error.message },
        'the provider refused a refund',
      );
      await this.outbox.transaction((em) => this.deny(em, refund, error.message));
      // The usual cause is a refund that was made at the provider and is perhaps unknown here.
      await this.refreshPaymentRefunds(refund.intent_id);
    }
    return this.findRefund(id);
  }

  /**
   * Reads a refund from the provider again, for example after an event about it, and stores its
   * state with its effects: a success claws back credits of the payment, and a failure after a
   * success returns them. Does nothing if the refund does not exist there.
   *
   * @throws ServiceUnavailable if the provider is not available. RefundTooLarge if the refund was
   * made at the provider and does not fit into the payment.
   */
  async refreshRefund(providerRefundId: string): Promise<void> {
    const found = await this.provider.findRefund(providerRefundId);
    if (found) await this.apply(found);
  }

  /**
   * Reads the newest 100 refunds of a payment from the provider and stores their states with their
   * effects, as `refreshRefund` does.
   *
   * @throws ServiceUnavailable if the provider is not available. RefundTooLarge if a refund was
   * made at the provider and does not fit into the payment.
   */
  async refreshPaymentRefunds(intentId: string): Promise<void> {
    for (const found of await this.provider.listRefunds(intentId)) await this.apply(found);
  }

  /** Ids of a payment's refunds that the provider has not answered yet. */
  async listRequestedIds(em: EntityManager, paymentId: string): Promise<string[]> {
    const rows = await em.query<{ id: string }[]>(
      "SELECT id FROM payment_refunds WHERE payment_id = $1 AND status = 'requested'",
      [paymentId],
    );
    return rows.map(({ id }) => id);
  }

  private async listUnfailedIds(paymentId: string): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      "SELECT id FROM payment_refunds WHERE payment_id = $1 AND status <> 'failed'",
      [paymentId],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Age in seconds of the oldest refund in each of the statuses `requested` and `pending`; 0
   * without one.
   */
  async getOldestAges(): Promise<{ status: string; age: number }[]> {
    const rows = await this.dataSource.query<{ status: string; age: string }[]>(
      `SELECT s.status, coalesce(max(extract(epoch FROM now() - r.created_at)), 0) AS age
       FROM unnest('{requested,pending}'::text[]) AS s (status) LEFT JOIN payment_refunds r ON r.status = s.status AND r.status IN ('requested', 'pending') GROUP BY 1`,
    );
    return rows.map(({ status, age }) => ({ status, age: Number(age) }));
  }

  /** Number of refunds that the provider has not answered yet. */
  async countRequested(): Promise<number> {
    const [{ open }] = await this.dataSource.query<[{ open: number }]>(
      "SELECT count(*)::int AS open FROM payment_refunds WHERE status = 'requested'",
    );
    return open;
  }

  /**
   * Stores the state of a refund that the provider reports, with its effects: a success claws back
   * credits of the payment, and a failure after a success returns them. If the clawback ended the
   * user's plan, the user gets the free plan. Adds a refund that was made at the provider, unless
   * it failed. Ignores a refund of an unknown or unpaid payment. Only logs an error if amount or
   * currency differ.
   *
   * @throws RefundTooLarge if a refund that was made at the provider does not fit into the payment,
   * even after the other refunds were checked. ServiceUnavailable if that check needs the provider
   * and it is not available.
   */
  private async apply(found: ProviderRefund): Promise<void> {
    const { intentId } = found;
    if (intentId === null) return;
    const bring = () => this.outbox.transaction((em) => this.storeReportedRefund(em, intentId, found));
    const planless = await bring().catch(async (error: unknown) => {
      if (error instanceof RefundTooLarge) {
        // The provider refuses our refunds for which it has no room, and reports failed ones. That
        // makes room.
        for (const id of await this.listUnfailedIds(error.paymentId)) await this.submitRefund(id);
        return bring();
      }
      if (!(error instanceof PaymentNotSucceeded)) throw error;
      const settled = await this.charges.refreshIntent(intentId);
      if (settled?.payment.status === 'succeeded') return bring();
      this.logger.warn(
        { refund_id: found.id, intent_id: intentId },
        'a payment that did not succeed here was refunded at the provider',
      );
      return null;
    });
    if (planless !== null) await this.subscriptions.ensureFreePlan(planless);
  }

  /**
   * Stores that the provider refused a refund for good: a refund that is not final becomes
   * `failed`, and the listeners of `onChange` run.
   */
  private async deny(em: EntityManager, { id, intent_id }: SubmittedRefund, failure: string): Promise<void> {
    const payment = await lockPayment(em, intent_id);
    const [[denied]] = await em.query<[RefundRow[], number]>(
      `UPDATE payment_refunds r SET status = 'failed', failure = $2, completed_at = now()
       WHERE id = $1 AND status IN ('requested', 'pending') RETURNING ${REFUND_COLUMNS}`,
      [id, failure],
    );
    if (payment && denied) for (const listener of this.changeListeners) await listener(em, denied, payment);
  }

  /**
   * Stores the reported state of a refund. Claws back credits of its payment if it has now
   * succeeded, and returns them if it has failed after a success. Returns the user's id if this has
   * ended the user's plan; otherwise null.
   *
   * @throws PaymentNotSucceeded if the payment is not stored as paid. RefundTooLarge if a refund
   * that was made at the provider is larger than what is left of the payment.
   */
  private async storeReportedRefund(
    em: EntityManager,
    intentId: string,
    found: ProviderRefund,
  ): Promise<string | null> {
    const payment = await lockPayment(em, intentId);
    if (!payment) return null;
    if (payment.status !== 'succeeded') throw new PaymentNotSucceeded();
    const known = await this.findKnownRefund(em, payment, found);
    // A refund that was made at the provider and failed has moved no money.
    if (!known && nextStatus('requested', found) === 'failed') return null;
    if (payment.currency !== found.currency || (known && known.amount_cents !== found.amountCents)) {
      this.mismatches.inc();
      this.logger.error(
        { payment_id: payment.id, refund_id: known?.id, provider_refund_id: found.id },
        'a refund at the provider differs from the stored one',
      );
      return null;
    }
    const refund = known ?? (await this.addProviderRefund(em, payment, found));
    const status = nextStatus(refund.status, found);
    const [[moved]] = await em.query<[RefundRow[], number]>(UPDATE, [refund.id, status, found.id, found.failure]);
    if (!moved) throw new Error(`The refund ${refund.id} no longer exists.`);
    if (moved.status === refund.status) return null;
    for (const listener of this.changeListeners) await listener(em, moved, payment);
    if (moved.status === 'failed' && refund.status === 'succeeded')
      await this.clawbacks.returnCredits(em, payment, { kind: 'refund', id: moved.id });
    return moved.status === 'succeeded' ? this.succeed(em, payment, moved) : null;
  }

  private async succeed(em: EntityManager, payment: PaymentRow, refund: RefundRow): Promise<string | null> {
    const { credits, debt, endsPlan } = await this.clawbacks.clawBackCredits(em, payment, {
      kind: 'refund',
      id: refund.id,
    });
    const after = { ...refund, credits: String(credits), debt: String(debt) };
    const refunded = { ...payment, refunded_cents: payment.refunded_cents + refund.amount_cents };
    for (const listener of this.listeners) await listener(em, after, refunded);
    return endsPlan ? payment.user_id : null;
  }

  private async findKnownRefund(
    em: EntityManager,
    payment: PaymentRow,
    { id, metadata }: ProviderRefund,
  ): Promise<RefundRow | undefined> {
    const [refund] = await em.query<RefundRow[]>(
      `SELECT ${REFUND_COLUMNS} FROM payment_refunds r
       WHERE r.payment_id = $1 AND (r.provider_refund_id = $2 OR (r.provider_refund_id IS NULL AND r.id = $3))`,
      [payment.id, id, metadata['refund_id'] ?? null],
    );
    return refund;
  }

  /**
   * Adds a refund that was made at the provider.
   *
   * @throws RefundTooLarge if it is larger than what is left of the payment.
   */
  private addProviderRefund(
    em: EntityManager,
    payment: PaymentRow,
    { amountCents, id }: ProviderRefund,
  ): Promise<RefundRow> {
    return insert(em, payment, { amountCents, reason: 'provider', providerRefundId: id }).catch(
      onViolation('payments_returning_check', () => new RefundTooLarge(payment.id)),
    );
  }

  /**
   * Reads the refund from the provider, or makes it there: while the provider still recognizes the
   * key (23 hours), sends the request again; later, searches for the refund first. Null if a refund
   * that was made there no longer appears, or if it failed before the provider gave it an id.
   *
   * @throws RefundDenied if the provider refuses it for good, or if a `pending` refund no longer
   * exists there (see `isAbsenceFinal`). ServiceUnavailable if the provider is not available.
   */
  private async find(refund: SubmittedRefund): Promise<ProviderRefund | null> {
    const {
      provider_refund_id: providerId,
      id,
      amount_cents: amountCents,
      created_at: createdAt,
      intent_id: intentId,
    } = refund;
    if (providerId !== null) {
      const known = await this.provider.findRefund(providerId);
      if (!known && refund.status === 'pending' && (await this.isAbsenceFinal(refund)))
        throw new RefundDenied('The refund no longer exists at the provider.');
      return known;
    }
    if (refund.status === 'failed') return null;
    if (Date.now() - createdAt.getTime() > IDEMPOTENCY_KEY_HOURS * 3_600_000) {
      const made = (await this.provider.listRefunds(intentId)).find(({ metadata }) => metadata['refund_id'] === id);
      if (made) return made;
    }
    return this.provider.createRefund({ intentId, amountCents, refundId: id }, toRefundProviderKey(refund));
  }

  /**
   * True if a refund that the provider does not find really no longer exists. In test mode that is
   * always true, because test data can disappear as a whole. With real money it is true only if the
   * provider still finds the payment: a key of another account sees neither. False for a refund of
   * the other mode (test or live), which the key cannot see.
   */
  private async isAbsenceFinal({ intent_id: intentId, is_live: isLive }: SubmittedRefund): Promise<boolean> {
    if (isLive !== this.provider.isLive) return false;
    return !isLive || (await this.provider.findIntent(intentId)) !== null;
  }

  private async findRefund(id: string): Promise<RefundRow | null> {
    const [refund] = await this.dataSource.query<RefundRow[]>(
      `SELECT ${REFUND_COLUMNS} FROM payment_refunds r WHERE r.id = $1`,
      [id],
    );
    return refund ?? null;
  }
}

type SubmittedRefund = RefundRow & { intent_id: string; is_live: boolean };

/**
 * Cents of a payment's disputes that are open or lost. The provider does not refund them. Early
 * warnings (`warning_…`) do not count, because the bank has not taken the money.
 */
async function disputedCents(em: Pick<EntityManager, 'query'>, paymentId: string): Promise<number> {
  const [row] = await em.query<[{ cents: number }]>(
    `SELECT coalesce(sum(amount_cents), 0)::int AS cents FROM payment_disputes
     WHERE payment_id = $1 AND status IN ('needs_response', 'under_review', 'lost')`,
    [paymentId],
  );
  return row.cents;
}

async function insert(
  em: EntityManager,
  payment: PaymentRow,
  refund: Pick<RefundRow, 'reason'> & {
    amountCents: number;
    note?: string;
    requestId?: string | null;
    providerRefundId?: string;
  },
): Promise<RefundRow> {
  const [made] = await em.query<RefundRow[]>(
    `INSERT INTO payment_refunds AS r (id, tenant_id, payment_id, number, amount_cents, reason, status, note, request_id, provider_refund_id)
     SELECT $1, $2, $3, coalesce(max(o.number), 0) + 1, $4, $5, 'requested', $6, $7, $8 FROM payment_refunds o WHERE o.payment_id = $3
     RETURNING ${REFUND_COLUMNS}`,
    [
      newId('refund'),
      payment.tenant_id,
      payment.id,
      refund.amountCents,
      refund.reason,
      refund.note ?? null,
      refund.requestId ?? null,
      refund.providerRefundId ?? null,
    ],
  );
  if (!made) throw new Error(`A refund of the payment ${payment.id} was not inserted.`);
  return made;
}

/**
 * Status of a refund after this report: `canceled` counts as `failed`, and `requires_action` as
 * `pending`. It only moves forward (`requested`, `pending`, `succeeded`, `failed`): an earlier
 * state that arrives late changes nothing.
 */
function nextStatus(status: RefundStatus, found: ProviderRefund): RefundStatus {
  const next = found.status === 'canceled' ? 'failed' : found.status === 'requires_action' ? 'pending' : found.status;
  return REFUND_STATUSES.indexOf(next) > REFUND_STATUSES.indexOf(status) ? next : status;
}

const UPDATE = `
  UPDATE payment_refunds r SET status = $2, provider_refund_id = $3, failure = coalesce($4, r.failure), checked_at = now(),
    completed_at = CASE WHEN $2 IN ('succeeded', 'failed') THEN coalesce(r.completed_at, now()) END
  WHERE r.id = $1 RETURNING ${REFUND_COLUMNS}`;
