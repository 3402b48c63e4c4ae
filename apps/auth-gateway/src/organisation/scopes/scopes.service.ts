import { Injectable } from '@nestjs/common';
import {
  DEFAULT_TENANT,
  PLATFORM_SCOPES,
  type DeletedScopeResponse,
  type EffectiveScopesResponse,
  type ListScopesQuery,
  type ScopeCreate,
  type ScopeResponse,
  type ScopeUpdate,
} from '@platform/contracts';
import { hasScope, isAdmin, isPlatformAdmin, userOf, type Caller } from '@platform/guards';
import { columns, onViolation, TenantData, type RowOf } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { isPlatformResource } from '../../kernel/scopes/platform-scopes.js';
import { PermissionChangesService } from '../permissions/permission-changes.service.js';
import { resolveUserScopes } from '../../identity/sessions/signed-in-account.js';
import { assertTenantExists } from '../current-tenant/existing-tenants.js';
import { UserErrors } from '../../identity/accounts/users.errors.js';
import { findUser } from '../users/users.queries.js';
import { DeniedScope } from '../permissions/denied-scope.entity.js';
import { Scope } from './scope.entity.js';
import { ScopeErrors } from './scopes.errors.js';

const SCOPE_COLUMNS = columns(Scope, [
  'id',
  'name',
  'resource',
  'action',
  'displayName',
  'description',
  'source',
  'sourceId',
  'isSystem',
]);
const CREATED = columns(Scope, ['createdAt']);
const COLUMNS = `${SCOPE_COLUMNS}, coalesce(tenant_id, '${PLATFORM_SCOPES}') AS tenant_id, ${CREATED}`;
type ScopeRow = RowOf<typeof SCOPE_COLUMNS> & RowOf<typeof CREATED> & { tenant_id: string };
const DENIED = columns(DeniedScope, ['scope', 'reason', 'deniedBy', 'deniedAt AS at', 'liftedBy', 'liftedAt']);
const PLATFORM_SOURCE = 'platform';
const MAX_LISTED = 1_000;

/** Scopes that can be granted, and the effective scopes of users. */
@Injectable()
export class ScopesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly changes: PermissionChangesService,
  ) {}

  /**
   * Lists the scopes that the tenant sees (the scopes for every tenant and its own), in the order
   * of their names; at most 1,000.
   */
  listScopes(tenantId: string, { resource, source }: ListScopesQuery): Promise<ScopeResponse[]> {
    return this.tenantData(tenantId).query<ScopeRow>(
      `SELECT ${COLUMNS} FROM scopes WHERE (tenant_id IS NULL OR tenant_id = $tenant)
         AND ($1::text IS NULL OR resource = $1) AND ($2::text IS NULL OR source = $2)
       ORDER BY name, id LIMIT ${MAX_LISTED}`,
      [resource ?? null, source ?? null],
    );
  }

  /**
   * Creates a scope for the tenant in the request; `_platform_` means every tenant. Without a
   * tenant, it is for every tenant if the caller works for the platform (`isForPlatform`),
   * otherwise for the caller's own.
   *
   * @throws AppError 403 `other_tenant` if the caller cannot create scopes for the tenant; 409
   * `scope.name_taken` if a scope with the name exists there.
   * @throws ValidationFailed if the name is not `resource:action`, if the resource belongs to the
   * platform, if a scope of one tenant has the source `platform`, or if the tenant does not exist.
   */
  async createScope(caller: Caller, currentTenant: string, request: ScopeCreate): Promise<ScopeResponse> {
    const { tenantId, forEverybody } = await this.ownerOf(caller, currentTenant, request.tenant_id ?? undefined);
    const name = `${request.resource}:${request.action}`;
    if ((request.name ?? name) !== name) throw ScopeErrors.otherName(name);
    if (isPlatformResource(request.resource)) throw ScopeErrors.platformResource(request.resource);
    if (request.source === PLATFORM_SOURCE && !forEverybody) throw ScopeErrors.platformSource();
    return this.changes.changeInTenant(tenantId, async (tenant) => {
      const [created] = (await tenant
        .query<ScopeRow>(
          `INSERT INTO scopes (tenant_id, name, resource, action, display_name, description, source, source_id)
           VALUES (CASE WHEN $1::boolean THEN NULL ELSE $tenant END, $2, $3, $4, $5, $6, $7, $8) RETURNING ${COLUMNS}`,
          [
            forEverybody,
            name,
            request.resource,
            request.action,
            request.display_name || name,
            request.description ?? '',
            request.source ?? (forEverybody ? PLATFORM_SOURCE : 'tenant'),
            request.source_id ?? null,
          ],
        )
        .catch(onViolation('scopes_tenant_name_key', () => ScopeErrors.nameTaken(name)))
        .catch(onViolation('scopes_own_resource_check', () => ScopeErrors.platformResource(request.resource)))) as [
        ScopeRow,
      ];
      await recordAudit(tenant.em, {
        action: 'scope.created',
        target: scopeTarget(created.id),
        tenantId,
        after: { name, tenant_id: created.tenant_id },
      });
      return created;
    });
  }

  /**
   * Changes the display name and the description of a scope; absent ones stay.
   *
   * @throws AppError 404 `scope.not_found` if the tenant does not see the scope; 403 `scope.system`
   * for a scope of the platform, or for one of every tenant if the caller works for one tenant.
   */
  updateScope(
    caller: Caller,
    tenantId: string,
    id: number,
    { display_name, description }: ScopeUpdate,
  ): Promise<ScopeResponse> {
    return this.changes.changeInTenant(tenantId, async (tenant) => {
      const before = await this.lockOwnScope(caller, tenant, id);
      const [after] = (await tenant.query<ScopeRow>(
        `UPDATE scopes SET display_name = coalesce($2, display_name), description = coalesce($3, description)
         WHERE id = $1 AND (tenant_id IS NULL OR tenant_id = $tenant) RETURNING ${COLUMNS}`,
        [id, display_name ?? null, description ?? null],
      )) as [ScopeRow];
      await recordAudit(tenant.em, { action: 'scope.updated', target: scopeTarget(id), tenantId, before, after });
      return after;
    });
  }

  /**
   * Deletes a scope.
   *
   * @throws AppError 404 `scope.not_found` if the tenant does not see the scope; 403 `scope.system`
   * for a scope of the platform, or for one of every tenant if the caller works for one tenant; 409
   * `scope.in_use` while a role or a user holds the scope or is denied it.
   */
  deleteScope(caller: Caller, tenantId: string, id: number): Promise<DeletedScopeResponse> {
    return this.changes.changeInTenant(tenantId, async (tenant) => {
      const { name, tenant_id: owner } = await this.lockOwnScope(caller, tenant, id);
      const everywhere = owner === PLATFORM_SCOPES;
      const holders = await tenant.query<object>(
        `SELECT 1 FROM roles WHERE (tenant_id = $tenant OR $2) AND default_scopes @> ARRAY[$1]
         UNION ALL SELECT 1 FROM users WHERE (tenant_id = $tenant OR $2) AND (scopes @> ARRAY[$1] OR denied_scopes @> ARRAY[$1]) LIMIT 1`,
        [name, everywhere],
      );
      if (holders.length) throw ScopeErrors.inUse();
      await tenant.query('DELETE FROM scopes WHERE id = $1 AND (tenant_id IS NULL OR tenant_id = $tenant)', [id]);
      await recordAudit(tenant.em, {
        action: 'scope.deleted',
        target: scopeTarget(id),
        tenantId,
        before: { name, tenant_id: owner },
      });
      return { status: 'deleted', id };
    });
  }

  /**
   * Returns the effective scopes of a user with the source of each, and the history of scopes
   * denied to them: the latest 200 denials, newest first.
   *
   * @throws AppError 404 `user.not_found` if the tenant has no such user, or for another user,
   * unless the caller can read users.
   */
  async getEffectiveScopes(caller: Caller, tenantId: string, userId: string): Promise<EffectiveScopesResponse> {
    if (!maySee(caller, userId)) throw UserErrors.notFound();
    const tenant = this.tenantData(tenantId);
    const user = await findUser(tenant, userId);
    if (!user) throw UserErrors.notFound();
    return {
      user_id: userId,
      role: user.role,
      scopes: resolveUserScopes(user).map(({ scope, source, grantedAs }) => ({ scope, source, granted_as: grantedAs })),
      denied: await tenant.query<RowOf<typeof DENIED>>(
        `SELECT ${DENIED} FROM scope_denials
         WHERE tenant_id = $tenant AND user_id = $1 ORDER BY denied_at DESC, id DESC LIMIT 200`,
        [userId],
      ),
    };
  }

  /**
   * Locks and returns a scope that the caller can change: a scope of the tenant, or a scope for
   * every tenant if the caller works for the platform (`isForPlatform`).
   *
   * @throws AppError 404 `scope.not_found` if the tenant does not see the scope; 403 `scope.system`
   * if the caller cannot change it.
   */
  private async lockOwnScope(caller: Caller, tenant: TenantData, id: number): Promise<ScopeResponse> {
    const [scope] = await tenant.query<ScopeRow>(
      `SELECT ${COLUMNS} FROM scopes WHERE id = $1 AND (tenant_id IS NULL OR tenant_id = $tenant) FOR UPDATE`,
      [id],
    );
    if (!scope) throw ScopeErrors.notFound();
    if (scope.is_system || (scope.tenant_id === PLATFORM_SCOPES && !isForPlatform(caller, tenant.tenantId)))
      throw ScopeErrors.systemProtected();
    return scope;
  }

  /**
   * Returns the tenant of a new scope, and `forEverybody`: true if it is for every tenant. Without
   * a name, the tenant is that of the request. Only administrators of the platform's own tenant and
   * backends can name another tenant or `_platform_`, which means every tenant.
   *
   * @throws AppError 403 `other_tenant` if another caller does so; ValidationFailed if the tenant
   * does not exist.
   */
  private async ownerOf(caller: Caller, currentTenant: string, named: string | undefined) {
    if (named === undefined) return { tenantId: currentTenant, forEverybody: isForPlatform(caller, currentTenant) };
    if (named === currentTenant) return { tenantId: currentTenant, forEverybody: false };
    if (!isPlatformAdmin(caller)) throw ScopeErrors.otherTenant();
    if (named === PLATFORM_SCOPES) return { tenantId: DEFAULT_TENANT, forEverybody: true };
    await assertTenantExists(this.dataSource.manager, named, ['body', 'tenant_id']);
    return { tenantId: named, forEverybody: false };
  }

  private tenantData(tenantId: string): TenantData {
    return new TenantData(this.dataSource.manager, tenantId);
  }
}

/**
 * True if the caller creates and changes scopes for every tenant. This needs both: the request
 * works in the platform's own tenant (`default`), and the caller is an administrator of that
 * tenant, also through a backend, or a backend (a trusted server with a service token) for itself.
 * False for all others, such as a backend that works in another tenant.
 */
const isForPlatform = (caller: Caller, tenantId: string): boolean =>
  tenantId === DEFAULT_TENANT && isPlatformAdmin(caller);

function maySee(caller: Caller, userId: string): boolean {
  const user = userOf(caller);
  return !user || user.userId === userId || isAdmin(user) || hasScope(user.scopes, 'users:read');
}

const scopeTarget = (id: number) => ({ type: 'scope', id: String(id) });
