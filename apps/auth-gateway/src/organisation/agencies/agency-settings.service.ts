import { Injectable } from '@nestjs/common';
import type { AgencyResponse, AgencySettingsUpdate } from '@platform/contracts';
import { onViolation, TenantData } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { AgencyErrors } from './agencies.errors.js';
import { changeAgency } from './agency-changes.js';
import { toAgencyResponse } from './agency-response.js';
import { toAuditedChange, MERGED_SETTINGS, mergeValues, toSettingsMerge } from './settings-merge.js';

@Injectable()
export class AgencySettingsService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Merges an update into the settings of an agency: null removes a key, absent keys stay. The keys
   * within `extra` are merged in the same way. Returns the agency after the change.
   *
   * @throws AppError 404 `agency.not_found` if the tenant has no such agency.
   * @throws ValidationFailed if the merged settings are too large.
   */
  async mergeSettings(tenantId: string, agencyId: string, update: AgencySettingsUpdate): Promise<AgencyResponse> {
    const values = mergeValues(toSettingsMerge(update));
    return this.dataSource.transaction(async (em) => {
      const { agency, before } = await changeAgency(
        new TenantData(em, tenantId),
        agencyId,
        'settings',
        MERGED_SETTINGS,
        values,
      ).catch(onViolation('agencies_settings_size_check', AgencyErrors.settingsTooLarge));
      const change = toAuditedChange(before, agency.settings);
      const target = { type: 'agency', id: agencyId };
      if (change) await recordAudit(em, { action: 'agency.settings_updated', target, tenantId, ...change });
      return toAgencyResponse(agency);
    });
  }
}
