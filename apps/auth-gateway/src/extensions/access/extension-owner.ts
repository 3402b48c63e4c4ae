import { isAdmin, userOf, type Caller, type UserCaller } from '@platform/guards';
import { TenantData, type Row } from '@platform/persistence';
import type { EntityManager } from 'typeorm';
import { getEffectiveScopes } from '../../identity/sessions/signed-in-account.js';
import { findUser } from '../../organisation/users/users.queries.js';
import type { Subject } from './access-rules.js';
import { ExtensionErrors } from './extensions.errors.js';
import type { User } from '../../identity/accounts/user.entity.js';

/** Owner of the requested extensions. */
export interface ExtensionOwner extends Subject {
  tenantId: string;
  /** True if the caller is this user. */
  isSelf: boolean;
}

/**
 * Finds the user for a caller who can act on the user's apps: the user, an administrator of their
 * tenant, or a backend. A backend that acts for a user has the rights of that user; any other
 * backend reaches all users.
 *
 * @throws AppError 404 `user.not_found` for any other caller, and for an unknown user.
 */
export async function getExtensionOwner(caller: Caller, em: EntityManager, userId: string): Promise<ExtensionOwner> {
  const user = userOf(caller);
  const tenantId = user ? tenantIfAllowed(user, userId) : await findTenantId(em, userId);
  const found = tenantId === null ? null : await findUser(new TenantData(em, tenantId), userId);
  if (!found) throw ExtensionErrors.userNotFound();
  return {
    userId,
    tenantId: found.tenant_id,
    role: found.role,
    scopes: getEffectiveScopes(found),
    isSelf: user?.userId === userId,
  };
}

const tenantIfAllowed = (user: UserCaller, userId: string): string | null =>
  user.userId === userId || isAdmin(user) ? user.tenantId : null;

/** Returns the ID of the user's tenant; null for an unknown or deleted user. */
export async function findTenantId(em: EntityManager, userId: string): Promise<string | null> {
  const [user] = await em.query<Row<User, 'tenantId'>[]>(
    'SELECT tenant_id FROM users WHERE id = $1 AND erased_at IS NULL',
    [userId],
  );
  return user?.tenant_id ?? null;
}
