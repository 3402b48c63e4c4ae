import { Injectable } from '@nestjs/common';
import { ADMIN_ROLE } from '@platform/contracts';
import { hasScope, isAdmin, userOf, type Caller } from '@platform/guards';
import { BroadcastService } from '@platform/messaging';
import { TenantData } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { TENANT_CHANGED, USER_CHANGED } from '../../identity/sessions/signed-in-users.service.js';
import { AccountDeletionService, rowsOfUser } from '../../kernel/account-deletion/account-deletion.service.js';
import { PermissionErrors } from './permissions.errors.js';

/**
 * Changes rights in a tenant, one change at a time. So the facts behind a check (the holders of a
 * scope, the other administrators) are still true when the change commits.
 */
@Injectable()
export class PermissionChangesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly broadcast: BroadcastService,
    accountDeletion: AccountDeletionService,
  ) {
    accountDeletion.addDataStep(rowsOfUser('scope_denials'));
  }

  /**
   * Runs `change` in its own transaction and returns its result. Afterwards notifies every process
   * of the gateway, so that it reads the rights again: of `changedUsers`, or of the whole tenant if
   * they are not given.
   *
   * @throws AppError 409 `user.last_administrator` if the tenant had an administrator with all
   * rights who can sign in, and would lose the last one; the error of `change`. Then nothing is
   * changed.
   */
  async changeInTenant<T>(
    tenantId: string,
    change: (tenant: TenantData) => Promise<T>,
    changedUsers?: string[],
  ): Promise<T> {
    const result = await this.dataSource.transaction(async (em) => {
      await em.query("SELECT pg_advisory_xact_lock(hashtext('permissions'), hashtext($1))", [tenantId]);
      const tenant = new TenantData(em, tenantId);
      const hadAdministrator = await hasAdministrator(tenant);
      const changed = await change(tenant);
      if (hadAdministrator && !(await hasAdministrator(tenant))) throw PermissionErrors.lastAdministrator();
      return changed;
    });
    await (changedUsers
      ? this.broadcast.publish(USER_CHANGED, changedUsers)
      : this.broadcast.publish(TENANT_CHANGED, [tenantId]));
    return result;
  }

  /**
   * Checks that the calling user holds all these scopes: users cannot grant or revoke scopes that
   * they do not hold, also not through a backend. A backend that acts for no user can change all
   * scopes.
   *
   * @throws AppError 403 `privilege_escalation` if the user lacks one of them.
   */
  assertHolds(caller: Caller, scopes: readonly string[]): void {
    const user = userOf(caller);
    if (!user) return;
    const missing = scopes.filter((scope) => !hasScope(user.scopes, scope));
    if (missing.length) throw PermissionErrors.privilegeEscalation(missing);
  }

  /**
   * Checks that the caller can assign or remove a role: only an administrator, or a backend for
   * itself, can do so for the role of administrators, because it allows more than its scopes.
   *
   * @throws AppError 403 `privilege_escalation` if not.
   */
  assertMayAssign(caller: Caller, role: string): void {
    if (role === ADMIN_ROLE && userOf(caller) && !isAdmin(caller)) throw PermissionErrors.adminOnly();
  }

  /**
   * Checks that users do not change their own role: they could remove its limits for themselves.
   * Users that hold all scopes (`*`) can, and so can a backend for itself.
   *
   * @throws AppError 403 `privilege_escalation` if the user has this role and not all scopes.
   */
  assertNotOwnRole(caller: Caller, role: string): void {
    if (userOf(caller)?.role === role) this.assertMayGrantAll(caller);
  }

  /**
   * Checks that the caller holds all scopes (`*`), or is a backend for itself.
   *
   * @throws AppError 403 `privilege_escalation` if not.
   */
  assertMayGrantAll(caller: Caller): void {
    this.assertHolds(caller, ['*']);
  }
}

/**
 * True if the tenant has an administrator that can sign in and holds all scopes (`*`). Any denied
 * scope removes `*`. Administrators with a denied scope cannot lift the denial, so they do not
 * count.
 */
async function hasAdministrator(tenant: TenantData): Promise<boolean> {
  const some = await tenant.query<object>(
    `SELECT 1 FROM users u JOIN roles r ON r.tenant_id = u.tenant_id AND r.name = u.role
     WHERE u.tenant_id = $tenant AND u.role = '${ADMIN_ROLE}' AND u.is_active
       AND u.denied_scopes = '{}' AND '*' = ANY (r.default_scopes || u.scopes) LIMIT 1`,
  );
  return some.length > 0;
}
