import { Injectable } from '@nestjs/common';
import type { AgencyResponse, CreateAgencyRequest, ListAgenciesQuery } from '@platform/contracts';
import { AccessErrors, isAdmin, userOf, type Caller, type UserCaller } from '@platform/guards';
import { columns, onViolation, TenantData, type OrNull, type RowOf } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { Tenant } from '../../identity/accounts/tenant.entity.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { AgencyErrors } from './agencies.errors.js';
import { AGENCY_COLUMNS, PLACEHOLDER_AGENCY, toAgencyResponse, type AgencyRow } from './agency-response.js';
import { toAuditedChange, toInitialSettings, toSettingsMerge } from './settings-merge.js';

const TENANT_COLUMNS = columns(Tenant, ['name AS tenant_name', 'createdAt AS tenant_created_at'], 't');
type MyAgencyRow = OrNull<AgencyRow> & RowOf<typeof TENANT_COLUMNS>;

@Injectable()
export class AgenciesService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns the agency of the user. A user without an agency gets a placeholder with the id
   * `default`, the name of the tenant and no settings.
   *
   * @throws AppError 404 `agency.not_found` if the user does not exist.
   */
  async getMyAgency({ tenantId, userId }: UserCaller): Promise<AgencyResponse> {
    const [row] = await this.tenantData(tenantId).query<MyAgencyRow>(
      `SELECT ${AGENCY_COLUMNS}, ${TENANT_COLUMNS}
       FROM users u JOIN tenants t ON t.id = u.tenant_id
         LEFT JOIN agencies a ON a.tenant_id = u.tenant_id AND a.agency_id = u.agency_id
       WHERE u.tenant_id = $tenant AND u.id = $1`,
      [userId],
    );
    if (!row) throw AgencyErrors.notFound();
    if (isAgency(row)) return toAgencyResponse(row);
    const { tenant_name: display_name, tenant_created_at: created_at } = row;
    return { agency_id: PLACEHOLDER_AGENCY, display_name, domain: null, settings: {}, theme: null, created_at };
  }

  /** Lists the agencies of the tenant, oldest first. */
  async listAgencies(tenantId: string, { limit, offset }: ListAgenciesQuery): Promise<AgencyResponse[]> {
    const rows = await this.tenantData(tenantId).query<AgencyRow>(
      `SELECT ${AGENCY_COLUMNS} FROM agencies a WHERE a.tenant_id = $tenant ORDER BY a.created_at, a.agency_id LIMIT $1 OFFSET $2`,
      [limit, offset],
    );
    return rows.map(toAgencyResponse);
  }

  /**
   * Returns an agency of the tenant.
   *
   * @throws AppError 404 `agency.not_found` if the tenant has no such agency.
   */
  async getAgency(tenantId: string, agencyId: string): Promise<AgencyResponse> {
    const [row] = await this.tenantData(tenantId).query<AgencyRow>(
      `SELECT ${AGENCY_COLUMNS} FROM agencies a WHERE a.tenant_id = $tenant AND a.agency_id = $1`,
      [agencyId],
    );
    if (!row) throw AgencyErrors.notFound();
    return toAgencyResponse(row);
  }

  /**
   * Creates an agency in the tenant.
   *
   * @throws AppError 409 `agency.id_taken` if another agency of the tenant has the id,
   * `agency.domain_taken` if another agency of any tenant has the domain.
   * @throws AppError 403 `insufficient_scope` if the request has settings and the caller is a user
   * without the rights of an administrator.
   * @throws ValidationFailed if the settings are too large.
   */
  async createAgency(caller: Caller, tenantId: string, request: CreateAgencyRequest): Promise<AgencyResponse> {
    const { agency_id, display_name, domain = null } = request;
    const settings = toInitialSettings(toSettingsMerge(request.settings ?? {}));
    if (userOf(caller) && !isAdmin(caller) && Object.keys(settings).length) throw AccessErrors.adminOnly();
    const row = await this.dataSource.transaction(async (em) => {
      const [created] = await new TenantData(em, tenantId)
        .query<AgencyRow>(
          `INSERT INTO agencies AS a (tenant_id, agency_id, display_name, domain, settings) VALUES ($tenant, $1, $2, $3, $4)
           RETURNING ${AGENCY_COLUMNS}`,
          [agency_id, display_name, domain, JSON.stringify(settings)],
        )
        .catch(onViolation('agencies_pkey', AgencyErrors.idTaken))
        .catch(onViolation('agencies_domain_key', AgencyErrors.domainTaken))
        .catch(onViolation('agencies_settings_size_check', AgencyErrors.settingsTooLarge));
      const { after, metadata } = toAuditedChange({}, settings) ?? {};
      const target = { type: 'agency', id: agency_id };
      await recordAudit(em, {
        action: 'agency.created',
        target,
        tenantId,
        after: { display_name, domain, settings: after ?? {} },
        metadata,
      });
      return created as AgencyRow;
    });
    return toAgencyResponse(row);
  }

  private tenantData(tenantId: string): TenantData {
    return new TenantData(this.dataSource.manager, tenantId);
  }
}

const isAgency = (row: MyAgencyRow): row is MyAgencyRow & AgencyRow => row.agency_id !== null;
