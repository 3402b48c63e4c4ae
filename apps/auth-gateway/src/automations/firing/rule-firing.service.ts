import { nextTime } from '@platform/app-document';
import { Injectable } from '@nestjs/common';
import { appOfEvent, AUTOMATION_TRIGGERED, requiredKeyScope, SCHEDULED_EVENT } from '@platform/contracts';
import { JobsService } from '@platform/messaging';
import { columns, Outbox, type RowOf } from '@platform/persistence';
import { newId } from '@platform/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { ACCOUNT_IS_USABLE } from '../../identity/sessions/signed-in-users.service.js';
import { PlatformEventsService, type PlatformEvent } from '../../extensions/events/platform-events.service.js';
import { mayReceive } from '../../extensions/run-grants/published-events.js';
import { AutomationRule } from '../rules/automation-rule.entity.js';
import type { FireEvent } from './fire-event.js';
import { fireQueue, tickQueue } from './firing.jobs.js';
import {
  isUnattended,
  narrowingOfFire,
  RULE_RIGHTS_COLUMNS,
  type FiringEvent,
  type AuthorRights,
} from './firing-rights.js';

const TICK_MS = 5_000;
const DUE_AT_ONCE = 50;
/**
 * Rules that one job fires. A user can have more rules for the same event, and a long job would
 * occupy a slot of the queue.
 */
export const MAX_RULES_PER_JOB = 20;
/** Most unfinished firings of a user. Above it, their rules do not fire. */
export const MAX_PENDING = 500;

/** `scopes` limit the actions; null: no further limit. */
interface Cause extends FiringEvent {
  /** Unique id of the cause. A rule fires once for each. */
  id: string;
  /** Time of the firing; null: now. */
  at: Date | null;
  event: FireEvent;
  /** See `appOfEvent`. */
  about: string | null;
}

const WAITING = columns(AutomationRule, ['id', 'userId', 'tenantId'], 'r');
type WaitingRule = RowOf<typeof WAITING>;

const DUE = columns(AutomationRule, ['id', 'userId', 'tenantId', 'schedule', 'nextAt'], 'r');

/**
 * SQL parameters: `$1` user of the event, or null; `$2` app that published it; `$3` tenant; `$4`
 * event type.
 */
const WAITS_FOR_EVENT = `r.user_id = coalesce($1, (SELECT developer_id FROM apps WHERE app_id = $2)) AND r.tenant_id = $3 AND r.event_type = $4
         AND r.status = 'active'`;

interface DueRule extends RowOf<typeof DUE>, AuthorRights {
  schedule: string;
  next_at: Date;
  now: Date;
}

/** Fires rules when their event or time comes, within their limits. A job then runs the actions. */
@Injectable()
export class RuleFiringService {
  maxPending = MAX_PENDING;

  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly jobs: JobsService,
    private readonly events: PlatformEventsService,
  ) {
    events.onEvent('automations', (event, after) => this.onEvent(event, after), isAwaitedByRule);
    jobs.registerHandlers(tickQueue, { tick: () => this.fireDueSchedules() });
    jobs.scheduleJob(tickQueue, 'tick', TICK_MS);
  }

  /**
   * Fires the rules that wait for an event. An event of a user fires rules of that user; an event
   * that an app published for no user fires rules of the app's developer. The same event does not
   * fire a rule twice. A rule does not fire on its own firing. An event about an app does not fire
   * rules that another app led to, so that the other app does not learn of it. An event that an API
   * key is not allowed to read does not fire rules that the key wrote.
   *
   * Fires up to 20 rules (`MAX_RULES_PER_JOB`) with ids above `after`. Returns the last id if there
   * may be more.
   */
  async onEvent(event: PlatformEvent, after = '0'): Promise<string | undefined> {
    const { id, type, data, hop, scopes, key, apps } = event;
    const about = appOfEvent(event);
    const keyScope = requiredKeyScope(event);
    const rules = await this.dataSource.query<WaitingRule[]>(
      `SELECT ${WAITING} FROM automation_rules r
       WHERE ${WAITS_FOR_EVENT} AND ($4 <> '${AUTOMATION_TRIGGERED}' OR r.id::text IS DISTINCT FROM $5)
         AND ($6::text IS NULL OR coalesce(r.made_by_app, $6) = $6 AND coalesce(r.other_apps, '{}') <@ ARRAY[$6])
         AND r.id > $7
       ORDER BY r.id LIMIT ${MAX_RULES_PER_JOB}`,
      [event.userId, event.source, event.tenantId, type, String(data['rule_id']), about, after],
    );
    for (const rule of rules) {
      const seen = fireEvent(rule, { event_id: id, type, at: event.at, source: event.source, data, hop });
      // A separate transaction per rule: two events that lock the same rules in different orders
      // could deadlock.
      await this.outbox.transaction(async (em) => {
        const [rights] = await em.query<AuthorRights[]>(
          `SELECT ${RULE_RIGHTS_COLUMNS} FROM automation_rules r WHERE r.id = $1 FOR NO KEY UPDATE`,
          [rule.id],
        );
        if (!rights || (keyScope !== null && !mayReceive({ scopes: rights.scopes, key: rights.rule_key }, keyScope)))
          return;
        await lockFirings(em, [rule.user_id]);
        await this.fireRule(em, { ...rule, ...rights }, { id, at: null, event: seen, scopes, key, apps, about });
      });
    }
    return rules.length < MAX_RULES_PER_JOB ? undefined : String(rules.at(-1)?.id);
  }

  /**
   * Fires all due schedules. A schedule fires once even if several of its times have passed. Safe
   * to run in several processes at once.
   */
  async fireDueSchedules(): Promise<void> {
    while ((await this.outbox.transaction((em) => this.fireDueBatch(em))) === DUE_AT_ONCE);
  }

  private async fireDueBatch(em: EntityManager): Promise<number> {
    const rules = await em.query<DueRule[]>(
      `SELECT ${DUE}, ${RULE_RIGHTS_COLUMNS}, now() AS now FROM automation_rules r
       WHERE r.status = 'active' AND r.next_at <= now() ORDER BY r.next_at, r.id LIMIT ${DUE_AT_ONCE} FOR NO KEY UPDATE SKIP LOCKED`,
    );
    await lockFirings(
      em,
      rules.map(({ user_id }) => user_id),
    );
    for (const { schedule, next_at: at, now, ...rule } of rules) {
      await em.query('UPDATE automation_rules SET next_at = $2 WHERE id = $1', [rule.id, nextTime(schedule, now)]);
      const data = { schedule, scheduled_for: at.toISOString() };
      const event = fireEvent(rule, {
        event_id: newId('tick'),
        type: SCHEDULED_EVENT,
        at,
        source: 'platform',
        data,
        hop: 0,
      });
      await this.fireRule(em, rule, {
        id: at.toISOString(),
        at,
        event,
        scopes: null,
        key: null,
        apps: null,
        about: null,
      });
    }
    return rules.length;
  }

  /**
   * Fires a rule for an event or a due time: stores the firing, enqueues its job, and publishes
   * that it fired. Does nothing if the rule is not active, has fired for this cause before, or has
   * reached a limit. If the user has 500 unfinished firings, stores only that as the last error.
   * Requires locks on the rule and on the firings of its user.
   */
  private async fireRule(em: EntityManager, rule: WaitingRule & AuthorRights, cause: Cause): Promise<void> {
    const { id, at, event, scopes, key, apps, about } = cause;
    if (await this.hasTooManyPending(em, rule)) {
      const why = `Not fired, because ${this.maxPending} firings of your automations are still running.`;
      await em.query(`UPDATE automation_rules SET last_error = $4 ${WHERE_MAY_FIRE}`, [rule.id, at, id, why]);
      return;
    }
    const [fire] = await em.query<{ id: string }[]>(
      `WITH fired AS (
         UPDATE automation_rules SET
           trigger_count = trigger_count + 1,
           last_triggered = t.at,
           recent_triggers = (array_prepend(t.at, recent_triggers))[1:max_per_hour],
           status = CASE WHEN trigger_count + 1 = max_iterations THEN 'paused' ELSE status END,
           next_at = CASE WHEN trigger_count + 1 = max_iterations THEN NULL ELSE next_at END
         ${WHERE_MAY_FIRE}
         RETURNING id
       )
       INSERT INTO automation_fires (id, rule_id, cause, event, scopes, key, apps) SELECT $4, id, $3, $5, $6, $7, $8 FROM fired RETURNING id`,
      [rule.id, at, id, newId('fir'), JSON.stringify(event), scopes, key && JSON.stringify(key), apps],
    );
    if (!fire) return;
    await this.jobs.enqueue(em, fireQueue, 'run', { fire_id: fire.id, owner: rule.user_id });
    const { event_id, event_type, hop } = event;
    const data = { rule_id: rule.id, fire_id: fire.id, event_id, event_type };
    const narrowing = narrowingOfFire(rule, cause);
    await this.events.publish(em, {
      type: AUTOMATION_TRIGGERED,
      tenantId: rule.tenant_id,
      userId: rule.user_id,
      data: { ...data, about_app: about, unattended: isUnattended(rule, cause) },
      hop: hop + 1,
      scopes: narrowing.scopes,
      key: narrowing.key,
      apps: narrowing.apps ?? null,
    });
  }

  private async hasTooManyPending(em: EntityManager, { user_id }: WaitingRule): Promise<boolean> {
    const found = await em.query<unknown[]>(
      `SELECT FROM automation_rules r JOIN automation_fires f ON f.rule_id = r.id AND f.status = 'pending'
       WHERE r.user_id = $1 OFFSET $2 LIMIT 1`,
      [user_id, this.maxPending - 1],
    );
    return found.length > 0;
  }
}

/** Condition that the rule `$1` can fire now, or at the time `$2`, for the cause `$3`. */
const WHERE_MAY_FIRE = `
  FROM (SELECT coalesce($2::timestamptz, clock_timestamp()) AS at) t
  WHERE id = $1 AND status = 'active'
    AND EXISTS (SELECT FROM users u JOIN tenants t ON t.id = u.tenant_id WHERE u.id = automation_rules.user_id AND ${ACCOUNT_IS_USABLE})
    AND (last_triggered IS NULL OR last_triggered + make_interval(secs => cooldown_seconds) <= t.at)
    AND (recent_triggers[max_per_hour] IS NULL OR recent_triggers[max_per_hour] + interval '1 hour' <= t.at)
    AND NOT EXISTS (SELECT 1 FROM automation_fires f WHERE f.rule_id = $1 AND f.cause = $3)`;

/**
 * Locks the firings of these users until the end of the transaction, so that they can be counted.
 * Take it after the locks on the rules, and for all users at once: the fixed order prevents
 * deadlocks.
 */
async function lockFirings(em: EntityManager, userIds: readonly string[]): Promise<void> {
  for (const id of [...new Set(userIds)].sort()) {
    await em.query("SELECT pg_advisory_xact_lock(hashtext('automation fires'), hashtext($1))", [id]);
  }
}

interface FireEventInput extends Pick<FireEvent, 'event_id' | 'type' | 'source' | 'data' | 'hop'> {
  at: Date;
}

const fireEvent = ({ user_id, tenant_id }: WaitingRule, { at, type, ...seen }: FireEventInput): FireEvent => ({
  ...seen,
  event_type: type,
  type,
  timestamp: at.toISOString(),
  user_id,
  tenant_id,
});

/**
 * True if an active rule waits for the event. It uses `WAITS_FOR_EVENT` like `onEvent`, so that it
 * lets through every event that could fire a rule.
 */
async function isAwaitedByRule(em: EntityManager, { userId, source, tenantId, type }: PlatformEvent): Promise<boolean> {
  const found = await em.query<unknown[]>(`SELECT FROM automation_rules r WHERE ${WAITS_FOR_EVENT} LIMIT 1`, [
    userId,
    source,
    tenantId,
    type,
  ]);
  return found.length > 0;
}
