import { nextTime } from '@platform/app-document';
import { SubscriptionsService } from '@platform/billing';
import { Injectable } from '@nestjs/common';
import {
  isMessage,
  type BulkRulesRequest,
  type DeletedRuleResponse,
  type ListRulesQuery,
  type RuleAction,
  type RuleDefinition,
  type RuleResponse,
  type RuleStatusResponse,
} from '@platform/contracts';
import {
  hasScope,
  isAdmin,
  keyOf,
  intersectNarrowings,
  narrowingOf,
  appsNarrowing,
  type Narrowing,
  type UserCaller,
} from '@platform/guards';
import { columns, TenantData, type RowOf } from '@platform/persistence';
import { AppError } from '@platform/platform';
import { isDeepStrictEqual } from 'node:util';
import { DataSource, type EntityManager } from 'typeorm';
import { UsageMetersRegistry } from '../billing/plans/usage-meters.registry.js';
import { recordAudit } from '../kernel/audit/record-audit.js';
import { findMissingKeyScope } from '../extensions/calls/key-scopes.js';
import { SystemExtensionsRegistry } from '../extensions/calls/system-extensions.registry.js';
import { AutomationFire } from './rules/automation-fire.entity.js';
import { AutomationRule } from './rules/automation-rule.entity.js';
import { AutomationErrors, type RuleQuota } from './rules/automations.errors.js';
import { RuleDefinitionsService, type RuleParts } from './definitions/rule-definitions.service.js';
import { getRuleQuota } from './rules/rule-quota.js';
import { KEY_OF_RULE, RULE_COLUMNS, toRule, type RuleRow } from './rules/rule-rows.js';

const DEFAULTS = { cooldown_seconds: 60, max_per_hour: 10, max_iterations: 0, notify_mode: 'failures' } as const;
const MOST_FIRES_SHOWN = 20;
const MOST_AT_ONCE = 500;

const FIRE = columns(AutomationFire, ['id', 'status', 'error', 'firedAt', 'finishedAt'], 'f');
/** A firing of a rule. */
export type ShownFire = RowOf<typeof FIRE>;

export interface RuleOwner {
  user_id: string;
  email: string;
  automations: number;
  active: number;
}

/** Result for one rule of a bulk request. */
export type BulkOutcome = { id: number; ok: true } | { id: number; ok: false; error: string; error_code: string };

/**
 * Rules of users. Administrators can see, pause and delete the rules of other users in their
 * tenant. Only the owner can change the actions of a rule or resume it, because it runs in the
 * owner's name and spends the owner's credits.
 */
@Injectable()
export class AutomationsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly definitions: RuleDefinitionsService,
    private readonly systemExtensions: SystemExtensionsRegistry,
    private readonly subscriptions: SubscriptionsService,
    meters: UsageMetersRegistry,
  ) {
    meters.registerMeter('automations', async (user, plan) => {
      const { used, cap } = await getRuleQuota(this.tenantData(user), user, plan);
      return { used, limit: cap };
    });
  }

  /**
   * Creates a rule of the user with the user's permissions, and returns it.
   *
   * @throws ValidationFailed with all errors of the definition; AppError 429
   * `automation.quota_exceeded` if the user has the maximum number of rules, 404 `user.not_found`
   * if the user was deleted meanwhile.
   */
  async createRule(user: UserCaller, request: RuleDefinition): Promise<RuleResponse> {
    const parts = await this.definitions.resolve(user, request);
    const plan = await this.subscriptions.getCurrentPlan(user.userId);
    return this.dataSource.transaction(async (em) => {
      const tenant = new TenantData(em, user.tenantId);
      const now = await lockUser(tenant, user.userId);
      const quota = await getRuleQuota(tenant, user, plan);
      if (quota.remaining === 0) throw AutomationErrors.quotaExceeded(quota);
      const [row] = await tenant.query<RuleRow>(
        `INSERT INTO automation_rules (tenant_id, user_id, prompt, interpretation, event_type, schedule, next_at, actions, scopes,
           cooldown_seconds, max_per_hour, max_iterations, notify_mode, api_key_id, other_key_ids, key_scopes, made_by_app,
           other_apps)
         VALUES ($tenant, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17) RETURNING ${RULE_COLUMNS}`,
        [
          user.userId,
          parts.prompt,
          parts.interpretation,
          parts.eventType,
          parts.schedule,
          parts.schedule && nextTime(parts.schedule, now),
          JSON.stringify(parts.actions),
          user.scopes,
          request.cooldown_seconds ?? DEFAULTS.cooldown_seconds,
          request.max_per_hour ?? DEFAULTS.max_per_hour,
          request.max_iterations ?? DEFAULTS.max_iterations,
          request.notify_mode ?? DEFAULTS.notify_mode,
          user.apiKeyId ?? null,
          user.otherKeyIds ?? null,
          user.keyScopes ?? null,
          user.throughApp ?? null,
          user.otherApps ?? null,
        ],
      );
      const rule = toRule(row as RuleRow);
      await audit(em, 'created', rule, { after: auditFields(rule) });
      return rule;
    });
  }

  /**
   * Returns a page of the rules of the caller, newest first. Administrators can list the rules of
   * another user of their tenant.
   *
   * @param of owner of the rules.
   * @throws AppError 403 `automation.admin_only` if another caller names another user.
   */
  async listRules(user: UserCaller, { limit, offset }: ListRulesQuery, of = user.userId): Promise<RuleResponse[]> {
    if (of !== user.userId && !isAdmin(user)) throw AutomationErrors.adminOnly();
    const rows = await this.tenantData(user).query<RuleRow>(
      `SELECT ${RULE_COLUMNS} FROM automation_rules WHERE tenant_id = $tenant AND user_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3`,
      [of, limit, offset],
    );
    return rows.map(toRule);
  }

  async getQuota(user: UserCaller): Promise<RuleQuota> {
    return getRuleQuota(this.tenantData(user), user, await this.subscriptions.getCurrentPlan(user.userId));
  }

  /**
   * Returns a rule with its last 20 firings, newest first.
   *
   * @throws AppError 404 `automation.not_found` if the tenant has no such rule; 403
   * `automation.not_owner` if it belongs to another user and the caller is no administrator.
   */
  async getRule(user: UserCaller, id: number): Promise<{ rule: RuleResponse; fires: ShownFire[] }> {
    const tenant = this.tenantData(user);
    const rule = toRule(await getOwnRule(tenant, user, id));
    const fires = await tenant.query<ShownFire>(
      `SELECT ${FIRE} FROM automation_fires f JOIN automation_rules r ON r.id = f.rule_id
       WHERE r.tenant_id = $tenant AND f.rule_id = $1 ORDER BY f.fired_at DESC, f.id DESC LIMIT ${MOST_FIRES_SHOWN}`,
      [id],
    );
    return { rule, fires };
  }

  /**
   * Changes the given fields of a rule, and returns it. A prompt alone defines trigger and actions.
   * Counters stay. The caller that defines the actions gives the rule their permissions. An API key
   * or app that changes only the trigger also limits the rule to its own permissions; the owner in
   * person does not.
   *
   * @throws ValidationFailed for an invalid definition; AppError 404 `automation.not_found` for an
   * unknown rule; 403 `automation.not_owner` for a rule of another user, even if the caller is an
   * administrator, `automation.beyond_key` if the rule can do more than the calling API key or app;
   * 409 `automation.changed_meanwhile` if another request meanwhile changed a part that this one
   * keeps.
   */
  async updateRule(user: UserCaller, id: number, request: RuleDefinition): Promise<RuleResponse> {
    const before = await getOwnRule(this.tenantData(user), user, id);
    if (before.user_id !== user.userId) throw AutomationErrors.notOwner();
    const { prompt, trigger_filter, actions } = request;
    const isRedefined = Boolean(prompt ?? trigger_filter ?? actions);
    const parts = isRedefined ? await this.definitions.resolve(user, request, partsOf(before)) : null;
    const saysActions = Boolean(actions ?? (prompt && !trigger_filter));
    const keepsPart = Boolean(actions) !== Boolean(trigger_filter);
    return this.withLockedRule(user, id, async (tenant, rule) => {
      if (!parts) this.assertReaches(user, rule);
      // The kept part was read before the lock. If another app or person has changed it since,
      // writing it back would give it their permissions.
      if (keepsPart && !isDeepStrictEqual(partsOf(rule), partsOf(before))) throw AutomationErrors.changedMeanwhile();
      const { prompt: text, interpretation, eventType, schedule, actions: done } = parts ?? partsOf(rule);
      const max_iterations = request.max_iterations ?? rule.max_iterations;
      const isUsedUp = max_iterations > 0 && rule.trigger_count >= max_iterations;
      const status = rule.status === 'active' && isUsedUp ? 'paused' : rule.status;
      const due = schedule === rule.schedule ? rule.next_at : schedule && nextTime(schedule, rule.now);
      const rights = parts ? rightsAfterChange(user, rule, saysActions) : rule;
      const [row] = await tenant.query<RuleRow>(
        `UPDATE automation_rules SET prompt = $2, interpretation = $3, event_type = $4, schedule = $5, next_at = $6, actions = $7,
           scopes = $8, cooldown_seconds = $9, max_per_hour = $10, max_iterations = $11, notify_mode = $12, status = $13,
           api_key_id = $14, other_key_ids = $15, key_scopes = $16, made_by_app = $17, other_apps = $18
         WHERE tenant_id = $tenant AND id = $1 RETURNING ${RULE_COLUMNS}`,
        [
          id,
          text,
          interpretation,
          eventType,
          schedule,
          status === 'active' ? due : null,
          JSON.stringify(done),
          rights.scopes,
          request.cooldown_seconds ?? rule.cooldown_seconds,
          request.max_per_hour ?? rule.max_per_hour,
          max_iterations,
          request.notify_mode ?? rule.notify_mode,
          status,
          rights.key?.id ?? null,
          rights.key?.others ?? null,
          rights.key?.scopes ?? null,
          rights.made_by_app,
          rights.other_apps,
        ],
      );
      const changed = toRule(row as RuleRow);
      await audit(tenant.em, 'updated', changed, { before: auditFields(rule), after: auditFields(changed) });
      return changed;
    });
  }

  /**
   * Pauses a rule; its counters stay. Firings in progress continue.
   *
   * @throws AppError 404 or 403 like `getRule`.
   */
  pause(user: UserCaller, id: number): Promise<RuleStatusResponse> {
    return this.withLockedRule(user, id, async (tenant, rule) => {
      await tenant.query(
        "UPDATE automation_rules SET status = 'paused', next_at = NULL WHERE tenant_id = $tenant AND id = $1",
        [id],
      );
      await audit(tenant.em, 'paused', rule);
      return { id, status: 'paused' };
    });
  }

  /**
   * Resumes a rule from any status and resets `trigger_count` to 0. A schedule continues with its
   * next time.
   *
   * @throws AppError 404 `automation.not_found` for an unknown rule; 403 `automation.not_owner` for
   * a rule of another user, even if the caller is an administrator, `automation.beyond_key` if the
   * rule can do more than the calling API key or app.
   */
  resume(user: UserCaller, id: number): Promise<RuleStatusResponse> {
    return this.withLockedRule(user, id, async (tenant, rule) => {
      // Administrators cannot resume it, because it spends the owner's credits.
      if (rule.user_id !== user.userId) throw AutomationErrors.notOwner();
      this.assertReaches(user, rule);
      await tenant.query(
        `UPDATE automation_rules SET status = 'active', trigger_count = 0, failures_in_row = 0, next_at = $2
         WHERE tenant_id = $tenant AND id = $1`,
        [id, rule.schedule && nextTime(rule.schedule, rule.now)],
      );
      await audit(tenant.em, 'resumed', rule);
      return { id, status: 'active' };
    });
  }

  /**
   * Deletes a rule with its firings.
   *
   * @throws AppError 404 or 403 like `getRule`.
   */
  delete(user: UserCaller, id: number): Promise<DeletedRuleResponse> {
    return this.withLockedRule(user, id, async (tenant, rule) => {
      await tenant.query('DELETE FROM automation_rules WHERE tenant_id = $tenant AND id = $1', [id]);
      await audit(tenant.em, 'deleted', rule, { before: auditFields(rule) });
      return { id, deleted: true };
    });
  }

  /**
   * Applies the action to one rule after the other, and returns the result of each. A refusal does
   * not stop the others. `all` means the newest 500 rules of the caller.
   *
   * @throws ValidationFailed unless exactly one of `rule_ids` and `all` is given.
   */
  async applyToRules(user: UserCaller, { action, rule_ids, all }: BulkRulesRequest): Promise<BulkOutcome[]> {
    if (Boolean(all) === Boolean(rule_ids)) throw AutomationErrors.whichOnes();
    const ids = rule_ids ?? (await this.listRules(user, { limit: MOST_AT_ONCE, offset: 0 })).map(({ id }) => id);
    const outcomes: BulkOutcome[] = [];
    for (const id of new Set(ids)) {
      try {
        await this[action](user, id);
        outcomes.push({ id, ok: true });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        outcomes.push({ id, ok: false, error: error.message, error_code: error.code });
      }
    }
    return outcomes;
  }

  /**
   * Returns a page of the users of the tenant that have rules, by id, with the numbers of their
   * rules.
   *
   * @throws AppError 403 `automation.admin_only` if the caller is not an administrator.
   */
  async listOwners(user: UserCaller, { limit, offset }: ListRulesQuery): Promise<RuleOwner[]> {
    if (!isAdmin(user)) throw AutomationErrors.adminOnly();
    return this.tenantData(user).query<RuleOwner>(
      `SELECT r.user_id, u.email, r.automations, r.active FROM (
         SELECT user_id, count(*)::int AS automations, count(*) FILTER (WHERE status = 'active')::int AS active
         FROM automation_rules WHERE tenant_id = $tenant GROUP BY user_id ORDER BY user_id LIMIT $1 OFFSET $2
       ) AS r JOIN users u ON u.tenant_id = $tenant AND u.id = r.user_id ORDER BY r.user_id`,
      [limit, offset],
    );
  }

  /**
   * Runs `work` in a transaction that locks the rule, and returns its result: no other request
   * changes the rule meanwhile, and it does not fire.
   *
   * @throws AppError 404 or 403 like `getRule`, and the error of `work`.
   */
  private withLockedRule<T>(
    user: UserCaller,
    id: number,
    work: (tenant: TenantData, rule: FoundRule) => Promise<T>,
  ): Promise<T> {
    return this.dataSource.transaction(async (em) => {
      const tenant = new TenantData(em, user.tenantId);
      return work(tenant, await getOwnRule(tenant, user, id, 'FOR NO KEY UPDATE'));
    });
  }

  /**
   * Asserts that the calling API key or app could run all actions of the rule itself. Otherwise it
   * could make the rule fire more often, or again, with permissions that it does not have. An app
   * can change only rules that it wrote, and rules that only send messages.
   *
   * @throws AppError 403 `automation.beyond_key` if it could not.
   */
  private assertReaches(user: UserCaller, { scopes, actions, made_by_app: writtenBy }: FoundRule): void {
    const narrowing = narrowingOf(user);
    const isBeyond = (action: RuleAction): boolean => {
      // The functions that an app can call are checked at each run of the rule.
      if (isMessage(action) || user.throughApp !== undefined) return false;
      const { app_id: appId, tool } = action;
      return (
        findMissingKeyScope(user, appId, this.systemExtensions.findFunctions(appId)?.get(tool)?.key_scope ?? null) !==
        null
      );
    };
    const isOfAnother = user.throughApp !== undefined && user.throughApp !== writtenBy && !actions.every(isMessage);
    const isWider = narrowing !== null && !scopes.every((scope) => hasScope(narrowing, scope));
    if (isOfAnother || isWider || actions.some(isBeyond)) throw AutomationErrors.beyondKey();
  }

  private tenantData({ tenantId }: UserCaller): TenantData {
    return new TenantData(this.dataSource.manager, tenantId);
  }
}

const MADE_BY = columns(AutomationRule, ['madeByApp', 'otherApps']);
/** Permissions of a rule. */
type RuleRights = Narrowing & RowOf<typeof MADE_BY>;

interface FoundRule extends RuleRow, RuleRights {
  /** Time of the database, which schedules use. */
  now: Date;
}

async function getOwnRule(
  tenant: TenantData,
  user: UserCaller,
  id: number,
  lock: 'FOR NO KEY UPDATE' | '' = '',
): Promise<FoundRule> {
  const [rule] = await tenant.query<FoundRule>(
    `SELECT ${RULE_COLUMNS}, scopes, ${KEY_OF_RULE} AS key, ${MADE_BY}, now() AS now
     FROM automation_rules r WHERE tenant_id = $tenant AND id = $1 ${lock}`,
    [id],
  );
  if (!rule) throw AutomationErrors.notFound();
  if (rule.user_id !== user.userId && !isAdmin(user)) throw AutomationErrors.notOwner();
  return rule;
}

/**
 * Returns the permissions of a rule after a change. If the user has set the actions
 * (`saysActions`), those of the user. After a change of the trigger alone, those that the rule has,
 * at most those of the calling API key or app.
 */
function rightsAfterChange(user: UserCaller, rule: RuleRights, saysActions: boolean): RuleRights {
  const ofUser = { scopes: user.scopes, key: keyOf(user) };
  const { throughApp, otherApps = [] } = user;
  if (saysActions) return { ...ofUser, made_by_app: throughApp ?? null, other_apps: [...otherApps] };
  if (narrowingOf(user) === null) return rule;
  const { made_by_app: writtenBy } = rule;
  const led = [
    ...otherApps,
    ...(rule.other_apps ?? []),
    ...(writtenBy !== null && throughApp !== undefined ? [writtenBy] : []),
  ];
  return {
    ...intersectNarrowings(rule, ofUser),
    made_by_app: throughApp ?? writtenBy,
    other_apps: appsNarrowing(led).apps?.slice() ?? [],
  };
}

/**
 * Locks the user until the end of the transaction, so that no other transaction counts their rules.
 * Returns the time of the database.
 *
 * @throws AppError 404 `user.not_found` for a deleted user.
 */
async function lockUser(tenant: TenantData, userId: string): Promise<Date> {
  const [user] = await tenant.query<{ now: Date }>(
    'SELECT now() AS now FROM users WHERE tenant_id = $tenant AND id = $1 AND erased_at IS NULL FOR NO KEY UPDATE',
    [userId],
  );
  if (!user) throw AutomationErrors.ownerGone();
  return user.now;
}

const partsOf = ({ prompt, interpretation, event_type, schedule, actions }: RuleRow): RuleParts => ({
  prompt,
  interpretation,
  eventType: event_type,
  schedule,
  actions,
});

/**
 * Returns the fields of a rule for the audit log, without the texts of prompts and actions: audit
 * entries are never deleted.
 */
const auditFields = ({
  status,
  cooldown_seconds,
  max_per_hour,
  max_iterations,
  notify_mode,
}: RuleRow | RuleResponse) => ({
  status,
  cooldown_seconds,
  max_per_hour,
  max_iterations,
  notify_mode,
});

const audit = (
  em: EntityManager,
  done: string,
  { id, user_id, tenant_id }: RuleRow | RuleResponse,
  states: { before?: object; after?: object } = {},
): Promise<void> =>
  recordAudit(em, {
    action: `automation.${done}`,
    target: { type: 'automation', id: String(id) },
    tenantId: tenant_id,
    metadata: { owner: user_id },
    ...states,
  });
