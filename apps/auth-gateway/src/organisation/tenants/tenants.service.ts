import { Injectable } from '@nestjs/common';
import {
  DEFAULT_MAX_CONNECTIONS,
  isTenantId,
  parseAuthMethods,
  type CreateTenantRequest,
  type DeleteTenantResponse,
  type ListTenantsQuery,
  type TenantResponse,
  type UpdateTenantRequest,
} from '@platform/contracts';
import type { Caller } from '@platform/guards';
import { BroadcastService } from '@platform/messaging';
import { columns, onViolation, TenantData, type RowOf } from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';
import { Tenant } from '../../identity/accounts/tenant.entity.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { deletePendingLogins } from '../../identity/cli-login/pending-logins.js';
import { createSystemRoles } from '../roles/system-roles.js';
import { TENANT_CHANGED } from '../../identity/sessions/signed-in-users.service.js';
import {
  assertTenantChangesAllowed,
  findTenantChanges,
  recordTenantUpdate,
  type TenantChanges,
} from './tenant-changes.js';
import { TenantDatabasesService } from './databases/tenant-databases.service.js';
import { IS_VISIBLE, getTenantReach, type TenantReach } from '../current-tenant/tenant-reach.js';
import { TenantErrors } from '../../identity/accounts/tenants.errors.js';

const NAMED = columns(Tenant, ['id', 'id AS tenant_id', 'name', 'dbBackend', 'isolation']);
const SETTINGS = columns(Tenant, [
  'maxConnections',
  'features',
  'isActive',
  'createdAt',
  'updatedAt',
  'parentTenantId',
  'canResell',
  'customPricing',
  'uiConfig',
]);
/** Columns of the response. */
const COLUMNS = `${NAMED}, array_to_string(allowed_auth_methods, ',') AS allowed_auth_methods, ${SETTINGS}`;
type TenantRow = RowOf<typeof NAMED> & RowOf<typeof SETTINGS> & Pick<TenantResponse, 'allowed_auth_methods'>;

@Injectable()
export class TenantsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly broadcast: BroadcastService,
    private readonly databases: TenantDatabasesService,
  ) {}

  /**
   * Creates a tenant and its system roles.
   *
   * @throws AppError 403 `tenant.may_not_create` if the caller is neither the platform nor a
   * reseller, or a reseller names a parent other than its own tenant; 403 `tenant.may_not_change`
   * if a reseller sets fields of the platform; 409 `tenant.id_taken` if the id exists.
   * @throws ValidationFailed if the parent does not exist, or if `db_config` does not match
   * `isolation`.
   */
  createTenant(caller: Caller, request: CreateTenantRequest): Promise<TenantResponse> {
    const reach = getTenantReach(caller);
    assertDatabaseFits(request);
    return this.dataSource.transaction(async (em) => {
      const parent = reach.isPlatform ? request.parent_tenant_id : await this.assertMayResell(em, reach, request);
      const tenant = new TenantData(em, request.tenant_id);
      const [created] = await tenant
        .query<TenantRow>(
          `INSERT INTO tenants (id, name, db_backend, allowed_auth_methods, max_connections, features, parent_tenant_id, sealed_db_config)
           VALUES ($tenant, $1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING RETURNING ${COLUMNS}`,
          [
            request.name,
            request.db_backend,
            parseAuthMethods(request.allowed_auth_methods),
            request.max_connections,
            request.features,
            parent ?? null,
            request.db_config ? this.databases.sealSettings(request.tenant_id, request.db_config) : null,
          ],
        )
        .catch(onViolation('tenants_parent_fkey', TenantErrors.noSuchParent))
        .catch(onViolation('tenants_parent_check', TenantErrors.ownParent));
      if (!created) throw TenantErrors.idTaken(request.tenant_id);
      await createSystemRoles(tenant);
      const { id, created_at: _created, updated_at: _updated, ...after } = created;
      const metadata = { has_db_config: Boolean(request.db_config) };
      await recordAudit(em, {
        action: 'tenant.created',
        target: { type: 'tenant', id },
        tenantId: id,
        after,
        metadata,
      });
      return created;
    });
  }

  /** Lists the tenants that the caller sees, in the order of their ids, deactivated ones too. */
  listTenants(caller: Caller, { limit, offset }: ListTenantsQuery): Promise<TenantResponse[]> {
    const { home, isPlatform } = getTenantReach(caller);
    return new TenantData(this.dataSource.manager, home).query<TenantRow>(
      `SELECT ${COLUMNS} FROM tenants WHERE ${IS_VISIBLE} ORDER BY id LIMIT $2 OFFSET $3`,
      [isPlatform, limit, offset],
    );
  }

  /**
   * Returns a tenant.
   *
   * @throws AppError 404 `tenant.not_found` if it does not exist or the caller does not see it.
   */
  getTenant(caller: Caller, id: string): Promise<TenantResponse> {
    return this.getVisibleTenant(this.dataSource.manager, getTenantReach(caller), id);
  }

  /**
   * Changes the given fields of a tenant and returns the tenant after the change. A deactivation
   * also ends the pending logins of its users.
   *
   * @throws AppError 403 `tenant.may_not_change` for fields or tenants that the caller cannot
   * change; 404 `tenant.not_found` for a tenant that the caller does not see; 409
   * `tenant.is_default` if the platform's own tenant would be deactivated,
   * `tenant.default_needs_email` if it would not allow logins with an e-mail address.
   */
  async updateTenant(caller: Caller, id: string, request: UpdateTenantRequest): Promise<TenantResponse> {
    const reach = getTenantReach(caller);
    const updated = await this.dataSource.transaction(async (em) => {
      const before = await this.getVisibleTenant(em, reach, id, 'FOR NO KEY UPDATE OF tenants');
      assertTenantChangesAllowed(reach, before, request);
      const changes = findTenantChanges(before, request);
      if (!Object.keys(changes).length && request.db_config === undefined) return before;
      const after = await this.writeTenant(em, before, changes, request);
      await recordTenantUpdate(em, before, changes, request);
      return after;
    });
    // Published even if nothing changed, so that a retry repeats a lost notification.
    if (typeof request.is_active === 'boolean' || request.allowed_auth_methods)
      await this.broadcast.publish(TENANT_CHANGED, [id]);
    return updated;
  }

  /**
   * Deactivates a tenant: its users cannot sign in, their pending logins end, and every process
   * refuses their sessions and API keys while the tenant is inactive. Its data is kept. Safe to
   * retry.
   *
   * @throws AppError 403 `tenant.may_not_change` if the caller does not manage all tenants; 404
   * `tenant.not_found` for a tenant that the caller does not see; 409 `tenant.is_default` for the
   * platform's own tenant.
   */
  async deleteTenant(caller: Caller, id: string): Promise<DeleteTenantResponse> {
    const reach = getTenantReach(caller);
    await this.dataSource.transaction(async (em) => {
      const before = await this.getVisibleTenant(em, reach, id, 'FOR NO KEY UPDATE OF tenants');
      if (!reach.isPlatform) throw TenantErrors.mayNotChange();
      if (!before.is_active) return;
      await this.writeTenant(em, before, { is_active: false }, {});
      await recordAudit(em, { action: 'tenant.deleted', target: { type: 'tenant', id }, tenantId: id });
    });
    await this.broadcast.publish(TENANT_CHANGED, [id]);
    return { status: 'deleted', tenant_id: id };
  }

  private async getVisibleTenant(
    em: EntityManager,
    { home, isPlatform }: TenantReach,
    id: string,
    lock = '',
  ): Promise<TenantResponse> {
    if (!isTenantId(id)) throw TenantErrors.notFound();
    const [tenant] = await new TenantData(em, home).query<TenantRow>(
      `SELECT ${COLUMNS} FROM tenants WHERE id = $2 AND ${IS_VISIBLE} ${lock}`,
      [isPlatform, id],
    );
    if (!tenant) throw TenantErrors.notFound();
    return tenant;
  }

  private async writeTenant(
    em: EntityManager,
    before: TenantResponse,
    changes: TenantChanges,
    { db_config }: UpdateTenantRequest,
  ): Promise<TenantResponse> {
    const [after] = (await new TenantData(em, before.id)
      .query<TenantRow>(
        `UPDATE tenants SET name = coalesce($1, name), allowed_auth_methods = coalesce($2, allowed_auth_methods),
           max_connections = coalesce($3, max_connections), features = coalesce($4, features), is_active = coalesce($5, is_active),
           sealed_db_config = CASE WHEN $6 THEN $7 ELSE sealed_db_config END, updated_at = now()
         WHERE id = $tenant RETURNING ${COLUMNS}`,
        [
          changes.name,
          changes.allowed_auth_methods?.split(','),
          changes.max_connections,
          changes.features,
          changes.is_active,
          db_config !== undefined,
          db_config ? this.databases.sealSettings(before.id, db_config) : null,
        ],
      )
      .catch(onViolation('tenants_default_check', TenantErrors.isDefault))
      .catch(onViolation('tenants_default_auth_methods_check', TenantErrors.defaultNeedsEmail))) as [TenantRow];
    if (before.is_active && !after.is_active) await deletePendingLogins(em, before.id);
    return after;
  }

  /**
   * Returns the id of the caller's tenant, if it can resell: the parent of the new tenant.
   *
   * @throws AppError 403 `tenant.may_not_create` if it cannot resell or the request names another
   * parent; 403 `tenant.may_not_change` if the request has fields that only the platform sets.
   */
  private async assertMayResell(
    em: EntityManager,
    { home }: TenantReach,
    request: CreateTenantRequest,
  ): Promise<string> {
    const [reseller] = await new TenantData(em, home).query(
      'SELECT 1 FROM tenants WHERE id = $tenant AND can_resell FOR SHARE',
    );
    if (!reseller || (request.parent_tenant_id ?? home) !== home) throw TenantErrors.mayNotCreate();
    const reserved = [
      ...(request.db_config ? ['db_config'] : []),
      ...(request.max_connections !== DEFAULT_MAX_CONNECTIONS ? ['max_connections'] : []),
      ...(Object.keys(request.features).length ? ['features'] : []),
    ];
    if (reserved.length) throw TenantErrors.reserved(reserved);
    return home;
  }
}

/**
 * Checks that `db_config` matches `isolation`.
 *
 * @throws ValidationFailed for a dedicated tenant without a database, or a shared tenant with one.
 */
function assertDatabaseFits({ isolation, db_config }: CreateTenantRequest): void {
  if (isolation === 'dedicated' && !db_config) throw TenantErrors.databaseMissing();
  if (isolation === 'shared' && db_config) throw TenantErrors.databaseOfShared();
}
