import { Injectable } from '@nestjs/common';
import { ADMIN_ROLE } from '@platform/contracts';
import { hasScope, isAdmin, userOf, type Caller } from '@platform/guards';
import { Notifications } from '@platform/messaging';
import { TenantData } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { TENANT_CHANGED, USER_CHANGED } from '../../identity/sessions/signed-in-users.js';
import { Erasures, rowsOfUser } from '../../kernel/erasure/erasures.js';
import { PermissionErrors } from './permissions.errors.js';

/**
 * Changes rights in a tenant, one change at a time. So the facts behind a check (the holders of a
 * scope, the other administrators) are still true when the change commits.
 */
@Injectable()
export class PermissionChanges {
  constructor(
    private readonly dataSource: DataSource,
    private readonly notifications: Notifications,
    erasures: Erasures,
  ) {
    erasures.addDataStep(rowsOfUser('scope_denials'));
  }

  /**
   * Runs `change` in its own transaction. Afterwards notifies every process: about `changedUsers`,
   * or about the whole tenant if they are not given.
   *
   * @throws AppError 409 `user.last_administrator` if the tenant would lose its last administrator
   * that holds everything.
   */
  async inTenant<T>(tenantId: string, change: (tenant: TenantData) => Promise<T>, changedUsers?: string[]): Promise<T> {
    const result = await this.dataSource.transaction(async (em) => {
      await em.query("SELECT pg_advisory_xact_lock(hashtext('permissions'), hashtext($1))", [tenantId]);
      const tenant = new TenantData(em, tenantId);
      const hadAdministrator = await hasAdministrator(tenant);
      const changed = await change(tenant);
      if (hadAdministrator && !(await hasAdministrator(tenant))) throw PermissionErrors.lastAdministrator();
      return changed;
    });
    await (changedUsers ? this.notifications.publish(USER_CHANGED, changedUsers) : this.notifications.publish(TENANT_CHANGED, [tenantId]));
    return result;
  }

  /**
   * Checks that a user holds all these scopes: users cannot grant or revoke scopes that they do not
   * hold, also not through a backend. A backend without an acting user can change all scopes.
   *
   * @throws AppError 403 `privilege_escalation`.
   */
  assertHolds(caller: Caller, scopes: readonly string[]): void {
    const user = userOf(caller);
    if (!user) return;
    const missing = scopes.filter((scope) => !hasScope(user.scopes, scope));
    if (missing.length) throw PermissionErrors.privilegeEscalation(missing);
  }

  /**
   * Checks that only an administrator assigns or removes the administrators' role, because the role
   * allows more than its scopes. @throws AppError 403 `privilege_escalation`.
   */
  assertMayAssign(caller: Caller, role: string): void {
    if (role === ADMIN_ROLE && userOf(caller) && !isAdmin(caller)) throw PermissionErrors.adminOnly();
  }

  /**
   * Checks that users do not change their own role: they could remove its limits for themselves.
   * Users that hold everything can.
   *
   * @throws AppError 403 `privilege_escalation`.
   */
  assertNotOwnRole(caller: Caller, role: string): void {
    if (userOf(caller)?.role === role) this.assertMayGrantAll(caller);
  }

  /** @throws AppError 403 `privilege_escalation` unless the caller holds everything (`*`). */
  assertMayGrantAll(caller: Caller): void {
    this.assertHolds(caller, ['*']);
  }
}

/**
 * True if the tenant has an administrator that can sign in and holds everything. Any denied scope
 * removes `*`. Administrators with a denied scope cannot lift the denial, so they do not count.
 */
async function hasAdministrator(tenant: TenantData): Promise<boolean> {
  const some = await tenant.query<object>(
    `SELECT 1 FROM users u JOIN roles r ON r.tenant_id = u.tenant_id AND r.name = u.role
     WHERE u.tenant_id = $tenant AND u.role = '${ADMIN_ROLE}' AND u.is_active
       AND u.denied_scopes = '{}' AND '*' = ANY (r.default_scopes || u.scopes) LIMIT 1`,
  );
  return some.length > 0;
}
