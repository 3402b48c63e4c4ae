import { Inject, Injectable } from '@nestjs/common';
import type { AuditEntryResponse, AuditPageResponse, AuditQuery } from '@platform/contracts';
import { TenantData } from '@platform/persistence';
import { DataSource } from 'typeorm';

const COLUMNS = `id, created_at, tenant_id, actor_id, actor_type, on_behalf_of, action, target_type, target_id, before_state, after_state, metadata,
  actor_type AS source, ip_address, user_agent, request_id`;
/** How far beyond the page matches are counted: counting all would take the longer the more there are. */
const COUNTED_AHEAD = 1_000;
const EXACT_FILTERS = ['actor_id', 'target_type', 'target_id', 'action'] as const;

/** Reads the audit log of a tenant. */
@Injectable()
export class AuditLog {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  /** The newest first. Entries never change, so with a fixed `to` a page stays the same for ever. */
  async page(tenantId: string, query: AuditQuery): Promise<AuditPageResponse> {
    const tenant = new TenantData(this.dataSource.manager, tenantId);
    const { conditions, values } = filters(query);
    const offset = (query.page - 1) * query.per_page;
    const items = await tenant.query<AuditEntryResponse>(
      `SELECT ${COLUMNS} FROM audit_entries WHERE tenant_id = $tenant ${conditions} ORDER BY id DESC LIMIT ${query.per_page} OFFSET ${offset}`,
      values,
    );
    const counted = offset + query.per_page + COUNTED_AHEAD;
    const [count] = (await tenant.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM (SELECT 1 FROM audit_entries WHERE tenant_id = $tenant ${conditions} LIMIT ${counted + 1}) AS matching`,
      values,
    )) as [{ total: number }];
    const total = Math.min(count.total, counted);
    return { items, total, total_is_exact: count.total <= counted, page: query.page, per_page: query.per_page };
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
  if (query.source) add('actor_type', '=', query.source);
  if (query.from) add('created_at', '>=', new Date(query.from));
  if (query.to) add('created_at', '<', new Date(query.to));
  return { conditions: conditions.join(' '), values };
}
