import { Injectable } from '@nestjs/common';
import { columns, queryPrepared, type OrNull, type RowOf, type TenantData } from '@platform/persistence';
import { newId } from '@platform/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { FREE_PLAN } from './plan-definitions.js';
import { grantKey, PlanGrants } from './plan-grants.js';
import { PLAN_OF_USER } from './plan-of-user.js';
import { Plan, type PlanLimit } from './plan.entity.js';
import { LIVE_STATUSES_SQL, Subscription, type SubscriptionStatus } from './subscription.entity.js';

/** The plan of a user as it counts now. */
export interface CurrentPlan {
  /** Of the subscription; null where the user has none yet. */
  subscriptionId: string | null;
  plan: string;
  version: number;
  status: SubscriptionStatus;
  /** US cents for a month; null where a contract says it. */
  priceCents: number | null;
  /** Credits that each period brings. */
  includedTokens: number;
  /** Those of the plan, and of `tool_calls` that of the role where it is smaller. Absent is unlimited. */
  limits: Partial<Record<PlanLimit, number>>;
  startedAt: Date | null;
  /** The one that contains now. */
  period: { number: number; startsAt: Date; endsAt: Date };
  /** The end of the last period that was opened, which is before `period` where that one is not paid yet; null for a user who has just been made. */
  openUntil: Date | null;
  cancelAtPeriodEnd: boolean;
  /** The plan that it becomes when the period ends; null where it stays. */
  pendingPlan: string | null;
}

/** A period that brings credits. */
interface Grant {
  id: string;
  user_id: string;
  number: number;
  included_tokens: string;
  /** US cents. */
  price_cents: number | null;
  ends_at: Date;
}

/** One whose period has begun. */
interface Due extends Grant {
  /** In microseconds, which a Date has not. */
  was_due: string;
}

/** Called for each subscription whose period could not be opened. */
export type OnFailure = (subscriptionId: string, error: unknown) => void;

/** Of how many subscriptions one batch is at most. */
export const SUBSCRIPTION_BATCH = 100;
/** Users who are given something at the same time. */
const AT_ONCE = 4;

const CURRENT_PLAN = columns(Plan, ['id AS plan', 'version', 'priceCents', 'includedTokens', 'limits'], 'p');
const CURRENT = columns(
  Subscription,
  ['id AS subscription_id', 'status', 'startedAt', 'periodEndsAt', 'cancelAtPeriodEnd', 'pendingPlanId'],
  's',
);
type CurrentRow = RowOf<typeof CURRENT_PLAN> &
  OrNull<RowOf<typeof CURRENT>> & { tool_calls: string | null; number: number; starts_at: Date; ends_at: Date };

/** Which plan somebody has. Everybody has one: who has no other has the free one. */
@Injectable()
export class Subscriptions {
  /** The last subscription whose period was opened or could not be; null to begin with the oldest. */
  private lastDue: Pick<Due, 'id' | 'was_due'> | null = null;

  constructor(
    private readonly dataSource: DataSource,
    private readonly grants: PlanGrants,
  ) {}

  /** @throws Error when there is no such user. */
  async current(userId: string): Promise<CurrentPlan> {
    const [row] = await queryPrepared<CurrentRow>(
      this.dataSource,
      `SELECT ${CURRENT_PLAN}, ${CURRENT}, may.tool_calls, period.number, period.starts_at, period.ends_at
       FROM (SELECT billing_now() AS now) AS clock, users u ${PLAN_OF_USER} WHERE u.id = $1`,
      [userId],
    );
    if (!row) throw new Error(`There is no user ${userId} who could have a plan.`);
    return toCurrent(row);
  }

  /**
   * Gives the user the free plan with the credits of its first period, where they have no plan. Again, it changes nothing. A user who was erased gets
   * none.
   */
  async ensure(userId: string): Promise<void> {
    await this.dataSource.transaction(async (em) => {
      const [first] = await em.query<Grant[]>(SUBSCRIBE, [newId('sub'), userId]);
      if (first) await this.grant(first, em);
    });
  }

  /**
   * The same for the first users with an id after this one who have none, in the order of their ids: up to `SUBSCRIPTION_BATCH`. Not for those of the last
   * hour, who are given it when they are made.
   */
  async ensureAfter(userId: string): Promise<string[]> {
    const users = await this.dataSource.query<{ id: string }[]>(
      `SELECT u.id FROM users u WHERE u.id > $1 AND u.erased_at IS NULL AND u.created_at < now() - interval '1 hour'
         AND NOT EXISTS (SELECT FROM subscriptions s WHERE s.user_id = u.id AND s.status IN ${LIVE_STATUSES_SQL})
       ORDER BY u.id LIMIT ${SUBSCRIPTION_BATCH}`,
      [userId],
    );
    const ids = users.map(({ id }) => id);
    await inGroups(ids, (id) => this.ensure(id));
    return ids;
  }

  /**
   * Opens the period that has begun, for up to `SUBSCRIPTION_BATCH` subscriptions to the free plan whose last one is over, and
   * gives its credits. Returns how many it looked at. The next time it goes on with those after them; after the last it begins anew, so that one whose credits
   * cannot be given keeps nobody else from theirs, and is tried again.
   * Of several that have passed only the one that holds the moment is opened.
   *
   * The credits come first, under a key of the period, so that whoever else does the same, or does it again after a crash, gives none twice.
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

  /** Of a user who is erased: nothing is given any more. The row stays, for what names it: the credits of its periods. */
  async cancelAll(tenant: TenantData, userId: string): Promise<void> {
    await tenant.query("UPDATE subscriptions SET status = 'canceled' WHERE tenant_id = $tenant AND user_id = $1 AND status <> 'canceled'", [
      userId,
    ]);
  }

  private async grant({ id, user_id, number, included_tokens, price_cents, ends_at }: Grant, em?: EntityManager): Promise<void> {
    const credits = { credits: Number(included_tokens), paidCents: price_cents ?? 0, endsAt: ends_at };
    await this.grants.give({ userId: user_id, subscriptionId: id, key: grantKey(id, number), ...credits }, em);
  }
}

/** Waits for an erasure of the user that is under way, and then does not find them; and for a plan that begins. */
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
