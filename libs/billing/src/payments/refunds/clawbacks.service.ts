import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { LedgerService } from '../../ledger/ledger.service.js';
import { throwUnexpectedOutcome, type Clawback } from '../../ledger/movements.js';
import { WalletsRepository } from '../../ledger/wallets.repository.js';
import { PaidSubscriptionsService } from '../../plans/paid-subscriptions.service.js';
import { grantKey } from '../../plans/plan-grants.service.js';
import { isTopup, type PaymentRow } from '../payment-row.js';
import { topupKey } from '../topup-credits.service.js';
import { isUndelivered } from './refund-row.js';

/** Result of a clawback. */
export interface ClawbackResult {
  /** Credits that were clawed back, debt included. */
  credits: number;
  /** The part of `credits` that the user had spent and that earnings did not cover. */
  debt: number;
  /**
   * True if the user has no plan now. The caller must give the user the free plan after the commit.
   */
  endsPlan: boolean;
}

/** Runs in the transaction that claws back the credits of a refund or dispute. */
export type ClawbackListener = (em: EntityManager, payment: PaymentRow, kind: Clawback['kind']) => Promise<void>;

interface ClawbackCause {
  kind: Clawback['kind'];
  id: string;
}

/**
 * Keeps the credits that are clawed back for a payment equal to the share of its money that was
 * refunded or disputed. Call it in the transaction that changes the refund or dispute and that has
 * locked user and payment.
 */
@Injectable()
export class ClawbacksService {
  private readonly listeners: ClawbackListener[] = [];

  constructor(
    private readonly wallets: WalletsRepository,
    private readonly ledger: LedgerService,
    private readonly paid: PaidSubscriptionsService,
  ) {}

  /**
   * Adds a listener that runs after a clawback, also if no credits were left to claw back. Call
   * this in the constructor of a provider.
   */
  onClawback(listener: ClawbackListener): void {
    this.listeners.push(listener);
  }

  /**
   * Claws back as many credits of a payment as the refunded and disputed part of its money requires
   * (the rule of `applyRefundedShare`). Credits that were spent and that earnings do not cover
   * become a debt. If all its money is gone, ends its plan, or reverts its upgrade, first. Call it
   * after the row of the refund or dispute has changed. Does nothing for a payment that never
   * brought the user the paid item.
   */
  async clawBackCredits(em: EntityManager, payment: PaymentRow, going: ClawbackCause): Promise<ClawbackResult> {
    if (await isUndelivered(em, payment.id)) return { credits: 0, debt: 0, endsPlan: false };
    const endsPlan =
      (await getReturnedCents(em, payment.id)) >= payment.amount_cents && (await this.endPlan(em, payment));
    const taken = await this.applyRefundedShare(em, payment, going);
    for (const listener of this.listeners) await listener(em, payment, going.kind);
    return { ...taken, endsPlan };
  }

  /**
   * Returns the credits that were clawed back for a refund or dispute, because its money has come
   * back. Credits that are still due for other refunds and disputes are clawed back for these. A
   * plan that has ended does not begin again. Call it after the row of the refund or dispute has
   * changed. Does nothing for a payment that never brought the user the paid item.
   */
  async returnCredits(em: EntityManager, payment: PaymentRow, cameBack: ClawbackCause): Promise<void> {
    if (await isUndelivered(em, payment.id)) return;
    await this.applyRefundedShare(em, payment, cameBack, { isBack: true });
  }

  /**
   * Applies one rule, whatever has changed: `floor(credits × cents gone / cents paid)` credits of
   * the payment are clawed back in total. It compares the current state and not the change, so the
   * order of events does not matter. Credits that have already expired are not clawed back. The
   * wallet of a deleted user is not touched, because the platform has its credits.
   *
   * @param isBack true if the money of `changed` has come back. Its clawbacks are returned, and
   * credits that are still due are clawed back for another refund or dispute.
   * @returns the credits that this call clawed back.
   */
  private async applyRefundedShare(
    em: EntityManager,
    payment: PaymentRow,
    changed: ClawbackCause,
    { isBack = false } = {},
  ): Promise<Pick<ClawbackResult, 'credits' | 'debt'>> {
    const nothing = { credits: 0, debt: 0 };
    const walletId = await this.wallets.ensureWallet(payment.user_id, 'user', em);
    // Locks both wallets, in the order of account deletion.
    await em.query('SELECT 1 FROM wallets WHERE user_id = $1 ORDER BY id FOR NO KEY UPDATE', [payment.user_id]);
    const before = await this.readPaymentCredits(em, walletId, payment);
    const given = await this.returnExcess(em, walletId, payment, { changed, isBack, ...before });
    if (given === 'closed') return nothing;
    const { taken, due, obtainable } = given > 0 ? await this.readPaymentCredits(em, walletId, payment) : before;
    const missing = Math.min(due, obtainable) - taken;
    if (missing <= 0) return nothing;
    const taker = await findClawbackCause(em, payment.id, changed);
    const { kind } = taker;
    const source = isTopup(payment) ? 'topup' : 'plan';
    const key = movementKeyOf(taker, taker.movements + 1);
    const { outcome, amount } = await this.ledger.clawBack(
      walletId,
      { kind, key, ref: payment.id, source, amount: missing },
      em,
    );
    if (outcome === 'closed') return nothing;
    if (outcome !== 'done') throwUnexpectedOutcome(outcome, key);
    const debt = missing + (amount ?? 0);
    await em.query(ADD_TAKEN[kind], [taker.id, missing, debt, 1]);
    return { credits: missing, debt };
  }

  /**
   * Returns clawbacks of a payment, those of `changed` first and then the newest, until no more
   * credits are clawed back than are due. If the money of `changed` has come back, returns all of
   * its clawbacks. The result is the number of returned credits; `closed` if the wallet is closed.
   *
   * @throws Error if more credits than are due stay clawed back.
   */
  private async returnExcess(
    em: EntityManager,
    walletId: string,
    payment: PaymentRow,
    { changed, isBack, taken, due }: { changed: ClawbackCause; isBack: boolean; taken: number; due: number },
  ): Promise<number | 'closed'> {
    let left = taken;
    for (const { kind, id, key, credits, debt } of isBack || left > due
      ? await listOpenClawbacks(em, payment, changed)
      : []) {
      if (left <= due && !(isBack && id === changed.id)) break;
      const { outcome } = await this.ledger.reverseClawback(walletId, { kind, reverses: key, ref: payment.id }, em);
      if (outcome === 'closed') return outcome;
      if (outcome !== 'done') throwUnexpectedOutcome(outcome, key);
      await em.query(ADD_TAKEN[kind], [id, -credits, -debt, 0]);
      left -= credits;
    }
    if (left > due)
      throw new Error(`For the payment ${payment.id}, ${left} credits are clawed back, but only ${due} are due.`);
    return taken - left;
  }

  /**
   * Reads how many credits of a payment are clawed back now, how many the lost money requires in
   * total, and how many can be clawed back at most. Sweeps the wallet first, which removes expired
   * credits and reservations.
   */
  private async readPaymentCredits(em: EntityManager, walletId: string, payment: PaymentRow): Promise<PaymentCredits> {
    await em.query('SELECT ledger_sweep($1)', [walletId]);
    const gone = Math.min(await getReturnedCents(em, payment.id), payment.amount_cents);
    const [row] = await em.query<[Record<keyof PaymentCredits, string>]>(CREDITS_OF_PAYMENT, [
      walletId,
      creditKeyOf(payment),
      payment.id,
      gone,
      payment.amount_cents,
      payment.subscription_id,
      payment.period_number,
      payment.user_id,
    ]);
    return { taken: Number(row.taken), due: Number(row.due), obtainable: Number(row.obtainable) };
  }

  private async endPlan(
    em: EntityManager,
    { id, purpose, subscription_id, period_number, plan_id }: PaymentRow,
  ): Promise<boolean> {
    if (subscription_id === null || period_number === null || plan_id === null) return false;
    if (purpose !== 'upgrade') return this.paid.endSubscription(em, subscription_id, period_number);
    await this.paid.revertUpgrade(em, {
      paymentId: id,
      subscriptionId: subscription_id,
      periodNumber: period_number,
      planId: plan_id,
    });
    return false;
  }
}

/**
 * `taken`: credits clawed back now. `due`: credits that the lost money requires. `obtainable`: the
 * most that can be clawed back, because the rest has expired.
 */
interface PaymentCredits {
  taken: number;
  due: number;
  obtainable: number;
}

/** Clawback in the ledger that was not returned. */
interface OpenClawback extends ClawbackCause {
  key: string;
  credits: number;
  debt: number;
}

const ADD_TAKEN = {
  refund:
    'UPDATE payment_refunds SET credits = credits + $2, debt = debt + $3, movements = movements + $4 WHERE id = $1',
  dispute:
    'UPDATE payment_disputes SET credits = credits + $2, debt = debt + $3, movements = movements + $4 WHERE id = $1',
} as const satisfies Record<ClawbackCause['kind'], string>;

/** @param number of the clawback of this refund or dispute, from 1. */
const movementKeyOf = ({ kind, id }: ClawbackCause, number: number): string =>
  number === 1 ? `${kind}:${id}` : `${kind}:${id}:${number}`;

/** Clawbacks of a payment that were not returned: those of `first`, then the newest. */
async function listOpenClawbacks(
  em: EntityManager,
  payment: PaymentRow,
  first: ClawbackCause,
): Promise<OpenClawback[]> {
  const takers = await em.query<(ClawbackCause & { movements: number })[]>(
    `SELECT kind, id, movements FROM (
       SELECT 'refund' AS kind, id, movements, credits, created_at FROM payment_refunds WHERE payment_id = $1
       UNION ALL SELECT 'dispute', id, movements, credits, created_at FROM payment_disputes WHERE payment_id = $1
     ) AS taker WHERE credits > 0 ORDER BY id = $2 DESC, created_at DESC, id DESC`,
    [payment.id, first.id],
  );
  const possible = takers.flatMap(({ kind, id, movements }) =>
    Array.from({ length: movements }, (_none, at) => ({ kind, id, key: movementKeyOf({ kind, id }, movements - at) })),
  );
  const open = await em.query<{ n: number; credits: string; debt: string }[]>(
    `SELECT n::int, taken + earned + owed AS credits, owed AS debt
     FROM unnest($1::text[]) WITH ORDINALITY AS k (key, n), LATERAL ledger_taken_back($2, key)
     WHERE NOT EXISTS (SELECT FROM ledger_entries WHERE idem_key IN (key || ':returned', key || ':returned:earnings', key || ':returned:debt'))
     ORDER BY n`,
    [possible.map(({ key }) => key), payment.user_id],
  );
  return open.flatMap(({ n, credits, debt }) => {
    const movement = possible[n - 1];
    return movement ? [{ ...movement, credits: Number(credits), debt: Number(debt) }] : [];
  });
}

/**
 * Refund or dispute that claws back the missing credits: `changed` if its money is gone, otherwise
 * the one with the fewest credits for its money. `movements` is the number of its clawbacks so far.
 *
 * @throws Error if none of the payment's money was refunded or disputed.
 */
async function findClawbackCause(
  em: EntityManager,
  paymentId: string,
  changed: ClawbackCause,
): Promise<ClawbackCause & { movements: number }> {
  const [taker] = await em.query<(ClawbackCause & { movements: number })[]>(
    `SELECT kind, id, movements FROM (
       SELECT 'refund' AS kind, id, movements, credits, amount_cents FROM payment_refunds WHERE payment_id = $1 AND status = 'succeeded'
       UNION ALL SELECT 'dispute', id, movements, credits, amount_cents FROM payment_disputes
         WHERE payment_id = $1 AND taken_at IS NOT NULL AND returned_at IS NULL
     ) AS standing ORDER BY id = $2 DESC, credits::numeric / amount_cents, id LIMIT 1`,
    [paymentId, changed.id],
  );
  if (!taker)
    throw new Error(`Credits of the payment ${paymentId} are due, but none of its money was refunded or disputed.`);
  return taker;
}

/**
 * Idempotency key of the ledger entry with a payment's credits. The entry with the credits that a
 * plan gives beyond the money adds `:gift`.
 */
function creditKeyOf({ id, purpose, subscription_id, period_number }: PaymentRow): string {
  if (subscription_id === null || period_number === null) return topupKey(id);
  const key = grantKey(subscription_id, period_number);
  return purpose === 'upgrade' ? `${key}:${id}` : key;
}

/** Cents of a payment that refunds and disputes have taken. */
async function getReturnedCents(em: EntityManager, paymentId: string): Promise<number> {
  const [row] = await em.query<[{ cents: number }]>(
    `SELECT p.refunded_cents + (SELECT coalesce(sum(d.amount_cents), 0)::int FROM payment_disputes d
       WHERE d.payment_id = p.id AND d.taken_at IS NOT NULL AND d.returned_at IS NULL) AS cents
     FROM payments p WHERE p.id = $1`,
    [paymentId],
  );
  return row.cents;
}

/**
 * $1 wallet, $2 key of the credits, $3 payment, $4 cents gone, $5 cents paid, $6 and $7
 * subscription and period (null for top-ups), $8 user.
 */
const CREDITS_OF_PAYMENT = `
  WITH given AS (
    SELECT coalesce(sum(e.amount), 0) AS credits, min(e.seq) AS seq, max(e.lots -> 0 ->> 'expires_at') AS expires_at
    FROM ledger_entries e WHERE e.wallet_id = $1 AND e.idem_key IN ($2, $2 || ':gift') AND e.amount > 0
  ), expired AS (
    SELECT coalesce(sum((lot ->> 'amount')::bigint), 0) AS credits
    FROM given JOIN ledger_entries e ON e.wallet_id = $1 AND e.seq > given.seq AND e.kind = 'expiry', jsonb_array_elements(e.lots) AS lot
    WHERE lot ->> 'source' = 'plan' AND lot ->> 'expires_at' = given.expires_at
  ), period AS (
    -- Expired and clawed back credits count for all credits of the period: those of the plan and of its upgrades.
    SELECT coalesce(sum(e.amount), 0) AS credits FROM given JOIN ledger_entries e ON e.wallet_id = $1 AND e.kind = 'subscription_grant'
      AND e.lots -> 0 ->> 'expires_at' = given.expires_at
  ), taken AS (
    SELECT p.id, (SELECT coalesce(sum(credits), 0) FROM payment_refunds WHERE payment_id = p.id)
      + (SELECT coalesce(sum(credits), 0) FROM payment_disputes WHERE payment_id = p.id) AS credits
    FROM payments p WHERE p.id = $3 OR (p.user_id = $8 AND p.subscription_id = $6 AND p.period_number = $7)
  ), sums AS (
    SELECT coalesce(sum(credits) FILTER (WHERE id = $3), 0) AS of_payment, coalesce(sum(credits) FILTER (WHERE id <> $3), 0) AS of_others FROM taken
  ), answer AS (
    SELECT sums.of_payment AS taken, div(given.credits * $4::numeric, $5::numeric) AS due,
      period.credits - expired.credits - sums.of_others AS unexpired, given.expires_at IS NOT NULL AS expires
    FROM given, expired, period, sums
  )
  SELECT taken, due, CASE WHEN expires THEN greatest(unexpired, 0) ELSE due END AS obtainable FROM answer`;
