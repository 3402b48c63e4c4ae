import { Injectable } from '@nestjs/common';
import type {
  AccessPolicy,
  AccessPolicyRequest,
  AccessPolicyResponse,
  ExtensionUsersResponse,
  ListAccessPoliciesQuery,
  ListExtensionUsersQuery,
} from '@platform/contracts';
import { TenantData } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import {
  ACCOUNT_COLUMNS,
  ACCOUNT_JOINS,
  getEffectiveScopes,
  type Account,
} from '../../identity/sessions/signed-in-account.js';
import { assertTenantExists } from '../../organisation/current-tenant/existing-tenants.js';
import { assertNamesExist } from './access-rule-names.js';
import { hasAccess, POLICY_COLUMNS, getAccessPolicy, type PolicyRow } from './access-rules.js';
import { ExtensionErrors } from './extensions.errors.js';

/** Rules of tenants about the users who can call an app. */
@Injectable()
export class AccessPoliciesService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns a page of a tenant's access rules, by ID of the app. An app without a rule is open to
   * all users of the tenant.
   *
   * @throws ValidationFailed for an unknown tenant.
   */
  async listPolicies({
    tenant_id: tenantId,
    limit,
    offset,
  }: ListAccessPoliciesQuery): Promise<Record<string, AccessPolicy>> {
    await assertTenantExists(this.dataSource.manager, tenantId, ['query', 'tenant_id']);
    const rows = await this.tenantData(tenantId).query<PolicyRow & { app_id: string }>(
      `SELECT p.app_id, ${POLICY_COLUMNS} FROM access_policies p WHERE p.tenant_id = $tenant ORDER BY p.app_id LIMIT $1 OFFSET $2`,
      [limit, offset],
    );
    return Object.fromEntries(rows.map((row) => [row.app_id, toAccessPolicy(row)]));
  }

  /**
   * Returns the tenant's access rule for an app; without a rule, one that is open to all users of
   * the tenant.
   *
   * @throws AppError 404 `extension.not_found` if the app neither is published nor is installed in
   * the tenant.
   */
  async getPolicy(tenantId: string, appId: string): Promise<AccessPolicyResponse> {
    await this.assertKnown(tenantId, appId);
    return { app_id: appId, ...toAccessPolicy(await getAccessPolicy(this.dataSource.manager, tenantId, appId)) };
  }

  /**
   * Replaces the tenant's whole access rule for an app, and returns the new one.
   *
   * @throws AppError 404 like `getPolicy`; ValidationFailed for added scopes, roles and users that
   * do not exist, and if the mode `restricted` has no scopes or another mode has some.
   */
  async replacePolicy(tenantId: string, appId: string, request: AccessPolicyRequest): Promise<AccessPolicyResponse> {
    const after: PolicyRow = {
      mode: request.mode,
      required_scopes: request.required_scopes ?? [],
      denied_roles: request.denied_roles ?? [],
      denied_users: request.denied_users ?? [],
    };
    if ((after.mode === 'restricted') !== after.required_scopes.length > 0) throw ExtensionErrors.scopesOfPublic();
    await this.assertKnown(tenantId, appId);
    await this.dataSource.transaction(async (em) => {
      await em.query("SELECT pg_advisory_xact_lock(hashtext('access policy'), hashtext($1 || ' ' || $2))", [
        tenantId,
        appId,
      ]);
      const before = await getAccessPolicy(em, tenantId, appId);
      await assertNamesExist(em, tenantId, addedTo(before, after));
      await new TenantData(em, tenantId).query(
        `INSERT INTO access_policies (tenant_id, app_id, mode, required_scopes, denied_roles, denied_users) VALUES ($tenant, $1, $2, $3, $4, $5)
         ON CONFLICT (tenant_id, app_id) DO UPDATE SET mode = excluded.mode, required_scopes = excluded.required_scopes,
           denied_roles = excluded.denied_roles, denied_users = excluded.denied_users, updated_at = now()`,
        [appId, after.mode, after.required_scopes, after.denied_roles, after.denied_users],
      );
      await recordAudit(em, {
        action: 'extension.access_changed',
        target: { type: 'app', id: appId },
        tenantId,
        before,
        after,
      });
    });
    return { app_id: appId, ...toAccessPolicy(after) };
  }

  /**
   * Returns a page of the tenant's active users who have the app, each with their access under the
   * rule. An app of the platform belongs to all users.
   *
   * @throws AppError 404 like `getPolicy`.
   */
  async listUsers(
    tenantId: string,
    appId: string,
    { limit, offset }: ListExtensionUsersQuery,
  ): Promise<ExtensionUsersResponse> {
    const { system } = await this.assertKnown(tenantId, appId);
    const policy = await getAccessPolicy(this.dataSource.manager, tenantId, appId);
    const rows = await this.tenantData(tenantId).query<Account>(
      system
        ? `SELECT ${ACCOUNT_COLUMNS} FROM users u ${ACCOUNT_JOINS} WHERE u.tenant_id = $tenant AND u.is_active
           ORDER BY u.created_at, u.id LIMIT $1 OFFSET $2`
        : `SELECT ${ACCOUNT_COLUMNS} FROM installs i JOIN users u ON u.id = i.user_id AND u.is_active ${ACCOUNT_JOINS}
           WHERE i.tenant_id = $tenant AND i.app_id = $3 AND i.removed_at IS NULL ORDER BY i.user_id LIMIT $1 OFFSET $2`,
      system ? [limit, offset] : [limit, offset, appId],
    );
    return {
      users: rows.map((row) => {
        const subject = { userId: row.user_id, role: row.role, scopes: getEffectiveScopes(row) };
        const access = hasAccess(policy, subject) ? 'granted' : 'denied';
        return { id: row.user_id, platform_id: row.user_id, email: row.email, role: row.role, access };
      }),
    };
  }

  /**
   * Returns the app. An unpublished app counts as unknown unless a user of the tenant has installed
   * it.
   *
   * @throws AppError 404 `extension.not_found` for an unknown app.
   */
  private async assertKnown(tenantId: string, appId: string): Promise<{ system: boolean }> {
    const [app] = await this.tenantData(tenantId).query<{ system: boolean }>(
      `SELECT a.system FROM apps a WHERE a.app_id = $1
         AND (a.status = 'active' OR EXISTS (SELECT FROM installs i WHERE i.tenant_id = $tenant AND i.app_id = a.app_id AND i.removed_at IS NULL))`,
      [appId],
    );
    if (!app) throw ExtensionErrors.notFound();
    return app;
  }

  private tenantData(tenantId: string): TenantData {
    return new TenantData(this.dataSource.manager, tenantId);
  }
}

/** Names that `after` adds. Names that were deleted since can stay in the rule. */
const addedTo = (before: PolicyRow, after: PolicyRow): PolicyRow => ({
  mode: after.mode,
  required_scopes: after.required_scopes.filter((scope) => !before.required_scopes.includes(scope)),
  denied_roles: after.denied_roles.filter((role) => !before.denied_roles.includes(role)),
  denied_users: after.denied_users.filter((user) => !before.denied_users.includes(user)),
});

const toAccessPolicy = ({ mode, required_scopes, denied_roles, denied_users }: PolicyRow) =>
  ({ mode, required_scopes, exceptions: { denied_roles, denied_users } }) satisfies AccessPolicy;
