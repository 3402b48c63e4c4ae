import type { AppStatus } from '@platform/contracts';
import { ACCOUNT_COLUMNS, ACCOUNT_JOINS, effectiveScopes, type Account } from '../../sessions/account.js';
import { ACCOUNT_IS_USABLE } from '../../sessions/signed-in-users.js';
import { canAuthenticate } from '../../users/can-authenticate.js';
import { hasAccess, type PolicyRow } from '../access-rules.js';
import { GRANT_COLUMNS, type GrantRow } from '../granted-scopes.js';
import type { Refusal } from './run-grants.errors.js';

/** What decides whether an app may act for a user, or the user call it. */
export interface StandingRow extends GrantRow {
  status: AppStatus;
  system: boolean;
  developer_id: string | null;
  /** See `MAY_RUN`. */
  may_run: boolean;
  /** Null for nobody. */
  account: Account | null;
  is_installed: boolean;
  is_disabled: boolean;
  /** Null where the tenant has no rule for the app. */
  policy: PolicyRow | null;
}

/**
 * Whether anything of `apps a` runs at all. What is published runs for those who have it, whatever becomes of its developer; what is not
 * runs for its developer alone, and so as long as they may sign in.
 */
export const MAY_RUN = `(a.status = 'active' OR a.status <> 'suspended' AND EXISTS (
  SELECT FROM users u JOIN tenants t ON t.id = u.tenant_id WHERE u.id = a.developer_id AND ${ACCOUNT_IS_USABLE}))`;

/** `StandingRow`, over `STANDING_JOINS`. */
export const STANDING_COLUMNS = `a.status, a.system, a.developer_id, ${MAY_RUN} AS may_run,
  (SELECT to_jsonb(account) FROM (SELECT ${ACCOUNT_COLUMNS} FROM users u ${ACCOUNT_JOINS} WHERE u.id = l.user_id) account) AS account,
  i.user_id IS NOT NULL AS is_installed, x.user_id IS NOT NULL AS is_disabled, to_jsonb(p) AS policy, ${GRANT_COLUMNS}`;

/** From `l (app_id, user_id)` to `apps a`, its served version `v`, the user's tenant and what is between the app and them. */
export const STANDING_JOINS = `
  JOIN apps a ON a.app_id = l.app_id
  LEFT JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
  LEFT JOIN users s ON s.id = l.user_id
  LEFT JOIN installs i ON i.app_id = a.app_id AND i.user_id = l.user_id AND i.removed_at IS NULL
  LEFT JOIN disabled_extensions x ON x.app_id = a.app_id AND x.user_id = l.user_id
  LEFT JOIN access_policies p ON p.app_id = a.app_id AND p.tenant_id = s.tenant_id`;

/**
 * Why the app may not act for the user, nor the user call it; null where both may. Everybody has the system's own apps, and developers
 * what they have not published; others have to be installed. A rule of the tenant is about the user, whatever credential they use.
 */
export function refusalOfUser({
  status,
  system,
  developer_id,
  may_run,
  account,
  is_installed,
  is_disabled,
  policy,
}: StandingRow): Refusal | null {
  if (!account || !canAuthenticate(account)) return 'user_inactive';
  if (!may_run || (status !== 'active' && developer_id !== account.user_id)) return 'app_unavailable';
  if (status === 'active' && !system && !is_installed) return 'not_installed';
  if (is_disabled) return 'disabled';
  return policy === null || hasAccess(policy, subjectOf(account)) ? null : 'closed';
}

const subjectOf = (account: Account) => ({ userId: account.user_id, role: account.role, scopes: effectiveScopes(account) });
