import { isAdmin, userOf, type Caller, type UserCaller } from '@platform/guards';
import { TenantData, type Row } from '@platform/persistence';
import type { EntityManager } from 'typeorm';
import { effectiveScopes } from '../../identity/sessions/signed-in-account.js';
import { findUser } from '../../organisation/users/users.queries.js';
import type { Subject } from './access-rules.js';
import { ExtensionErrors } from './extensions.errors.js';
import type { User } from '../../identity/accounts/user.entity.js';

/** A user whose extensions somebody asks about. */
export interface ExtensionOwner extends Subject {
  tenantId: string;
  /** Whether they ask themselves. */
  isSelf: boolean;
}

/**
 * The user, for themselves, for an administrator of their tenant, and for a trusted backend: one that acts for somebody reaches as far as
 * they do, another one every user.
 *
 * @throws AppError 404 for anybody else, as for a user that there is not.
 */
export async function ownerFor(caller: Caller, em: EntityManager, userId: string): Promise<ExtensionOwner> {
  const user = userOf(caller);
  const tenantId = user ? tenantIfAllowed(user, userId) : await tenantOf(em, userId);
  const found = tenantId === null ? null : await findUser(new TenantData(em, tenantId), userId);
  if (!found) throw ExtensionErrors.userNotFound();
  return { userId, tenantId: found.tenant_id, role: found.role, scopes: effectiveScopes(found), isSelf: user?.userId === userId };
}

const tenantIfAllowed = (user: UserCaller, userId: string): string | null =>
  user.userId === userId || isAdmin(user) ? user.tenantId : null;

/** Null for nobody, and for whoever was erased. */
export async function tenantOf(em: EntityManager, userId: string): Promise<string | null> {
  const [user] = await em.query<Row<User, 'tenantId'>[]>('SELECT tenant_id FROM users WHERE id = $1 AND erased_at IS NULL', [userId]);
  return user?.tenant_id ?? null;
}
