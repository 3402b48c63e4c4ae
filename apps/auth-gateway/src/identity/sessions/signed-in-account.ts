import type { Surface } from '@platform/contracts';
import { columns, type RowOf } from '@platform/persistence';
import type { EntityManager } from 'typeorm';
import { resolveScopes, type ResolvedScope } from '../../kernel/scopes/effective-scopes.js';
import { listExistingScopes } from '../../kernel/scopes/platform-scopes.js';
import type { AccessTokenSubject } from '../tokens/access-tokens.service.js';
import { Role } from '../accounts/role.entity.js';
import { Tenant } from '../accounts/tenant.entity.js';
import { User } from '../accounts/user.entity.js';
import { UserErrors } from '../accounts/users.errors.js';

const USER_COLUMNS = columns(
  User,
  ['id AS user_id', 'tenantId', 'orgId', 'email', 'credentialsEpoch', 'role', 'scopes', 'deniedScopes', 'isActive'],
  'u',
);
const TENANT_COLUMNS = columns(Tenant, ['isActive AS tenant_active', 'allowedAuthMethods'], 't');
export const ROLE_COLUMNS = columns(Role, ['defaultScopes'], 'r');

/** User with the data of their tenant and role, as the login statements return it. */
export type Account = RowOf<typeof USER_COLUMNS> & RowOf<typeof TENANT_COLUMNS> & RowOf<typeof ROLE_COLUMNS> & Known;

/** See `KNOWN_SCOPES`. */
interface Known {
  /** Registered scopes of the tenant; null if nothing is denied to the user. */
  known_scopes: string[] | null;
  /**
   * Apps that the user has installed or develops, and system apps; null if nothing is denied to the
   * user.
   */
  known_apps: string[] | null;
}

/**
 * Maximum apps with scopes to which a wildcard can be cut. Scopes to call further apps count as
 * denied. The apps are always the same ones, in the order of their ids.
 */
const MAX_APPS = 300;

/** SQL for the columns `known_scopes` and `known_apps` of a user, over `users u`. */
export const KNOWN_SCOPES = `
  CASE WHEN u.denied_scopes <> '{}' THEN ARRAY(
    SELECT app_id FROM apps k WHERE k.system UNION SELECT app_id FROM apps k WHERE k.developer_id = u.id
    UNION SELECT app_id FROM installs k WHERE k.user_id = u.id AND k.removed_at IS NULL
    ORDER BY app_id LIMIT ${MAX_APPS}) END AS known_apps,
  CASE WHEN u.denied_scopes <> '{}' THEN ARRAY(SELECT name FROM scopes k
    WHERE NOT k.is_system AND (k.tenant_id IS NULL OR k.tenant_id = u.tenant_id)) END AS known_scopes`;

/** Columns of `Account`, over `users u`, `tenants t` and `roles r`. */
export const ACCOUNT_COLUMNS = `${USER_COLUMNS}, ${TENANT_COLUMNS}, ${ROLE_COLUMNS}, ${KNOWN_SCOPES}`;

export const ACCOUNT_JOINS = `
  JOIN tenants t ON t.id = u.tenant_id
  JOIN roles r ON r.tenant_id = u.tenant_id AND r.name = u.role`;

/**
 * Reads a user with the data of their tenant and role, also if the user is not active.
 *
 * @throws AppError 404 `user.not_found` if the user does not exist.
 */
export async function getAccount(em: EntityManager, userId: string): Promise<Account> {
  const [account] = await em.query<Account[]>(
    `SELECT ${ACCOUNT_COLUMNS} FROM users u ${ACCOUNT_JOINS} WHERE u.id = $1`,
    [userId],
  );
  if (!account) throw UserErrors.notFound();
  return account;
}

/** Data that determines the scopes of a user. */
export type UserRights = Pick<Account, 'scopes' | 'default_scopes' | 'denied_scopes' | 'known_scopes' | 'known_apps'>;

/**
 * Computes the scopes of a user: those of the role and of the user, without denied ones, each with
 * its source.
 */
export function resolveUserScopes({
  scopes: own,
  default_scopes: role,
  denied_scopes: denied,
  ...known
}: UserRights): ResolvedScope[] {
  const there = listExistingScopes({ registered: known.known_scopes ?? [], apps: known.known_apps ?? [] });
  return resolveScopes({ role, own, denied, known: there });
}

/** Returns the names of the scopes of `resolveUserScopes`, sorted and without duplicates. */
export const getEffectiveScopes = (rights: UserRights): string[] =>
  [...new Set(resolveUserScopes(rights).map(({ scope }) => scope))].sort();

export const toTokenSubject = (account: Account, session: { id: string; surface: Surface }): AccessTokenSubject => ({
  userId: account.user_id,
  sessionId: session.id,
  email: account.email,
  tenantId: account.tenant_id,
  orgId: account.org_id,
  role: account.role,
  // Without apps: for a user with denied scopes the token would get too long.
  scopes: getEffectiveScopes({ ...account, known_apps: null }),
  use: session.surface === 'cli' ? 'cli' : 'session',
});
