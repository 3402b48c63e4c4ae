import { Injectable } from '@nestjs/common';
import {
  ADMIN_ROLE,
  ROLE_DEFAULTS,
  type CreateRoleRequest,
  type DeletedResponse,
  type RoleResponse,
  type UpdatedRoleResponse,
  type UpdateRoleRequest,
} from '@platform/contracts';
import type { Caller } from '@platform/guards';
import { columns, onViolation, TenantData, type RowOf } from '@platform/persistence';
import { newId } from '@platform/platform';
import { DataSource } from 'typeorm';
import { Role } from '../../identity/accounts/role.entity.js';
import { findChangedFields } from '../../kernel/audit/changed-fields.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { PermissionChangesService } from '../permissions/permission-changes.service.js';
import { RoleErrors } from './roles.errors.js';

const COLUMNS = columns(Role, [
  'id',
  'tenantId',
  'name',
  'displayName',
  'defaultScopes',
  'defaultAttributes',
  'defaultExtensions',
  'confirmationPolicy',
  'maxConcurrentTasks',
  'monthlyActionLimit',
  'contextWindow',
  'isSystem',
  'createdAt',
]);
type RoleRow = RowOf<typeof COLUMNS>;
/** Maximum roles in a list. Administrators create roles by hand, so no tenant should have more. */
const MAX_LISTED = 500;

@Injectable()
export class RolesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly changes: PermissionChangesService,
  ) {}

  /** Lists the roles of the tenant, in the order of their names; at most 500. */
  listRoles(tenantId: string): Promise<RoleResponse[]> {
    const tenant = new TenantData(this.dataSource.manager, tenantId);
    return tenant.query<RoleRow>(
      `SELECT ${COLUMNS} FROM roles WHERE tenant_id = $tenant ORDER BY name LIMIT ${MAX_LISTED}`,
    );
  }

  /**
   * Creates a role in the tenant.
   *
   * @throws AppError 403 `privilege_escalation` for scopes that the caller does not hold, and for
   * the name `admin` if the caller is a user without the rights of an administrator; 409
   * `role.name_taken` if a role of the tenant has the name.
   */
  createRole(caller: Caller, tenantId: string, request: CreateRoleRequest): Promise<RoleResponse> {
    this.changes.assertHolds(caller, request.default_scopes ?? []);
    this.changes.assertMayAssign(caller, request.name);
    return this.changes.changeInTenant(tenantId, async (tenant) => {
      const [created] = (await tenant
        .query<RoleRow>(
          `INSERT INTO roles (id, tenant_id, name, display_name, default_scopes, default_attributes, default_extensions, confirmation_policy,
             max_concurrent_tasks, monthly_action_limit, context_window)
           VALUES ($1, $tenant, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING ${COLUMNS}`,
          [
            newId('rol'),
            request.name,
            request.display_name || request.name,
            request.default_scopes ?? [],
            request.default_attributes ?? {},
            request.default_extensions ?? [],
            request.confirmation_policy ?? ROLE_DEFAULTS.confirmation_policy,
            request.max_concurrent_tasks ?? ROLE_DEFAULTS.max_concurrent_tasks,
            request.monthly_action_limit ?? ROLE_DEFAULTS.monthly_action_limit,
            request.context_window ?? ROLE_DEFAULTS.context_window,
          ],
        )
        .catch(onViolation('roles_tenant_name_key', () => RoleErrors.nameTaken(request.name)))) as [RoleRow];
      const after = { name: created.name, default_scopes: created.default_scopes };
      await recordAudit(tenant.em, {
        action: 'role.created',
        target: { type: 'role', id: created.id },
        tenantId,
        after,
      });
      return created;
    });
  }

  /**
   * Changes a role and returns it with the number of users that `cascade` changed. The rights of
   * its users change immediately. With `cascade` the users also lose their own scopes and get the
   * role's default attributes, so that they hold exactly the rights of the role; denied scopes stay
   * denied.
   *
   * @throws AppError 403 `privilege_escalation` if the caller does not hold all scopes of the role,
   * before and after the change, or with `cascade` all own scopes of its users; for the caller's
   * own role or a role of the platform, unless the caller holds all scopes (`*`); and for the
   * administrators' role, unless the caller is an administrator or a backend for itself.
   * @throws AppError 403 `role.system` for the scopes of the administrators' role; 404
   * `role.not_found` if the tenant has no such role.
   */
  updateRole(
    caller: Caller,
    tenantId: string,
    id: string,
    request: UpdateRoleRequest,
    cascade: boolean,
  ): Promise<UpdatedRoleResponse> {
    return this.changes.changeInTenant(tenantId, async (tenant) => {
      const before = await this.getRole(tenant, id);
      this.changes.assertHolds(caller, [...before.default_scopes, ...(request.default_scopes ?? [])]);
      this.changes.assertMayAssign(caller, before.name);
      if (before.is_system) this.changes.assertMayGrantAll(caller);
      else this.changes.assertNotOwnRole(caller, before.name);
      if (before.name === ADMIN_ROLE && request.default_scopes) throw RoleErrors.systemProtected();
      const [after] = (await tenant.query<RoleRow>(
        `UPDATE roles SET display_name = coalesce($2, display_name), default_scopes = coalesce($3, default_scopes),
           default_attributes = coalesce($4, default_attributes), default_extensions = coalesce($5, default_extensions),
           confirmation_policy = coalesce($6, confirmation_policy), max_concurrent_tasks = coalesce($7, max_concurrent_tasks),
           monthly_action_limit = coalesce($8, monthly_action_limit), context_window = coalesce($9, context_window)
         WHERE tenant_id = $tenant AND id = $1 RETURNING ${COLUMNS}`,
        [
          id,
          request.display_name ?? null,
          request.default_scopes ?? null,
          request.default_attributes ?? null,
          request.default_extensions ?? null,
          request.confirmation_policy ?? null,
          request.max_concurrent_tasks ?? null,
          request.monthly_action_limit ?? null,
          request.context_window ?? null,
        ],
      )) as [RoleRow];
      const cascaded = cascade ? await this.cascadeChange(caller, tenant, after) : 0;
      const metadata = { cascade, cascaded_count: cascaded };
      const changed = findChangedFields(before, after);
      if (changed || cascaded) {
        await recordAudit(tenant.em, {
          action: 'role.updated',
          target: { type: 'role', id },
          tenantId,
          ...changed,
          metadata,
        });
      }
      return Object.assign(after, { cascaded_count: cascaded });
    });
  }

  /**
   * Deletes a role of the tenant.
   *
   * @throws AppError 403 `role.system` for a role of the platform, `privilege_escalation` if it has
   * scopes that the caller does not hold; 404 `role.not_found` if the tenant has no such role; 409
   * `role.in_use` while a user has it.
   */
  deleteRole(caller: Caller, tenantId: string, id: string): Promise<DeletedResponse> {
    return this.changes.changeInTenant(tenantId, async (tenant) => {
      const before = await this.getRole(tenant, id);
      if (before.is_system) throw RoleErrors.systemProtected();
      this.changes.assertHolds(caller, before.default_scopes);
      await tenant
        .query('DELETE FROM roles WHERE tenant_id = $tenant AND id = $1', [id])
        .catch(onViolation('users_role_fkey', RoleErrors.inUse));
      await recordAudit(tenant.em, { action: 'role.deleted', target: { type: 'role', id }, tenantId, before });
      return { status: 'deleted', id };
    });
  }

  private async getRole(tenant: TenantData, id: string): Promise<RoleRow> {
    const [role] = await tenant.query<RoleRow>(
      `SELECT ${COLUMNS} FROM roles WHERE tenant_id = $tenant AND id = $1 FOR UPDATE`,
      [id],
    );
    if (!role) throw RoleErrors.notFound();
    return role;
  }

  private async cascadeChange(caller: Caller, tenant: TenantData, role: RoleRow): Promise<number> {
    const [own] = (await tenant.query<{ scopes: string[] }>(
      'SELECT ARRAY(SELECT DISTINCT unnest(scopes) FROM users WHERE tenant_id = $tenant AND role = $1) AS scopes',
      [role.name],
    )) as [{ scopes: string[] }];
    this.changes.assertHolds(caller, own.scopes);
    const [changed] = (await tenant.query<{ count: number }>(
      `WITH changed AS (
         UPDATE users SET scopes = '{}', attributes = attributes || $2 WHERE tenant_id = $tenant AND role = $1 AND erased_at IS NULL RETURNING 1)
       SELECT count(*)::int AS count FROM changed`,
      [role.name, role.default_attributes],
    )) as [{ count: number }];
    return changed.count;
  }
}
