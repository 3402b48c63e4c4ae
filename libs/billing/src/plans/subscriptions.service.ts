import { Injectable } from '@nestjs/common';
import { columns, queryPrepared, type OrNull, type RowOf, type TenantData } from '@platform/persistence';
import { newId } from '@platform/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { FREE_PLAN } from './plan-definitions.js';
import { grantKey, PlanGrantsService } from './plan-grants.service.js';
import { USER_PLAN_SQL } from './user-plan.js';
import { Plan, type PlanLimit } from './plan.entity.js';
import { LIVE_STATUSES_SQL, Subscription, type SubscriptionStatus } from './subscription.entity.js';

/** Plan of a user as it applies now. */
export interface CurrentPlan {
  /** Null if the user has no subscription yet. */
  subscriptionId: string | null;
  plan: string;
  version: number;
  status: SubscriptionStatus;
  /** US cents per month; null if a contract sets the price. */
  priceCents: number | null;
  /** Credits that each period grants. */
  includedTokens: number;
  /**
   * Limits of the plan. `tool_calls` is the role's limit if that is smaller. An absent limit is
   * unlimited.
   */
  limits: Partial<Record<PlanLimit, number>>;
  startedAt: Date | null;
  /** Period that contains the current time. */
  period: { number: number; startsAt: Date; endsAt: Date };
  /**
   * End of the last opened period. It is before `period` if the current period is not paid yet.
   * Null for a user without a subscription.
   */
  openUntil: Date | null;
  cancelAtPeriodEnd: boolean;
  /** Plan that is scheduled for the next period; null if the plan stays. */
  pendingPlan: string | null;
}

/** Period for which credits are granted. */
interface Grant {
  id: string;
  user_id: string;
  number: number;
  included_tokens: string;
  /** US cents. */
  price_cents: number | null;
  ends_at: Date;
}

/** Subscription with a next period that has begun. */
interface Due extends Grant {
  /** End of the previous period as text, in microseconds. A Date has only milliseconds. */
  was_due: string;
}

/** Called for each subscription if its period could not be opened. */
export type OnFailure = (subscriptionId: string, error: unknown) => void;

/** Most subscriptions in one batch. */
export const SUBSCRIPTION_BATCH = 100;
/** Users that are granted credits at the same time. */
const AT_ONCE = 4;

const CURRENT_PLAN = columns(Plan, ['id AS plan', 'version', 'priceCents', 'includedTokens', 'limits'], 'p');
const CURRENT = columns(
  Subscription,
  ['id AS subscription_id', 'status', 'startedAt', 'periodEndsAt', 'cancelAtPeriodEnd', 'pendingPlanId'],
  's',
);
type CurrentRow = RowOf<typeof CURRENT_PLAN> &
  OrNull<RowOf<typeof CURRENT>> & { tool_calls: string | null; number: number; starts_at: Date; ends_at: Date };

/** Plans of users. A user without another plan has the free plan. */
@Injectable()
export class SubscriptionsService {
  /** Last subscription that `openPeriods` read, opened or not; null to begin with the oldest. */
  private lastDue: Pick<Due, 'id' | 'was_due'> | null = null;

  constructor(
    private readonly dataSource: DataSource,
    private readonly grants: PlanGrantsService,
  ) {}

  /**
   * Plan, limits and period of the user as they apply now. A user without a subscription has the
   * free plan.
   *
   * @throws Error if the user does not exist.
   */
  async getCurrentPlan(userId: string): Promise<CurrentPlan> {
    const [row] = await queryPrepared<CurrentRow>(
      this.dataSource,
      `SELECT ${CURRENT_PLAN}, ${CURRENT}, may.tool_calls, period.number, period.starts_at, period.ends_at
       FROM (SELECT billing_now() AS now) AS clock, users u ${USER_PLAN_SQL} WHERE u.id = $1`,
      [userId],
    );
    if (!row) throw new Error(`There is no user ${userId}: no plan can be read.`);
    return toCurrent(row);
  }

  /**
   * Gives a user without a live subscription the free plan and the credits of its first period.
   * Safe to repeat. Does nothing for a user with a plan and for a deleted user.
   */
  async ensureFreePlan(userId: string): Promise<void> {
    await this.dataSource.transaction(async (em) => {
      const [first] = await em.query<Grant[]>(SUBSCRIBE, [newId('sub'), userId]);
      if (first) await this.grant(first, em);
    });
  }

  /**
   * Calls `ensureFreePlan` for up to `SUBSCRIPTION_BATCH` users without a plan whose ids follow
   * `userId`, in the order of their ids. Skips users created in the last hour: they get their plan
   * when they are created.
   *
   * @returns the ids of these users.
   */
  async ensureFreePlans(userId: string): Promise<string[]> {
    const users = await this.dataSource.query<{ id: string }[]>(
      `SELECT u.id FROM users u WHERE u.id > $1 AND u.erased_at IS NULL AND u.created_at < now() - interval '1 hour'
         AND NOT EXISTS (SELECT FROM subscriptions s WHERE s.user_id = u.id AND s.status IN ${LIVE_STATUSES_SQL})
       ORDER BY u.id LIMIT ${SUBSCRIPTION_BATCH}`,
      [userId],
    );
    const ids = users.map(({ id }) => id);
    await inGroups(ids, (id) => this.ensureFreePlan(id));
    return ids;
  }

  /**
   * Opens the current period, and grants its credits, for up to `SUBSCRIPTION_BATCH` subscriptions
   * to the free plan whose period is over. If several periods have passed, only the current one is
   * opened. Safe to run in several processes and after a crash: the credits are granted first,
   * under a key of the period, so none is granted twice.
   *
   * The next call continues with the subscriptions that follow. After the last one it starts again
   * with the oldest. A subscription whose credits cannot be granted therefore blocks no other and
   * is retried.
   *
   * @returns the number of subscriptions that it looked at.
   */
  async openPeriods(onFailure: OnFailure): Promise<number> {
    const due = await this.dataSource.query<Due[]>(
      `SELECT s.id, s.period_ends_at::text AS was_due, s.user_id, n.number, p.included_tokens, p.price_cents, billing_period_start(s.anchor_at, n.number + 1) AS ends_at
       FROM (SELECT * FROM subscriptions WHERE status = 'active' AND plan_id = '${FREE_PLAN}' AND period_ends_at <= billing_now()
               AND ($1::timestamptz IS NULL OR (period_ends_at, id) > ($1, $2::text))
             ORDER BY period_ends_at, id LIMIT ${SUBSCRIPTION_BATCH}) AS s
       JOIN plans p ON p.id = s.plan_id AND p.version = s.plan_version
       CROSS JOIN LATERAL (SELECT billing_period_at(s.anchor_at, billing_now()) AS number) AS n
       ORDER BY s.period_ends_at, s.id`,
      [this.lastDue?.was_due ?? null, this.lastDue?.id ?? null],
    );
    this.lastDue = due.length < SUBSCRIPTION_BATCH ? null : (due.at(-1) ?? null);
    const given: Due[] = [];
    await inGroups(due, async (period) => {
      try {
        await this.grant(period);
        given.push(period);
      } catch (error) {
        onFailure(period.id, error);
      }
    });
    await this.dataSource.query(
      `WITH locked AS (SELECT id FROM subscriptions WHERE id = ANY ($1::text[]) ORDER BY id FOR NO KEY UPDATE)
       UPDATE subscriptions s SET period_number = d.number, period_starts_at = billing_period_start(s.anchor_at, d.number),
         period_ends_at = billing_period_start(s.anchor_at, d.number + 1)
       FROM unnest($1::text[], $2::integer[]) AS d (id, number) JOIN locked ON locked.id = d.id
       WHERE s.id = d.id AND s.status = 'active' AND s.period_number < d.number`,
      [given.map(({ id }) => id), given.map(({ number }) => number)],
    );
    return due.length;
  }

  /**
   * Cancels all subscriptions of a user during account deletion. The rows stay, because the credits
   * of their periods refer to them.
   */
  async cancelSubscriptions(tenant: TenantData, userId: string): Promise<void> {
    await tenant.query(
      "UPDATE subscriptions SET status = 'canceled' WHERE tenant_id = $tenant AND user_id = $1 AND status <> 'canceled'",
      [userId],
    );
  }

  private async grant(
    { id, user_id, number, included_tokens, price_cents, ends_at }: Grant,
    em?: EntityManager,
  ): Promise<void> {
    const credits = { credits: Number(included_tokens), paidCents: price_cents ?? 0, endsAt: ends_at };
    await this.grants.grantCredits({ userId: user_id, subscriptionId: id, key: grantKey(id, number), ...credits }, em);
  }
}

/**
 * Waits for a running account deletion, and then does not find the user. Also waits for a paid plan
 * that is beginning.
 */
const SUBSCRIBE = `
  WITH made AS (
    INSERT INTO subscriptions (id, tenant_id, user_id, plan_id, plan_version, status, started_at, anchor_at, period_number, period_starts_at,
      period_ends_at)
    SELECT $1, u.tenant_id, u.id, p.id, p.version, 'active', clock.now, clock.now, 1, clock.now, billing_period_start(clock.now, 2)
    FROM users u, (SELECT billing_now() AS now) AS clock,
      (SELECT id, version FROM plans WHERE id = '${FREE_PLAN}' ORDER BY version DESC LIMIT 1) AS p
    WHERE u.id = $2 AND u.erased_at IS NULL FOR NO KEY UPDATE OF u
    ON CONFLICT (user_id) WHERE status IN ${LIVE_STATUSES_SQL} DO NOTHING
    RETURNING id, user_id, plan_id, plan_version, period_number, period_ends_at
  )
  SELECT m.id, m.user_id, m.period_number AS number, p.included_tokens, p.price_cents, m.period_ends_at AS ends_at
  FROM made m JOIN plans p ON p.id = m.plan_id AND p.version = m.plan_version`;

async function inGroups<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE) await Promise.all(items.slice(at, at + AT_ONCE).map(work));
}

const toCurrent = (row: CurrentRow): CurrentPlan => ({
  subscriptionId: row.subscription_id,
  plan: row.plan,
  version: row.version,
  status: row.status ?? 'active',
  priceCents: row.price_cents,
  includedTokens: Number(row.included_tokens),
  limits: { ...row.limits, ...(row.tool_calls !== null && { tool_calls: Number(row.tool_calls) }) },
  startedAt: row.started_at,
  period: { number: row.number, startsAt: row.starts_at, endsAt: row.ends_at },
  openUntil: row.period_ends_at,
  cancelAtPeriodEnd: row.cancel_at_period_end ?? false,
  pendingPlan: row.pending_plan_id,
});
