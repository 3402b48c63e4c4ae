import { Inject, Injectable } from '@nestjs/common';
import { isCircuitOpen, LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { ChargesService } from '../charges.service.js';
import { PaymentProvider, type BalanceMovement } from '../payment-provider.js';
import { DisputesService } from '../refunds/disputes.service.js';
import { RefundsService } from '../refunds/refunds.service.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Younger movements are not compared: their effect can still be in progress here. */
const SETTLES_WITHIN_MS = HOUR_MS;
/** The provider can record a movement later than its timestamp says. */
const OVERLAP_MS = DAY_MS;
const FIRST_MS = 7 * DAY_MS;
const LONGEST_MS = 30 * DAY_MS;

export interface BalanceComparison {
  movements: number;
  /** Movements that still differ after their object was read again from the provider. */
  differences: number;
}

/**
 * Compares the provider's balance with the stored payments, refunds and disputes: each movement of
 * money must have had its effect, with the same amount. Finds differences about which no event
 * arrived and which no sweep covers.
 */
@Injectable()
export class PaymentBalanceService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly provider: PaymentProvider,
    private readonly charges: ChargesService,
    private readonly refunds: RefundsService,
    private readonly disputes: DisputesService,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'error'>,
  ) {}

  /**
   * Compares the movements of the provider's balance with the stored payments, refunds and
   * disputes, and stores the result: all since one day before the last comparison without
   * differences, at most the last 30 days; the first time, those of the last 7 days. Reads a
   * differing object again, with the effects of its state, before it counts as a difference. Safe
   * to repeat and to run in several processes.
   *
   * @param until default: an hour ago
   * @throws ServiceUnavailable if the provider is not available; no result is stored then.
   */
  async compareBalance({ until = new Date(Date.now() - SETTLES_WITHIN_MS) } = {}): Promise<BalanceComparison> {
    const last = await this.findLastComparison();
    const since = last ? last.agreesUntil.getTime() - OVERLAP_MS : until.getTime() - FIRST_MS;
    const from = new Date(Math.max(since, until.getTime() - LONGEST_MS));
    const found: BalanceComparison = { movements: 0, differences: 0 };
    for await (const page of this.provider.listBalanceMovements(from, until)) {
      found.movements += page.length;
      found.differences += await this.differencesOf(page);
    }
    const agreesUntil = found.differences ? new Date(Math.min(from.getTime() + OVERLAP_MS, until.getTime())) : until;
    await this.dataSource.query(
      `INSERT INTO payment_balance_checks (checked_at, agrees_until, movements, differences) VALUES (now(), $1, $2, $3) ON CONFLICT (singleton)
       DO UPDATE SET checked_at = EXCLUDED.checked_at, agrees_until = EXCLUDED.agrees_until, movements = EXCLUDED.movements, differences = EXCLUDED.differences`,
      [agreesUntil, found.movements, found.differences],
    );
    return found;
  }

  /** Result of the last comparison; null before the first. */
  async findLastComparison(): Promise<{ checkedAt: Date; agreesUntil: Date; differences: number } | null> {
    const [last] = await this.dataSource.query<{ checkedAt: Date; agreesUntil: Date; differences: number }[]>(
      'SELECT checked_at AS "checkedAt", agrees_until AS "agreesUntil", differences FROM payment_balance_checks',
    );
    return last ?? null;
  }

  private async differencesOf(page: readonly BalanceMovement[]): Promise<number> {
    const differing = await this.differing(page);
    for (const movement of differing) await this.refresh(movement);
    let differences = 0;
    for (const movement of await this.differing(differing)) {
      if (!(await this.isExpected(movement))) continue;
      differences++;
      this.logger.error(
        { movement },
        'a movement of the balance of the payment provider differs from the stored payment, refund or dispute',
      );
    }
    return differences;
  }

  private async differing(movements: readonly BalanceMovement[]): Promise<BalanceMovement[]> {
    if (!movements.length) return [];
    const rows = await this.dataSource.query<{ n: number }[]>(DIFFERING, [
      movements.map(({ kind }) => kind),
      movements.map(({ objectId }) => objectId),
      movements.map(({ intentId }) => intentId),
      movements.map(({ amountCents }) => amountCents),
    ]);
    return rows.flatMap(({ n }) => movements[n - 1] ?? []);
  }

  private async refresh({ kind, objectId, intentId }: BalanceMovement): Promise<void> {
    try {
      if (kind === 'payment' && intentId !== null) await this.charges.refreshIntent(intentId);
      if (kind === 'refund' || kind === 'refund_failure') await this.refunds.refreshRefund(objectId);
      if (kind === 'dispute' || kind === 'dispute_reversal') await this.disputes.refreshDispute(objectId);
    } catch (error) {
      if (isCircuitOpen(error)) throw error;
      this.logger.error(
        { err: error, object_id: objectId },
        'a payment, refund or dispute that moved the balance of the payment provider could not be read again',
      );
    }
  }

  /**
   * True if the platform should have stored this movement. False for money of another system that
   * uses the same account at the provider, and for a refund that was made at the provider and
   * failed before the gateway read it.
   */
  private async isExpected({ kind, objectId, intentId }: BalanceMovement): Promise<boolean> {
    if (intentId === null) return false;
    const [known] = await this.dataSource.query<{ has_refund: boolean }[]>(
      'SELECT EXISTS (SELECT FROM payment_refunds r WHERE r.provider_refund_id = $2) AS has_refund FROM payments WHERE provider_intent_id = $1',
      [intentId, objectId],
    );
    if (!known) return (await this.provider.findIntent(intentId))?.metadata['payment_id'] !== undefined;
    if (known.has_refund || (kind !== 'refund' && kind !== 'refund_failure')) return true;
    const refund = await this.provider.findRefund(objectId);
    return refund?.status !== 'failed' && refund?.status !== 'canceled';
  }
}

/**
 * $1 kinds, $2 objects, $3 intents, $4 cents. Returns the numbers, from 1, of the movements that
 * differ here.
 */
const DIFFERING = `
  SELECT m.n::int AS n
  FROM unnest($1::text[], $2::text[], $3::text[], $4::integer[]) WITH ORDINALITY AS m (kind, object_id, intent_id, cents, n)
    LEFT JOIN payments p ON m.kind = 'payment' AND p.provider_intent_id = m.intent_id
    LEFT JOIN payment_refunds r ON m.kind IN ('refund', 'refund_failure') AND r.provider_refund_id = m.object_id
    LEFT JOIN payment_disputes d ON m.kind IN ('dispute', 'dispute_reversal') AND d.provider_dispute_id = m.object_id
  WHERE NOT coalesce(m.cents = coalesce(p.amount_cents, r.amount_cents, d.amount_cents) AND CASE m.kind
    WHEN 'payment' THEN p.status = 'succeeded'
    WHEN 'refund' THEN r.status IN ('succeeded', 'failed')
    WHEN 'refund_failure' THEN r.status = 'failed'
    -- A dispute that was won before it was stored has clawed back nothing.
    WHEN 'dispute' THEN d.taken_at IS NOT NULL OR d.status = 'won'
    ELSE d.status = 'won' AND (d.taken_at IS NULL OR d.returned_at IS NOT NULL) END, false)
  ORDER BY m.n`;
