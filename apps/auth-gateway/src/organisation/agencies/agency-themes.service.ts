import { Injectable } from '@nestjs/common';
import type { AgencyResponse, AgencyTheme } from '@platform/contracts';
import { TenantData } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { changeAgency } from './agency-changes.js';
import { toAgencyResponse } from './agency-response.js';

@Injectable()
export class AgencyThemesService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Replaces the whole theme of an agency. Returns the agency after the change.
   *
   * @throws AppError 404 `agency.not_found` if the tenant has no such agency.
   */
  async replaceTheme(
    tenantId: string,
    agencyId: string,
    { colors, density, radius }: AgencyTheme,
  ): Promise<AgencyResponse> {
    const theme = { colors, density, radius };
    return this.dataSource.transaction(async (em) => {
      const { agency, before } = await changeAgency(new TenantData(em, tenantId), agencyId, 'theme', '$2', [
        JSON.stringify(theme),
      ]);
      const target = { type: 'agency', id: agencyId };
      await recordAudit(em, { action: 'agency.theme_replaced', target, tenantId, before, after: theme });
      return toAgencyResponse(agency);
    });
  }

  /**
   * Deletes the theme of an agency. Does nothing if it has none.
   *
   * @throws AppError 404 `agency.not_found` if the tenant has no such agency.
   */
  async resetTheme(tenantId: string, agencyId: string): Promise<void> {
    await this.dataSource.transaction(async (em) => {
      const { before } = await changeAgency(new TenantData(em, tenantId), agencyId, 'theme', 'NULL');
      const target = { type: 'agency', id: agencyId };
      if (before) await recordAudit(em, { action: 'agency.theme_reset', target, tenantId, before });
    });
  }
}
