import { Inject, Injectable } from '@nestjs/common';
import { commonScopes } from '@platform/guards';
import { DataSource } from 'typeorm';
import { ACCOUNT_COLUMNS, ACCOUNT_JOINS, effectiveScopes, type Account } from '../sessions/account.js';
import { canAuthenticate } from '../users/can-authenticate.js';
import { EVERYBODY, hasAccess, type PolicyRow } from './access-rules.js';

/** That an app may act for a user, and with what. */
export interface InstallationGrant {
  appId: string;
  userId: string;
  /** The user's. */
  tenantId: string;
  /** What the user granted the app, as far as the served version still asks for it. */
  granted: string[];
  /** The same, cut to what the user holds now. */
  scopes: string[];
}

interface Pair {
  appId: string;
  userId: string;
}

interface GrantRow extends Account {
  app_id: string;
  /** Of the version that is served. */
  requested_scopes: string[] | null;
  /** Null where nobody need agree: to the platform's own apps, and to one's own that is not published. Then what is asked for counts. */
  granted_scopes: string[] | null;
  /** Null where the tenant has no rule for the app. */
  policy: PolicyRow | null;
}

/**
 * For which users an app may act, and with which scopes: for who is active, has the app and has not switched it off, and whose tenant lets
 * them use it, as long as the app is active; and for developers their own app that is not published. Asked anew each time, so that it ends
 * with any of these.
 */
@Injectable()
export class InstallationGrants {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  /** By app, of these apps those that may act for the user. None for a user who is not of the tenant. */
  async of(userId: string, tenantId: string, appIds: readonly string[]): Promise<Map<string, InstallationGrant>> {
    const grants = await this.find(appIds.map((appId) => ({ appId, userId })));
    return new Map(grants.filter((grant) => grant.tenantId === tenantId).map((grant) => [grant.appId, grant]));
  }

  /** By user, of these users those for whom the app may act, each in their own tenant. */
  async ofUsers(appId: string, userIds: readonly string[]): Promise<Map<string, InstallationGrant>> {
    const grants = await this.find(userIds.map((userId) => ({ appId, userId })));
    return new Map(grants.map((grant) => [grant.userId, grant]));
  }

  private async find(pairs: readonly Pair[]): Promise<InstallationGrant[]> {
    // What PostgreSQL cannot hold is nobody's id.
    const possible = pairs.filter(({ appId, userId }) => !appId.includes('\0') && !userId.includes('\0'));
    if (!possible.length) return [];
    const rows = await this.dataSource.query<GrantRow[]>(
      `SELECT a.app_id, ${ACCOUNT_COLUMNS}, v.requested_scopes, to_jsonb(p) AS policy,
         CASE WHEN a.status = 'active' AND NOT a.system THEN i.granted_scopes END AS granted_scopes
       FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::text[])) AS l(app_id, user_id)
         JOIN apps a ON a.app_id = l.app_id
         JOIN users u ON u.id = l.user_id ${ACCOUNT_JOINS}
         LEFT JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
         LEFT JOIN installs i ON i.app_id = a.app_id AND i.user_id = u.id AND i.removed_at IS NULL
         LEFT JOIN access_policies p ON p.app_id = a.app_id AND p.tenant_id = u.tenant_id
       WHERE NOT EXISTS (SELECT FROM disabled_extensions d WHERE d.app_id = a.app_id AND d.user_id = u.id)
         AND CASE a.status
           WHEN 'active' THEN a.system OR i.user_id IS NOT NULL
           WHEN 'suspended' THEN false
           ELSE a.developer_id = u.id END
       ORDER BY a.app_id, u.id`,
      [possible.map(({ appId }) => appId), possible.map(({ userId }) => userId)],
    );
    return rows.flatMap((row) => grantOf(row) ?? []);
  }
}

function grantOf(row: GrantRow): InstallationGrant | null {
  if (!canAuthenticate(row)) return null;
  const held = effectiveScopes(row);
  if (!hasAccess(row.policy ?? EVERYBODY, { userId: row.user_id, role: row.role, scopes: held })) return null;
  const requested = row.requested_scopes ?? [];
  const granted = row.granted_scopes ? commonScopes(row.granted_scopes, requested) : requested;
  return { appId: row.app_id, userId: row.user_id, tenantId: row.tenant_id, granted, scopes: commonScopes(granted, held) };
}
