import { Inject, Injectable } from '@nestjs/common';
import type { EventSubscribersRequest, EventSubscribersResponse } from '@platform/contracts';
import { TenantData } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { EVERYBODY, hasAccess, type PolicyRow } from '../extensions/access-rules.js';
import { ACCOUNT_COLUMNS, ACCOUNT_JOINS, effectiveScopes, type Account } from '../sessions/account.js';
import { canAuthenticate } from '../users/can-authenticate.js';

interface Reached {
  app_id: string;
  /** Null where the tenant has no rule for it. */
  policy: PolicyRow | null;
}

/** Which apps the events of a user reach. */
@Injectable()
export class EventSubscribers {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  /**
   * Those of the apps that the user has installed and enabled and that their tenant lets them use, as long as they are active; and what
   * the user develops themselves and has not published. None for a user who is not there, not active or of another tenant.
   */
  async find({ user_id: userId, tenant_id: tenantId, app_ids: appIds }: EventSubscribersRequest): Promise<EventSubscribersResponse> {
    const tenant = new TenantData(this.dataSource.manager, tenantId);
    const [account] = await tenant.query<Account>(
      `SELECT ${ACCOUNT_COLUMNS} FROM users u ${ACCOUNT_JOINS} WHERE u.id = $1 AND u.tenant_id = $tenant`,
      [userId],
    );
    if (!account || !canAuthenticate(account)) return { app_ids: [] };
    const apps = await tenant.query<Reached>(
      `SELECT a.app_id, to_jsonb(p) AS policy
       FROM apps a LEFT JOIN access_policies p ON p.app_id = a.app_id AND p.tenant_id = $tenant
       WHERE a.app_id = ANY ($2)
         AND NOT EXISTS (SELECT FROM disabled_extensions d WHERE d.app_id = a.app_id AND d.user_id = $1)
         AND CASE a.status
           WHEN 'active' THEN a.system OR EXISTS (SELECT FROM installs i WHERE i.app_id = a.app_id AND i.user_id = $1 AND i.removed_at IS NULL)
           WHEN 'suspended' THEN false
           ELSE a.developer_id = $1 END
       ORDER BY a.app_id`,
      [userId, appIds],
    );
    const subject = { userId, role: account.role, scopes: effectiveScopes(account) };
    return { app_ids: apps.filter(({ policy }) => hasAccess(policy ?? EVERYBODY, subject)).map(({ app_id }) => app_id) };
  }
}
