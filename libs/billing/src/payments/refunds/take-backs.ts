import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Ledger } from '../../ledger/ledger.js';
import { unexpectedOutcome, type TakeBack } from '../../ledger/movements.js';
import { Wallets } from '../../ledger/wallets.js';
import { PaidSubscriptions } from '../../plans/paid-subscriptions.js';
import { grantKey } from '../../plans/plan-grants.js';
import type { PaymentRow } from '../payment-row.js';
import { topupKey } from '../topups.js';

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

interface GoingBack {
  kind: TakeBack['kind'];
  /** Of the movement, made of the id of the refund or dispute. */
  key: string;
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

  /** After the credits are taken, also where none were left to take. Call it in the constructor of a provider. */
  onTaken(listener: TakenBackListener): void {
    this.listeners.push(listener);
  }

  /**
   * Takes as many credits as the money was for that has gone back, less those that were taken before, and ends the plan when all of it has. Call it once the row of what
   * goes back says so. Credits that have expired meanwhile are not taken a second time.
   */
  async take(em: EntityManager, payment: PaymentRow, { kind, key }: GoingBack): Promise<TakenBack> {
    const isNothingGiven = await wasNotDelivered(em, payment.id);
    if (isNothingGiven) return { credits: 0, debt: 0, endsPlan: false };
    const gone = await centsGone(em, payment.id);
    const endsPlan = gone >= payment.amount_cents && (await this.endPlan(em, payment));
    const walletId = await this.wallets.ensure(payment.user_id, 'user', em);
    // Both wallets, in the order in which an erasure locks them.
    await em.query('SELECT 1 FROM wallets WHERE user_id = $1 ORDER BY id FOR NO KEY UPDATE', [payment.user_id]);
    await em.query('SELECT ledger_sweep($1)', [walletId]);
    const credits = await creditsOf(em, walletId, payment, Math.min(gone, payment.amount_cents));
    if (credits === 0) {
      await this.tell(em, payment, kind);
      return { credits, debt: 0, endsPlan };
    }
    const source = isTopup(payment) ? 'topup' : 'plan';
    const { outcome, amount } = await this.ledger.takeBack(walletId, { kind, key, ref: payment.id, source, amount: credits }, em);
    // Of a user who was erased the platform has them already.
    if (outcome === 'closed') return { credits: 0, debt: 0, endsPlan };
    if (outcome !== 'done' && outcome !== 'replayed') unexpectedOutcome(outcome, key);
    await this.tell(em, payment, kind);
    return { credits, debt: credits + (amount ?? 0), endsPlan };
  }

  /**
   * A refund that had gone back has failed: disputes for which nothing was left then take what is theirs now. Call it in the transaction that says so, once what the refund
   * took is given back.
   */
  async takeForDisputes(em: EntityManager, payment: PaymentRow): Promise<void> {
    const disputes = await em.query<{ id: string }[]>(
      'SELECT id FROM payment_disputes WHERE payment_id = $1 AND taken_at IS NOT NULL AND returned_at IS NULL AND credits = 0 ORDER BY id',
      [payment.id],
    );
    for (const { id } of disputes) {
      const { credits, debt } = await this.take(em, payment, { kind: 'dispute', key: `dispute:${id}` });
      await em.query('UPDATE payment_disputes SET credits = $2, debt = $3 WHERE id = $1', [id, credits, debt]);
    }
  }

  /** The money has stayed: what was taken comes back, once. */
  async giveBack(em: EntityManager, payment: PaymentRow, { kind, key }: GoingBack): Promise<void> {
    const walletId = await this.wallets.ensure(payment.user_id, 'user', em);
    const { outcome } = await this.ledger.giveBack(walletId, { kind, reverses: key, ref: payment.id }, em);
    if (!['done', 'replayed', 'closed'].includes(outcome)) unexpectedOutcome(outcome, key);
  }

  private async tell(em: EntityManager, payment: PaymentRow, kind: TakeBack['kind']): Promise<void> {
    for (const listener of this.listeners) await listener(em, payment, kind);
  }

  private async endPlan(em: EntityManager, { id, purpose, subscription_id, period_number, plan_id }: PaymentRow): Promise<boolean> {
    if (subscription_id === null || period_number === null || plan_id === null) return false;
    if (purpose !== 'upgrade') return this.paid.end(em, subscription_id, period_number);
    await this.paid.undoUpgrade(em, { paymentId: id, subscriptionId: subscription_id, periodNumber: period_number, planId: plan_id });
    return false;
  }
}

const isTopup = ({ purpose }: PaymentRow): boolean => purpose === 'topup' || purpose === 'auto_topup';

/** The key of the entry that a payment's credits came by; with `:gift` behind it that of what a plan gave beyond the money. */
function creditKeyOf({ id, purpose, subscription_id, period_number }: PaymentRow): string {
  if (subscription_id === null || period_number === null) return topupKey(id);
  const key = grantKey(subscription_id, period_number);
  return purpose === 'upgrade' ? `${key}:${id}` : key;
}

async function wasNotDelivered(em: EntityManager, paymentId: string): Promise<boolean> {
  const rows = await em.query<unknown[]>("SELECT FROM payment_refunds WHERE payment_id = $1 AND reason = 'not_deliverable'", [paymentId]);
  return rows.length > 0;
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
       FROM payments p WHERE p.id = $3 OR (p.subscription_id = $6 AND p.period_number = $7)
     ), sums AS (
       SELECT coalesce(sum(credits) FILTER (WHERE id = $3), 0) AS of_payment, coalesce(sum(credits), 0) AS of_period FROM taken
     )
     SELECT greatest(least(div(given.credits * $4::numeric, $5::numeric) - sums.of_payment,
       CASE WHEN given.expires_at IS NOT NULL THEN period.credits - expired.credits - sums.of_period END), 0)::bigint AS credits
     FROM given, expired, period, sums`,
    [walletId, key, payment.id, gone, payment.amount_cents, payment.subscription_id, payment.period_number],
  );
  return Number(row.credits);
}
