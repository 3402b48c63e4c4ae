import { Injectable } from '@nestjs/common';
import { type AuditEntryResponse, type AuditPageResponse, type AuditQuery } from '@platform/contracts';
import { TenantData } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { HeavyReadLimiter } from '../../kernel/heavy-read-limiter.js';
import { countTotal } from '../../kernel/paging/total.js';

const COLUMNS = `id, created_at, tenant_id, actor_id, actor_type, on_behalf_of, action, target_type, target_id, before_state, after_state, metadata,
  actor_type AS source, ip_address, user_agent, request_id`;
const EXACT_FILTERS = ['actor_id', 'target_type', 'target_id'] as const;
const ANY_REST = '*';
/** Entries after which a page counts as deep: the later a page is, the longer its query takes. */
const DEEP = 10_000;

@Injectable()
export class AuditLogService {
  private readonly deepPages = new HeavyReadLimiter();

  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns a page of the tenant's audit log, newest first. Entries never change, so a page with a
   * fixed `to` always stays the same.
   *
   * @throws AppError 429 `rate_limited` for a page beyond the newest 10,000 entries, while another
   * such page of the tenant is read in this process.
   */
  listEntries(tenantId: string, query: AuditQuery): Promise<AuditPageResponse> {
    const read = () => this.readEntries(tenantId, query);
    return query.page * query.per_page > DEEP ? this.deepPages.runExclusive(tenantId, read) : read();
  }

  private async readEntries(tenantId: string, query: AuditQuery): Promise<AuditPageResponse> {
    const tenant = new TenantData(this.dataSource.manager, tenantId);
    const { page, per_page: limit } = query;
    const { conditions, values } = filters(query);
    const matches =
      `FROM gateway_audit.audit_entries WHERE tenant_id = $tenant ${conditions} ORDER BY created_at DESC, id DESC` as const;
    const offset = (page - 1) * limit;
    const items = await tenant.query<AuditEntryResponse>(
      `SELECT ${COLUMNS} ${matches} LIMIT ${limit} OFFSET ${offset}`,
      values,
    );
    const { total, isExact } = await countTotal(tenant, { matches, values }, { rows: items, offset, limit });
    return { items, total, total_is_exact: isExact, page, per_page: limit };
  }
}

function filters(query: AuditQuery): { conditions: string; values: unknown[] } {
  const values: unknown[] = [];
  const conditions: string[] = [];
  const add = (column: string, comparison: string, value: unknown) => {
    values.push(value);
    conditions.push(`AND ${column} ${comparison} $${values.length}`);
  };
  for (const key of EXACT_FILTERS) if (query[key]) add(key, '=', query[key]);
  if (query.action?.endsWith(ANY_REST)) {
    values.push(query.action.slice(0, -ANY_REST.length));
    conditions.push(`AND starts_with(action, $${values.length})`);
  } else if (query.action) add('action', '=', query.action);
  if (query.source) add('actor_type', '=', query.source);
  if (query.from) add('created_at', '>=', query.from);
  if (query.to) add('created_at', '<', query.to);
  return { conditions: conditions.join(' '), values };
}
