import { GRANTED_SCOPES, IS_WITHOUT_CONSENT } from './granted-scopes.js';

/**
 * SQL condition: true if at least one of `apps` can no longer act for `user`. `apps` is an
 * expression for a jsonb list of ids, or null; `user` is an expression for an id. Reasons: the app
 * was deleted or suspended; it is neither published nor the user's own; the user has not installed
 * it, has removed or disabled it, or has not agreed to it; the tenant denies it to the user. It
 * does not check required scopes of a tenant; `restrictionsSql` returns these.
 *
 * The condition repeats the reasons of `refusalOfUser` in SQL. Add a new reason in both, and also
 * to the triggers in `migrations/baseline/drafts.ts`, which notify the host.
 */
export const appIsRevoked = (apps: string, user: string): string =>
  whereAny(
    apps,
    `EXISTS (
  SELECT FROM jsonb_array_elements_text(${apps}) AS named (app_id) WHERE NOT EXISTS (
    SELECT FROM apps led JOIN users whom ON whom.id = ${user}
      LEFT JOIN access_policies rule ON rule.app_id = led.app_id AND rule.tenant_id = whom.tenant_id
    WHERE led.app_id = named.app_id
      AND CASE led.status
        WHEN 'active' THEN led.system OR coalesce((
          SELECT i.removed_at IS NULL AND NOT ${IS_WITHOUT_CONSENT} FROM installs i WHERE i.app_id = led.app_id AND i.user_id = whom.id
        ), led.developer_id = whom.id)
        WHEN 'suspended' THEN false
        ELSE led.developer_id = whom.id AND NOT led.stopped_by_platform END
      AND NOT EXISTS (SELECT FROM disabled_extensions off WHERE off.app_id = led.app_id AND off.user_id = whom.id)
      AND (rule.app_id IS NULL OR NOT (whom.id = ANY (rule.denied_users) OR whom.role = ANY (rule.denied_roles)))))`,
    'false',
  );

/**
 * SQL for the tenant's policies that require scopes for these apps, as an array of `PolicyRow`;
 * null without any.
 */
export const restrictionsSql = (apps: string, tenant: string): string =>
  whereAny(
    apps,
    `(SELECT jsonb_agg(to_jsonb(rule)) FROM access_policies rule
  WHERE rule.tenant_id = ${tenant} AND rule.mode = 'restricted' AND rule.app_id IN (SELECT jsonb_array_elements_text(${apps})))`,
    'NULL',
  );

/**
 * SQL for the scopes that `user` granted each of these apps, as an array of arrays; null without
 * any. Omits system apps and the user's own apps that are not installed, since they need no grant.
 */
export const grantedScopesSql = (apps: string, user: string): string =>
  whereAny(
    apps,
    `(SELECT jsonb_agg(to_jsonb(${GRANTED_SCOPES})) FROM apps led JOIN installs i ON i.app_id = led.app_id AND i.user_id = ${user} AND i.removed_at IS NULL
  WHERE led.status = 'active' AND NOT led.system AND led.app_id IN (SELECT jsonb_array_elements_text(${apps})))`,
    'NULL',
  );

/**
 * SQL that is `found`, or `none` if the list `apps` is empty or null. So the query in `found` is
 * skipped for an empty list, which is the usual case.
 */
const whereAny = (apps: string, found: string, none: string): string =>
  `CASE WHEN jsonb_array_length(coalesce(${apps}, '[]')) > 0 THEN ${found} ELSE ${none} END`;
