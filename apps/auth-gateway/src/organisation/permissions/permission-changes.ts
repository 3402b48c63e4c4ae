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
 * Where rights in a tenant are changed. One change happens after the other, so that what a rule was judged by (who holds a scope, who
 * else is administrator) still holds when the change commits.
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
   * Runs `change` in a transaction of its own, and has every process notice afterwards: those users, or the whole tenant.
   *
   * @throws AppError 409 `user.last_administrator` when nobody would be left who can undo whatever is changed in the tenant.
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
   * Nobody gives, or takes in hand, what they do not hold, and no backend for them. One that acts for nobody may.
   *
   * @throws AppError 403 `privilege_escalation`.
   */
  assertHolds(caller: Caller, scopes: readonly string[]): void {
    const user = userOf(caller);
    if (!user) return;
    const missing = scopes.filter((scope) => !hasScope(user.scopes, scope));
    if (missing.length) throw PermissionErrors.privilegeEscalation(missing);
  }

  /** The administrator's role opens more than its scopes, so only an administrator gives it or takes it away. */
  assertMayAssign(caller: Caller, role: string): void {
    if (role === ADMIN_ROLE && userOf(caller) && !isAdmin(caller)) throw PermissionErrors.adminOnly();
  }

  /**
   * Nobody changes the role that they have: by that they would lift what it denies them. Who could give themselves everything may.
   *
   * @throws AppError 403 `privilege_escalation`.
   */
  assertNotOwnRole(caller: Caller, role: string): void {
    if (userOf(caller)?.role === role) this.assertMayGrantAll(caller);
  }

  /** @throws AppError 403 `privilege_escalation` unless the caller holds everything. */
  assertMayGrantAll(caller: Caller): void {
    this.assertHolds(caller, ['*']);
  }
}

/**
 * Whether somebody can sign in who has the role of administrators and holds everything. A denial of anything takes `*` away, and nobody
 * lifts a denial of what they do not hold: an administrator who is denied something cannot undo that.
 */
async function hasAdministrator(tenant: TenantData): Promise<boolean> {
  const some = await tenant.query<object>(
    `SELECT 1 FROM users u JOIN roles r ON r.tenant_id = u.tenant_id AND r.name = u.role
     WHERE u.tenant_id = $tenant AND u.role = '${ADMIN_ROLE}' AND u.is_active AND u.email_verified_at IS NOT NULL
       AND u.denied_scopes = '{}' AND '*' = ANY (r.default_scopes || u.scopes) LIMIT 1`,
  );
  return some.length > 0;
}
