import { GRANTED_SCOPES, IS_UNAGREED } from './granted-scopes.js';

/**
 * Of which `apps`, an expression for their ids as jsonb or null, one may not act for `user`, an expression for an id: it is gone or
 * suspended, no longer published or theirs, neither installed nor theirs, removed, not agreed to, disabled, or denied to them. For which
 * scopes a tenant asks says `restrictionsOf`.
 *
 * These are the reasons of `refusalOfUser`, in SQL: one that is added there belongs here, too, and what decides it into the triggers of
 * `migrations/1764420000000-drafts-that-change.ts`, by which the host hears of it.
 */
export const appIsGone = (apps: string, user: string): string =>
  whereAny(
    apps,
    `EXISTS (
  SELECT FROM jsonb_array_elements_text(${apps}) AS named (app_id) WHERE NOT EXISTS (
    SELECT FROM apps led JOIN users whom ON whom.id = ${user}
      LEFT JOIN access_policies rule ON rule.app_id = led.app_id AND rule.tenant_id = whom.tenant_id
    WHERE led.app_id = named.app_id
      AND CASE led.status
        WHEN 'active' THEN led.system OR coalesce((
          SELECT i.removed_at IS NULL AND NOT ${IS_UNAGREED} FROM installs i WHERE i.app_id = led.app_id AND i.user_id = whom.id
        ), led.developer_id = whom.id)
        WHEN 'suspended' THEN false
        ELSE led.developer_id = whom.id AND NOT led.stopped_by_platform END
      AND NOT EXISTS (SELECT FROM disabled_extensions off WHERE off.app_id = led.app_id AND off.user_id = whom.id)
      AND (rule.app_id IS NULL OR NOT (whom.id = ANY (rule.denied_users) OR whom.role = ANY (rule.denied_roles)))))`,
    'false',
  );

/** The rules of the tenant by which one needs scopes for these apps, as an array of `PolicyRow`; null for none. */
export const restrictionsOf = (apps: string, tenant: string): string =>
  whereAny(
    apps,
    `(SELECT jsonb_agg(to_jsonb(rule)) FROM access_policies rule
  WHERE rule.tenant_id = ${tenant} AND rule.mode = 'restricted' AND rule.app_id IN (SELECT jsonb_array_elements_text(${apps})))`,
    'NULL',
  );

/**
 * What `user` granted each of these apps, as an array of arrays; null for none. Nobody need agree to the platform's own, and to one's own
 * before one installs it.
 */
export const grantsOf = (apps: string, user: string): string =>
  whereAny(
    apps,
    `(SELECT jsonb_agg(to_jsonb(${GRANTED_SCOPES})) FROM apps led JOIN installs i ON i.app_id = led.app_id AND i.user_id = ${user} AND i.removed_at IS NULL
  WHERE led.status = 'active' AND NOT led.system AND led.app_id IN (SELECT jsonb_array_elements_text(${apps})))`,
    'NULL',
  );

/** Almost nothing has any: nothing is looked for then. */
const whereAny = (apps: string, found: string, none: string): string =>
  `CASE WHEN jsonb_array_length(coalesce(${apps}, '[]')) > 0 THEN ${found} ELSE ${none} END`;
