import { Injectable } from '@nestjs/common';
import type { MySettings, MySettingsResponse, UpdateSettingsRequest } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { TenantData } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { recordAudit } from '../../kernel/audit/record-audit.js';

/** What users decide for themselves. */
@Injectable()
export class UserSettings {
  constructor(private readonly dataSource: DataSource) {}

  /** What the user never set is null: it is as their role has it. */
  async get({ tenantId, userId }: UserCaller): Promise<MySettingsResponse> {
    return { settings: await read(new TenantData(this.dataSource.manager, tenantId), userId) };
  }

  /** An absent key stays as it is; null has it as the role does again. Returns all of them. */
  update({ tenantId, userId }: UserCaller, { confirmation_enabled }: UpdateSettingsRequest): Promise<MySettingsResponse> {
    return this.dataSource.transaction(async (em) => {
      const tenant = new TenantData(em, tenantId);
      const before = await read(tenant, userId, 'FOR UPDATE');
      if (confirmation_enabled === undefined || confirmation_enabled === before.confirmation_enabled) return { settings: before };
      const settings = { confirmation_enabled };
      await tenant.query('UPDATE users SET confirmation_enabled = $2 WHERE tenant_id = $tenant AND id = $1', [
        userId,
        confirmation_enabled,
      ]);
      const target = { type: 'user', id: userId };
      await recordAudit(em, { action: 'user.settings_changed', target, tenantId, before, after: settings });
      return { settings };
    });
  }
}

async function read(tenant: TenantData, userId: string, lock = ''): Promise<MySettings> {
  const [row] = await tenant.query<MySettings>(`SELECT confirmation_enabled FROM users WHERE tenant_id = $tenant AND id = $1 ${lock}`, [
    userId,
  ]);
  return { confirmation_enabled: row?.confirmation_enabled ?? null };
}
