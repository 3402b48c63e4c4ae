import { Injectable } from '@nestjs/common';
import { columns, type RowOf } from '@platform/persistence';
import { newId } from '@platform/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { FREE_PLAN } from './plan-definitions.js';
import { grantKey, PlanGrantsService } from './plan-grants.service.js';
import { PlanNoticesService } from './plan-notices.service.js';
import type { PlanVersion } from './plans.repository.js';
import { LIVE_STATUSES_SQL, Subscription } from './subscription.entity.js';

const SUBSCRIPTION = columns(
  Subscription,
  [
    'id',
    'tenantId',
    'userId',
    'planId',
    'planVersion',
    'status',
    'periodNumber',
    'periodStartsAt',
    'periodEndsAt',
    'cancelAtPeriodEnd',
    'pendingPlanId',
    'pendingPlanVersion',
    'nextAttemptAt',
  ],
  's',
);
const PRICED = `${SUBSCRIPTION}, p.price_cents, p.included_tokens, p.rank, billing_now() AS now, s.period_ends_at::text AS due_key, s.period_ends_at <= billing_now() AS is_over,
  n.price_cents AS next_price_cents, coalesce(s.pending_plan_id, s.plan_id) AS next_plan_id, coalesce(s.pending_plan_version, s.plan_version) AS next_plan_version`;
const WITH_PLANS = `JOIN plans p ON p.id = s.plan_id AND p.version = s.plan_version
  JOIN plans n ON n.id = coalesce(s.pending_plan_id, s.plan_id) AND n.version = coalesce(s.pending_plan_version, s.plan_version)`;

/** Subscription to a paid plan, with its price now and in the next period. */
export type PaidSubscription = RowOf<typeof SUBSCRIPTION> & {
  price_cents: number | null;
  included_tokens: string;
  rank: number;
  /** Current time of the billing clock. */
  now: Date;
  /** End of the period as text, in microseconds. A Date has only milliseconds. */
  due_key: string;
  is_over: boolean;
  next_price_cents: number | null;
  next_plan_id: string;
  next_plan_version: number;
};

/** Plan and period that a payment paid for. */
export interface PaidPlan {
  /** Null if nothing is charged. */
  paymentId: string | null;
  userId: string;
  subscriptionId: string;
  planId: string;
  planVersion: number;
  periodNumber: number;
  paidCents: number;
}

/**
 * Days after the end of an unpaid period in which the payment is retried and the plan still
 * applies.
 */
export const GRACE_DAYS = 7;
/** Days after the end of a period on which a failed payment is retried. */
const RETRY_DAYS = [1, 3, 5, 7] as const;

/**
 * Subscriptions to paid plans. Period and credits are granted in the transaction in which the
 * payment becomes `succeeded`.
 */
@Injectable()
export class PaidSubscriptionsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly grants: PlanGrantsService,
    private readonly notices: PlanNoticesService,
  ) {}

  /**
   * Locks and returns the user's live (`active` or `past_due`) subscription to a paid plan; null
   * for the free plan. The lock is held until the transaction of `em` ends.
   */
  async lockCurrent(em: EntityManager, userId: string): Promise<PaidSubscription | null> {
    // Locks the user before the subscription, in the order of account deletion: notices of the
    // change refer to the user.
    await em.query('SELECT FROM users WHERE id = $1 FOR KEY SHARE', [userId]);
    // Locks in a separate statement before reading. A single statement that waited for the lock
    // would still join the previous plan.
    await em.query(
      `SELECT FROM subscriptions WHERE user_id = $1 AND status IN ${LIVE_STATUSES_SQL} FOR NO KEY UPDATE`,
      [userId],
    );
    return this.findCurrent(userId, em);
  }

  /**
   * Returns the user's live (`active` or `past_due`) subscription to a paid plan without a lock; it
   * can change at any time. Null for the free plan.
   */
  async findCurrent(userId: string, em: EntityManager = this.dataSource.manager): Promise<PaidSubscription | null> {
    const [found] = await em.query<PaidSubscription[]>(
      `SELECT ${PRICED} FROM subscriptions s ${WITH_PLANS} WHERE s.user_id = $1 AND s.status IN ${LIVE_STATUSES_SQL} AND s.plan_id <> '${FREE_PLAN}'`,
      [userId],
    );
    return found ?? null;
  }

  /**
   * Returns the user's live (`active` or `past_due`) subscription to a paid plan or, without one,
   * the expired one with the latest end. Null if there is neither.
   */
  async findRenewable(userId: string): Promise<PaidSubscription | null> {
    const [found] = await this.dataSource.query<PaidSubscription[]>(
      `SELECT ${PRICED} FROM subscriptions s ${WITH_PLANS}
       WHERE s.user_id = $1 AND s.plan_id <> '${FREE_PLAN}' AND s.status IN ('active', 'past_due', 'expired')
       ORDER BY s.status = 'expired', s.period_ends_at DESC LIMIT 1`,
      [userId],
    );
    return found ?? null;
  }

  /**
   * Paid subscriptions whose period is over, oldest first: those that wait for no later retry, and
   * those whose grace period of 7 days is over. Returns up to `limit` that follow `after`, or the
   * oldest for null. Includes plans by contract, which renew without a payment.
   */
  listDue(limit: number, after: Pick<PaidSubscription, 'id' | 'due_key'> | null): Promise<PaidSubscription[]> {
    return this.dataSource.query<PaidSubscription[]>(
      `SELECT ${PRICED} FROM subscriptions s ${WITH_PLANS}
       WHERE s.status IN ${LIVE_STATUSES_SQL} AND s.plan_id <> '${FREE_PLAN}' AND s.period_ends_at <= billing_now()
         AND (s.next_attempt_at IS NULL OR s.next_attempt_at <= billing_now() OR s.period_ends_at <= billing_now() - interval '${GRACE_DAYS} days')
         AND ($2::timestamptz IS NULL OR (s.period_ends_at, s.id) > ($2, $3::text))
       ORDER BY s.period_ends_at, s.id LIMIT $1`,
      [limit, after?.due_key ?? null, after?.id ?? null],
    );
  }

  /**
   * Inserts a subscription with the status `incomplete`, which waits for its first payment.
   * `activate` begins its period after the payment.
   */
  async createDraft(
    em: EntityManager,
    id: string,
    userId: string,
    plan: Pick<PlanVersion, 'id' | 'version'>,
  ): Promise<void> {
    await em.query(
      `INSERT INTO subscriptions (id, tenant_id, user_id, plan_id, plan_version, status, started_at, anchor_at, period_number, period_starts_at, period_ends_at)
       SELECT $1, u.tenant_id, u.id, $3, $4, 'incomplete', t.now, t.now, 1, t.now, billing_period_start(t.now, 2)
       FROM users u, (SELECT billing_now() AS now) AS t WHERE u.id = $2`,
      [id, userId, plan.id, plan.version],
    );
  }

  /**
   * Cancels a subscription whose first payment will not arrive. Does nothing to a subscription that
   * has begun.
   */
  async cancelDraft(em: EntityManager, id: string): Promise<void> {
    await em.query("UPDATE subscriptions SET status = 'canceled' WHERE id = $1 AND status = 'incomplete'", [id]);
  }

  /**
   * Begins the first period of a subscription that `createDraft` made, in place of the free plan
   * and of expired subscriptions, grants its credits, and notifies the user. False if the user
   * already has a paid plan or was deleted: the payment must then be refunded.
   */
  async activate(em: EntityManager, paid: PaidPlan): Promise<boolean> {
    if (!(await this.cancelReplacedSubscriptions(em, paid.userId))) return false;
    const [[begun]] = await em.query<[StartedPeriod[], number]>(
      `UPDATE subscriptions s SET status = 'active', started_at = t.now, anchor_at = t.now, period_number = 1, period_starts_at = t.now,
         period_ends_at = billing_period_start(t.now, 2)
       FROM (SELECT billing_now() AS now) AS t, plans p
       WHERE s.id = $1 AND s.status IN ('incomplete', 'canceled') AND p.id = s.plan_id AND p.version = s.plan_version RETURNING ${PERIOD_COLUMNS}`,
      [paid.subscriptionId],
    );
    if (!begun || !(await this.grant(em, begun, paid))) return false;
    await this.notifyChange(em, begun, FREE_PLAN);
    return true;
  }

  /**
   * Begins the next period, with the plan that was paid, and grants its credits. An expired
   * subscription is replaced by a new one that begins now, because the time in between was not
   * paid. False if that period has already begun, if the subscription was canceled, or if the user
   * has another paid plan now or was deleted. Notifies the user if the plan has changed.
   */
  async renew(em: EntityManager, paid: PaidPlan): Promise<boolean> {
    const { subscriptionId: id, planId, planVersion, periodNumber } = paid;
    const [[begun]] = await em.query<[PlanChange[], number]>(
      `UPDATE subscriptions s SET status = 'active', plan_id = $2, plan_version = $3, pending_plan_id = NULL, pending_plan_version = NULL,
         next_attempt_at = NULL, period_number = $4, period_starts_at = billing_period_start(s.anchor_at, $4),
         period_ends_at = billing_period_start(s.anchor_at, $4 + 1)
       FROM plans p, subscriptions before
       WHERE s.id = $1 AND s.status IN ${LIVE_STATUSES_SQL} AND s.period_number = $4 - 1 AND p.id = $2 AND p.version = $3 AND before.id = s.id
       RETURNING ${PERIOD_COLUMNS}, before.plan_id AS plan_before`,
      [id, planId, planVersion, periodNumber],
    );
    if (!begun) return this.restartSubscription(em, paid);
    if (!(await this.grant(em, begun, paid))) return false;
    await this.notifyChange(em, begun, begun.plan_before);
    return true;
  }

  /**
   * Changes to a larger plan within the paid period, grants `credits` and notifies the user.
   * Reverts a cancellation and a scheduled change. False if the subscription is not `active` or the
   * period is over, if the current plan is not `from`, from which the price was computed, or is not
   * smaller, or if the user was deleted.
   */
  async upgrade(
    em: EntityManager,
    paid: PaidPlan,
    { credits, from }: { credits: number; from: { planId: string | null; planVersion: number | null } },
  ): Promise<boolean> {
    const { subscriptionId: id, planId, planVersion, periodNumber } = paid;
    // Locks before reading, as `lockCurrent` does.
    await em.query('SELECT FROM subscriptions WHERE id = $1 FOR NO KEY UPDATE', [id]);
    const [[changed]] = await em.query<[PlanChange[], number]>(
      `UPDATE subscriptions s SET plan_id = $2, plan_version = $3, pending_plan_id = NULL, pending_plan_version = NULL, cancel_at_period_end = false
       FROM plans p, plans before
       WHERE s.id = $1 AND s.status = 'active' AND s.period_number = $4 AND s.period_ends_at > billing_now() AND p.id = $2 AND p.version = $3
         AND before.id = s.plan_id AND before.version = s.plan_version AND before.rank < p.rank
         AND before.id = $5 AND before.version = $6
       RETURNING ${PERIOD_COLUMNS}, before.id AS plan_before`,
      [id, planId, planVersion, periodNumber, from.planId, from.planVersion],
    );
    if (!changed) return false;
    const key = `${grantKey(id, periodNumber)}:${paid.paymentId ?? newId('waived')}`;
    const grant = {
      userId: changed.user_id,
      subscriptionId: id,
      key,
      credits,
      paidCents: paid.paidCents,
      endsAt: changed.ends_at,
    };
    if (!(await this.grants.grantCredits(grant, em))) return false;
    await this.notifyChange(em, changed, changed.plan_before);
    return true;
  }

  /**
   * Locks the subscription. True if its next period still has to be paid: it has not begun, its
   * plan is unchanged, and the subscription was not canceled and has not expired. With `byHand` the
   * user requests the renewal, which also reverts a cancellation and renews an expired
   * subscription.
   */
  async isRenewalDue(
    em: EntityManager,
    next: { subscriptionId: string; planId: string; planVersion: number; periodNumber: number },
    byHand: boolean,
  ): Promise<boolean> {
    const [found] = await em.query<{ is_canceled: boolean; status: string }[]>(
      `SELECT cancel_at_period_end AS is_canceled, status FROM subscriptions
       WHERE id = $1 AND period_number = $2 - 1 AND status IN ('active', 'past_due', 'expired') AND coalesce(pending_plan_id, plan_id) = $3
         AND coalesce(pending_plan_version, plan_version) = $4 FOR NO KEY UPDATE`,
      [next.subscriptionId, next.periodNumber, next.planId, next.planVersion],
    );
    if (!found || (!byHand && (found.is_canceled || found.status === 'expired'))) return false;
    if (found.is_canceled)
      await em.query('UPDATE subscriptions SET cancel_at_period_end = false WHERE id = $1', [next.subscriptionId]);
    return true;
  }

  /**
   * Sets whether the subscription ends with its period. `false` reverts a cancellation. Both values
   * remove a scheduled plan change. Notifies the user if the value has changed.
   */
  async setCancelAtPeriodEnd(em: EntityManager, id: string, cancels: boolean): Promise<void> {
    const [[now]] = await em.query<[(SubscriptionState & { was_cancelled: boolean; ends_at: Date })[], number]>(
      `UPDATE subscriptions s SET cancel_at_period_end = $2, pending_plan_id = NULL, pending_plan_version = NULL
       FROM (SELECT id, cancel_at_period_end FROM subscriptions WHERE id = $1 FOR NO KEY UPDATE) AS before
       WHERE s.id = before.id RETURNING ${STATE_COLUMNS}, s.period_ends_at AS ends_at, before.cancel_at_period_end AS was_cancelled`,
      [id, cancels],
    );
    if (!now || now.was_cancelled === cancels) return;
    const ofPlan = { plan: now.plan_id, ...toNotice(now) };
    await this.notices.notify(
      em,
      cancels ? { kind: 'cancelled', endsAt: now.ends_at, ...ofPlan } : { kind: 'resumed', ...ofPlan },
    );
  }

  /**
   * Schedules a plan for the next period, in place of any other, and notifies the user unless it
   * was scheduled before. The caller checks that it is smaller. Reverts a cancellation.
   */
  async schedulePlan(em: EntityManager, id: string, plan: Pick<PlanVersion, 'id' | 'version'>): Promise<void> {
    const [[now]] = await em.query<[(SubscriptionState & { pending_before: string | null })[], number]>(
      `UPDATE subscriptions s SET cancel_at_period_end = false, pending_plan_id = $2, pending_plan_version = $3
       FROM (SELECT id, pending_plan_id FROM subscriptions WHERE id = $1 FOR NO KEY UPDATE) AS before
       WHERE s.id = before.id RETURNING ${STATE_COLUMNS}, before.pending_plan_id AS pending_before`,
      [id, plan.id, plan.version],
    );
    if (now && now.pending_before !== plan.id) {
      await this.notices.notify(em, { kind: 'change_scheduled', from: now.plan_id, to: plan.id, ...toNotice(now) });
    }
  }

  /**
   * Records that the payment of the next period failed, and schedules the retry on the next of
   * `RETRY_DAYS` (1, 3, 5 and 7 days after the period); none after the last. True if the
   * subscription was `active` before. False if it was `past_due`; also, without an effect, if it
   * has ended or that period has already begun.
   */
  async markPastDue(
    em: EntityManager,
    { id, period_number }: Pick<PaidSubscription, 'id' | 'period_number'>,
  ): Promise<boolean> {
    const [[before]] = await em.query<[{ was: string }[], number]>(
      `UPDATE subscriptions s SET status = 'past_due', next_attempt_at = (
         SELECT min(at) FROM (SELECT s.period_ends_at + days * interval '1 day' AS at FROM unnest($2::int[]) AS days) AS later WHERE at > billing_now())
       FROM (SELECT id, status FROM subscriptions WHERE id = $1 FOR NO KEY UPDATE) AS b
       WHERE s.id = b.id AND s.status IN ${LIVE_STATUSES_SQL} AND s.period_number = $3 RETURNING b.status AS was`,
      [id, RETRY_DAYS, period_number],
    );
    return before?.was === 'active';
  }

  /**
   * Ends a subscription after its period, also one that waits for its payment, and notifies the
   * user. Its credits stay until they expire, and it can be renewed. The caller must then give the
   * user the free plan. False if it had already ended or was paid, or if its period is not over.
   */
  expire(em: EntityManager, id: string, periodNumber: number): Promise<boolean> {
    return this.endMatching(em, id, periodNumber, 'AND period_ends_at <= billing_now()');
  }

  /**
   * Ends a subscription immediately, because the money of this period was refunded or disputed, and
   * notifies the user. It can be renewed. The caller must then give the user the free plan. False
   * if it had already ended or is in another period.
   */
  endSubscription(em: EntityManager, id: string, periodNumber: number): Promise<boolean> {
    return this.endMatching(em, id, periodNumber, '');
  }

  /**
   * Reverts an upgrade after its money was refunded or disputed, and notifies the user. Within this
   * period the subscription returns to the plan of the last other payment whose money is still
   * there, and a scheduled change ends. Does nothing without such a payment, or if the subscription
   * has another plan or period now or has ended.
   */
  async revertUpgrade(
    em: EntityManager,
    upgrade: { paymentId: string; subscriptionId: string; periodNumber: number; planId: string },
  ): Promise<void> {
    const [[changed]] = await em.query<[SubscriptionState[], number]>(
      `UPDATE subscriptions s SET plan_id = b.plan_id, plan_version = b.plan_version, pending_plan_id = NULL, pending_plan_version = NULL
       FROM (SELECT p.plan_id, p.plan_version FROM payments p
             WHERE p.user_id = (SELECT user_id FROM subscriptions WHERE id = $1) AND p.subscription_id = $1 AND p.period_number = $2 AND p.id <> $3
               AND p.status = 'succeeded' AND p.refunded_cents < p.amount_cents
               AND NOT EXISTS (SELECT FROM payment_disputes d WHERE d.payment_id = p.id AND d.taken_at IS NOT NULL AND d.returned_at IS NULL)
               AND NOT EXISTS (SELECT FROM payment_refunds r WHERE r.payment_id = p.id AND r.reason = 'not_deliverable')
             ORDER BY p.completed_at DESC LIMIT 1) AS b
       WHERE s.id = $1 AND s.period_number = $2 AND s.plan_id = $4 AND s.status IN ${LIVE_STATUSES_SQL} RETURNING ${STATE_COLUMNS}`,
      [upgrade.subscriptionId, upgrade.periodNumber, upgrade.paymentId, upgrade.planId],
    );
    if (changed) await this.notifyChange(em, changed, upgrade.planId);
  }

  private async endMatching(em: EntityManager, id: string, periodNumber: number, condition: string): Promise<boolean> {
    await em.query('SELECT FROM users WHERE id = (SELECT user_id FROM subscriptions WHERE id = $1) FOR KEY SHARE', [
      id,
    ]);
    const [[ended]] = await em.query<[SubscriptionState[], number]>(
      `UPDATE subscriptions s SET status = 'expired', next_attempt_at = NULL
       WHERE id = $1 AND period_number = $2 AND status IN ${LIVE_STATUSES_SQL} ${condition} RETURNING ${STATE_COLUMNS}`,
      [id, periodNumber],
    );
    if (!ended) return false;
    await this.notifyChange(em, { ...ended, plan_id: FREE_PLAN }, ended.plan_id);
    return true;
  }

  private async notifyChange(em: EntityManager, now: SubscriptionState, from: string): Promise<void> {
    if (now.plan_id !== from)
      await this.notices.notify(em, { kind: 'changed', from, to: now.plan_id, ...toNotice(now) });
  }

  private async restartSubscription(em: EntityManager, paid: PaidPlan): Promise<boolean> {
    await lockUser(em, paid.userId);
    const [[expired]] = await em.query<[{ cancel_at_period_end: boolean }[], number]>(
      "UPDATE subscriptions SET status = 'canceled' WHERE id = $1 AND status = 'expired' AND period_number = $2 - 1 RETURNING cancel_at_period_end",
      [paid.subscriptionId, paid.periodNumber],
    );
    if (!expired) return false;
    const subscriptionId = newId('sub');
    await this.createDraft(em, subscriptionId, paid.userId, { id: paid.planId, version: paid.planVersion });
    // Moves the payment to the new subscription, so that a later refund ends the right one.
    await em.query('UPDATE payments SET subscription_id = $2, period_number = 1 WHERE id = $1', [
      paid.paymentId,
      subscriptionId,
    ]);
    const isActive = await this.activate(em, { ...paid, subscriptionId });
    // The user canceled the expired subscription while the bank was processing the payment.
    if (isActive && expired.cancel_at_period_end) await this.setCancelAtPeriodEnd(em, subscriptionId, true);
    return isActive;
  }

  /**
   * Locks the user, and cancels the user's free plan and expired subscriptions. False if the user
   * has a paid plan or was deleted.
   */
  private async cancelReplacedSubscriptions(em: EntityManager, userId: string): Promise<boolean> {
    if (!(await lockUser(em, userId))) return false;
    await em.query(
      `UPDATE subscriptions SET status = 'canceled'
       WHERE user_id = $1 AND (status = 'expired' OR (status IN ${LIVE_STATUSES_SQL} AND plan_id = '${FREE_PLAN}'))`,
      [userId],
    );
    const current = await em.query<unknown[]>(
      `SELECT FROM subscriptions WHERE user_id = $1 AND status IN ${LIVE_STATUSES_SQL}`,
      [userId],
    );
    return current.length === 0;
  }

  private grant(
    em: EntityManager,
    { id, user_id, number, included_tokens, ends_at }: StartedPeriod,
    { paidCents }: PaidPlan,
  ): Promise<boolean> {
    const credits = { credits: Number(included_tokens), paidCents, endsAt: ends_at };
    return this.grants.grantCredits({ userId: user_id, subscriptionId: id, key: grantKey(id, number), ...credits }, em);
  }
}

/**
 * Locks the user, so that other transactions that choose the live subscription wait. False if the
 * user was deleted.
 */
async function lockUser(em: EntityManager, userId: string): Promise<boolean> {
  const [user] = await em.query<unknown[]>('SELECT FROM users WHERE id = $1 AND erased_at IS NULL FOR NO KEY UPDATE', [
    userId,
  ]);
  return user !== undefined;
}

const STATE_COLUMNS = 's.id, s.user_id, s.tenant_id, s.plan_id';
/** Current state of a subscription. */
interface SubscriptionState {
  id: string;
  user_id: string;
  tenant_id: string;
  plan_id: string;
}
const toNotice = ({ id, user_id: userId, tenant_id: tenantId }: SubscriptionState) => ({
  subscriptionId: id,
  userId,
  tenantId,
});

const PERIOD_COLUMNS = `${STATE_COLUMNS}, s.period_number AS number, p.included_tokens, s.period_ends_at AS ends_at`;
interface StartedPeriod extends SubscriptionState {
  number: number;
  included_tokens: string;
  ends_at: Date;
}
interface PlanChange extends StartedPeriod {
  plan_before: string;
}
