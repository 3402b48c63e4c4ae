import { Injectable } from '@nestjs/common';
import {
  DEFAULT_NOTIFICATIONS,
  type MySettings,
  type MySettingsResponse,
  type NotificationSettings,
  type UpdateSettingsRequest,
} from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { TenantData } from '@platform/persistence';
import { ValidationFailed } from '@platform/platform';
import { isDeepStrictEqual } from 'node:util';
import { DataSource } from 'typeorm';
import { UserErrors } from '../accounts/users.errors.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';

/** Settings in the row of the user. Null: never set. */
interface Stored {
  confirmation_enabled: boolean | null;
  notifications: NotificationSettings | null;
}

@Injectable()
export class MySettingsService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns the settings of the user. If they were never set, `confirmation_enabled` is null (the
   * role decides), and `notifications` has the defaults of the platform.
   *
   * @throws AppError 404 `user.not_found` if the account was deleted.
   */
  async getMySettings({ tenantId, userId }: UserCaller): Promise<MySettingsResponse> {
    return { settings: toSettings(await read(new TenantData(this.dataSource.manager, tenantId), userId)) };
  }

  /**
   * Changes settings of the user. An absent key stays as it is; null resets it to the default.
   * `notifications.apps` is replaced as a whole. Returns all settings.
   *
   * @throws AppError 404 `user.not_found` if the account was deleted. ValidationFailed for an app
   * that does not exist, cannot notify the user or cannot be muted.
   */
  updateMySettings({ tenantId, userId }: UserCaller, request: UpdateSettingsRequest): Promise<MySettingsResponse> {
    return this.dataSource.transaction(async (em) => {
      const tenant = new TenantData(em, tenantId);
      const before = await read(tenant, userId, 'FOR NO KEY UPDATE');
      const after: Stored = {
        confirmation_enabled:
          request.confirmation_enabled === undefined ? before.confirmation_enabled : request.confirmation_enabled,
        notifications: mergeNotifications(before.notifications, request.notifications),
      };
      const changed = KEYS.filter((key) => !isDeepStrictEqual(before[key], after[key]));
      if (!changed.length) return { settings: toSettings(before) };
      if (changed.includes('notifications')) await assertNotifyingApps(tenant, userId, request.notifications?.apps);
      await tenant.query(
        'UPDATE users SET confirmation_enabled = $2, notification_settings = $3 WHERE tenant_id = $tenant AND id = $1',
        [userId, after.confirmation_enabled, after.notifications && JSON.stringify(after.notifications)],
      );
      const only = (settings: Stored) => Object.fromEntries(changed.map((key) => [key, settings[key]]));
      const target = { type: 'user', id: userId };
      await recordAudit(em, {
        action: 'user.settings_changed',
        target,
        tenantId,
        before: only(before),
        after: only(after),
      });
      return { settings: toSettings(after) };
    });
  }
}

const KEYS = ['confirmation_enabled', 'notifications'] as const;

const toSettings = ({ confirmation_enabled, notifications }: Stored): MySettings => ({
  confirmation_enabled,
  notifications: notifications ?? DEFAULT_NOTIFICATIONS,
});

function mergeNotifications(
  before: NotificationSettings | null,
  changes: UpdateSettingsRequest['notifications'],
): NotificationSettings | null {
  if (changes === null) return null;
  const { enabled, default: others, apps } = Object.assign({}, DEFAULT_NOTIFICATIONS, before, changes);
  const isSet = before !== null || changes !== undefined;
  return isSet ? { enabled, default: others, apps } : null;
}

async function read(tenant: TenantData, userId: string, lock = ''): Promise<Stored> {
  const [row] = await tenant.query<Stored>(
    `SELECT confirmation_enabled, notification_settings AS notifications FROM users
     WHERE tenant_id = $tenant AND id = $1 AND erased_at IS NULL ${lock}`,
    [userId],
  );
  if (!row) throw UserErrors.notFound();
  return row;
}

/**
 * Checks that the named apps can notify the user and be muted: installed apps, apps that the user
 * develops, apps in the marketplace, and the system apps `automations` and `developer`.
 *
 * @throws ValidationFailed for other apps.
 */
async function assertNotifyingApps(
  tenant: TenantData,
  userId: string,
  apps: NotificationSettings['apps'] = {},
): Promise<void> {
  const unknown = await tenant.query<{ app_id: string }>(
    `SELECT named.app_id FROM unnest($2::text[]) AS named (app_id) LEFT JOIN apps a ON a.app_id = named.app_id
     WHERE (a.status = 'active' AND NOT a.system OR a.developer_id = $1 OR named.app_id IN ('automations', 'developer') OR EXISTS (
       SELECT FROM installs i WHERE i.tenant_id = $tenant AND i.user_id = $1 AND i.app_id = named.app_id AND i.removed_at IS NULL)) IS NOT TRUE`,
    [userId, Object.keys(apps)],
  );
  if (!unknown.length) return;
  throw new ValidationFailed(
    unknown.map(({ app_id }) => ({
      loc: ['body', 'notifications', 'apps', app_id],
      msg: 'There is no such app, or its notifications cannot be muted',
      type: 'value_error',
    })),
  );
}
