import type { AppStatus } from '@platform/contracts';
import { ACCOUNT_COLUMNS, ACCOUNT_JOINS, effectiveScopes, type Account } from '../../sessions/account.js';
import { canAuthenticate } from '../../users/can-authenticate.js';
import { hasAccess, type PolicyRow } from '../access-rules.js';
import { GRANT_COLUMNS, type GrantRow } from '../granted-scopes.js';
import type { Refusal } from './run-grants.errors.js';

/** What decides whether an app may act for a user, or the user call it. */
export interface StandingRow extends GrantRow {
  status: AppStatus;
  system: boolean;
  developer_id: string | null;
  /** Null for nobody. */
  account: Account | null;
  is_installed: boolean;
  is_disabled: boolean;
  /** Null where the tenant has no rule for the app. */
  policy: PolicyRow | null;
}

/** `StandingRow`, over `STANDING_JOINS`. */
export const STANDING_COLUMNS = `a.status, a.system, a.developer_id,
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
export function refusalOfUser({ status, system, developer_id, account, is_installed, is_disabled, policy }: StandingRow): Refusal | null {
  if (!account || !canAuthenticate(account)) return 'user_inactive';
  if (status === 'suspended' || (status !== 'active' && developer_id !== account.user_id)) return 'app_unavailable';
  if (status === 'active' && !system && !is_installed) return 'not_installed';
  if (is_disabled) return 'disabled';
  return policy === null || hasAccess(policy, subjectOf(account)) ? null : 'closed';
}

const subjectOf = (account: Account) => ({ userId: account.user_id, role: account.role, scopes: effectiveScopes(account) });
