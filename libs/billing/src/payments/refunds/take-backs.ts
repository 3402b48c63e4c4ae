import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Ledger } from '../../ledger/ledger.js';
import { unexpectedOutcome, type TakeBack } from '../../ledger/movements.js';
import { Wallets } from '../../ledger/wallets.js';
import { PaidSubscriptions } from '../../plans/paid-subscriptions.js';
import { grantKey } from '../../plans/plan-grants.js';
import { isTopup, type PaymentRow } from '../payment-row.js';
import { topupKey } from '../topups.js';
import { wasNotDelivered } from './refund-row.js';

/** What goes back with money. */
export interface TakenBack {
  /** That were taken, debt included. */
  credits: number;
  /** What of them had been spent, and was not covered by earnings. */
  debt: number;
  /** The user has no plan any more: they are to be given the free one once this is committed. */
  endsPlan: boolean;
}

/** Called in the transaction in which credits go because their money did. */
export type TakenBackListener = (em: EntityManager, payment: PaymentRow, kind: TakeBack['kind']) => Promise<void>;

/** A refund or a dispute. */
interface GoingBack {
  kind: TakeBack['kind'];
  id: string;
}

/** What a payment brought goes where its money goes. Call it in the transaction that says so, which has locked user and payment. */
@Injectable()
export class TakeBacks {
  private readonly listeners: TakenBackListener[] = [];

  constructor(
    private readonly wallets: Wallets,
    private readonly ledger: Ledger,
    private readonly paid: PaidSubscriptions,
  ) {}

  /** After the credits of a refund or dispute are taken, also where none were left to take. Call it in the constructor of a provider. */
  onTaken(listener: TakenBackListener): void {
    this.listeners.push(listener);
  }

  /**
   * Takes as many credits as the money was for that has gone back, less those that were taken before, writes them to the refund or dispute, and ends the plan when all of
   * the money has gone. Call it once the row of what goes back says so. Credits that have expired meanwhile are not taken a second time.
   */
  async take(em: EntityManager, payment: PaymentRow, going: GoingBack): Promise<TakenBack> {
    if (await wasNotDelivered(em, payment.id)) return { credits: 0, debt: 0, endsPlan: false };
    const gone = await centsGone(em, payment.id);
    const endsPlan = gone >= payment.amount_cents && (await this.endPlan(em, payment));
    const taken = await this.takeWhatIsMissing(em, payment, { going, gone, key: movementKeyOf(going) });
    for (const listener of this.listeners) await listener(em, payment, going.kind);
    return { ...taken, endsPlan };
  }

  /**
   * The money has stayed: what was taken for it comes back, once. Another refund or dispute may have found less than its share because of it: the one that has taken least
   * for its money takes what is missing for all that stand. Call it once the row of what comes back says so.
   */
  async giveBack(em: EntityManager, payment: PaymentRow, going: GoingBack): Promise<void> {
    const walletId = await this.wallets.ensure(payment.user_id, 'user', em);
    for (const reverses of await movementKeysOf(em, payment, going)) {
      const { outcome } = await this.ledger.giveBack(walletId, { kind: going.kind, reverses, ref: payment.id }, em);
      if (!['done', 'replayed', 'closed'].includes(outcome)) unexpectedOutcome(outcome, reverses);
    }
    if (await wasNotDelivered(em, payment.id)) return;
    const least = await leastTakenOf(em, payment.id);
    if (!least) return;
    const gone = await centsGone(em, payment.id);
    await this.takeWhatIsMissing(em, payment, { going: least, gone, key: laterKeyOf(least, going.id) });
  }

  /** @param gone cents of the payment, of which the credits are to be taken, and `key` of the movement that takes what is missing. */
  private async takeWhatIsMissing(
    em: EntityManager,
    payment: PaymentRow,
    { going: { kind, id }, gone, key }: { going: GoingBack; gone: number; key: string },
  ): Promise<Pick<TakenBack, 'credits' | 'debt'>> {
    const walletId = await this.wallets.ensure(payment.user_id, 'user', em);
    // Both wallets, in the order in which an erasure locks them.
    await em.query('SELECT 1 FROM wallets WHERE user_id = $1 ORDER BY id FOR NO KEY UPDATE', [payment.user_id]);
    await em.query('SELECT ledger_sweep($1)', [walletId]);
    const credits = await creditsOf(em, walletId, payment, Math.min(gone, payment.amount_cents));
    if (credits === 0) return { credits, debt: 0 };
    const source = isTopup(payment) ? 'topup' : 'plan';
    const { outcome, amount } = await this.ledger.takeBack(walletId, { kind, key, ref: payment.id, source, amount: credits }, em);
    // Of a user who was erased the platform has them already.
    if (outcome === 'closed') return { credits: 0, debt: 0 };
    if (outcome !== 'done' && outcome !== 'replayed') unexpectedOutcome(outcome, key);
    const debt = credits + (amount ?? 0);
    if (outcome === 'done') await em.query(ADD_TAKEN[kind], [id, credits, debt]);
    return { credits, debt };
  }

  private async endPlan(em: EntityManager, { id, purpose, subscription_id, period_number, plan_id }: PaymentRow): Promise<boolean> {
    if (subscription_id === null || period_number === null || plan_id === null) return false;
    if (purpose !== 'upgrade') return this.paid.end(em, subscription_id, period_number);
    await this.paid.undoUpgrade(em, { paymentId: id, subscriptionId: subscription_id, periodNumber: period_number, planId: plan_id });
    return false;
  }
}

const ADD_TAKEN = {
  refund: 'UPDATE payment_refunds SET credits = credits + $2, debt = debt + $3 WHERE id = $1',
  dispute: 'UPDATE payment_disputes SET credits = credits + $2, debt = debt + $3 WHERE id = $1',
} as const satisfies Record<GoingBack['kind'], string>;

/** Of the movement that takes the credits of a refund or dispute. */
const movementKeyOf = ({ kind, id }: GoingBack): string => `${kind}:${id}`;

/** Of the movement that takes the rest of them, once the credits of another one have come back. */
const laterKeyOf = (going: GoingBack, otherId: string): string => `${movementKeyOf(going)}:${otherId}`;

/** Of all movements that took credits for it. */
async function movementKeysOf(em: EntityManager, payment: PaymentRow, going: GoingBack): Promise<string[]> {
  const others = await em.query<{ id: string }[]>(
    `SELECT id FROM payment_refunds WHERE payment_id = $1 AND status = 'failed' AND id <> $2
     UNION ALL SELECT id FROM payment_disputes WHERE payment_id = $1 AND returned_at IS NOT NULL AND id <> $2`,
    [payment.id, going.id],
  );
  const possible = [movementKeyOf(going), ...others.map(({ id }) => laterKeyOf(going, id))];
  const made = await em.query<{ key: string }[]>(
    'SELECT key FROM unnest($1::text[]) WITH ORDINALITY AS k (key, n) WHERE EXISTS (SELECT FROM ledger_taken_back($2, key)) ORDER BY n',
    [possible, payment.user_id],
  );
  return made.map(({ key }) => key);
}

/** Of the refunds and disputes that stand the one that has taken least for its money; undefined where there is none. */
async function leastTakenOf(em: EntityManager, paymentId: string): Promise<GoingBack | undefined> {
  const [least] = await em.query<GoingBack[]>(
    `SELECT kind, id FROM (
       SELECT 'refund' AS kind, id, credits, amount_cents FROM payment_refunds WHERE payment_id = $1 AND status = 'succeeded'
       UNION ALL SELECT 'dispute', id, credits, amount_cents FROM payment_disputes WHERE payment_id = $1 AND taken_at IS NOT NULL AND returned_at IS NULL
     ) AS standing ORDER BY credits::numeric / amount_cents, id LIMIT 1`,
    [paymentId],
  );
  return least;
}

/** The key of the entry that a payment's credits came by; with `:gift` behind it that of what a plan gave beyond the money. */
function creditKeyOf({ id, purpose, subscription_id, period_number }: PaymentRow): string {
  if (subscription_id === null || period_number === null) return topupKey(id);
  const key = grantKey(subscription_id, period_number);
  return purpose === 'upgrade' ? `${key}:${id}` : key;
}

/** Of a payment, by refunds and disputes. */
async function centsGone(em: EntityManager, paymentId: string): Promise<number> {
  const [row] = await em.query<[{ cents: number }]>(
    `SELECT p.refunded_cents + (SELECT coalesce(sum(d.amount_cents), 0)::int FROM payment_disputes d
       WHERE d.payment_id = p.id AND d.taken_at IS NOT NULL AND d.returned_at IS NULL) AS cents
     FROM payments p WHERE p.id = $1`,
    [paymentId],
  );
  return row.cents;
}

/** What is to be taken now that so much of the payment has gone back in all. */
async function creditsOf(em: EntityManager, walletId: string, payment: PaymentRow, gone: number): Promise<number> {
  const key = creditKeyOf(payment);
  const [row] = await em.query<[{ credits: string }]>(
    `WITH given AS (
       SELECT coalesce(sum(e.amount), 0) AS credits, min(e.seq) AS seq, max(e.lots -> 0 ->> 'expires_at') AS expires_at
       FROM ledger_entries e WHERE e.wallet_id = $1 AND e.idem_key IN ($2, $2 || ':gift') AND e.amount > 0
     ), expired AS (
       SELECT coalesce(sum((lot ->> 'amount')::bigint), 0) AS credits
       FROM given JOIN ledger_entries e ON e.wallet_id = $1 AND e.seq > given.seq AND e.kind = 'expiry', jsonb_array_elements(e.lots) AS lot
       WHERE lot ->> 'source' = 'plan' AND lot ->> 'expires_at' = given.expires_at
     ), period AS (
       -- What expired, and what was taken, is of all that the period brought: its plan, and changes of it.
       SELECT coalesce(sum(e.amount), 0) AS credits FROM given JOIN ledger_entries e ON e.wallet_id = $1 AND e.kind = 'subscription_grant'
         AND e.lots -> 0 ->> 'expires_at' = given.expires_at
     ), taken AS (
       SELECT p.id, (SELECT coalesce(sum(credits), 0) FROM payment_refunds WHERE payment_id = p.id AND status = 'succeeded')
         + (SELECT coalesce(sum(credits), 0) FROM payment_disputes WHERE payment_id = p.id AND returned_at IS NULL) AS credits
       FROM payments p WHERE p.id = $3 OR (p.user_id = $8 AND p.subscription_id = $6 AND p.period_number = $7)
     ), sums AS (
       SELECT coalesce(sum(credits) FILTER (WHERE id = $3), 0) AS of_payment, coalesce(sum(credits), 0) AS of_period FROM taken
     )
     SELECT greatest(least(div(given.credits * $4::numeric, $5::numeric) - sums.of_payment,
       CASE WHEN given.expires_at IS NOT NULL THEN period.credits - expired.credits - sums.of_period END), 0)::bigint AS credits
     FROM given, expired, period, sums`,
    [walletId, key, payment.id, gone, payment.amount_cents, payment.subscription_id, payment.period_number, payment.user_id],
  );
  return Number(row.credits);
}
