import { columns, type RowOf } from '@platform/persistence';
import type { DataSource } from 'typeorm';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { DEFAULT_TENANT } from '@platform/contracts';
import { PLATFORM_SCOPES_CATALOGUE } from '../../kernel/scopes/platform-scopes.js';
import { Scope } from './scope.entity.js';

const REMOVED = columns(Scope, ['id', 'name', 'tenantId']);

/**
 * Adds the missing scopes of the platform. Deletes scopes that tenants registered for a resource
 * before the platform began to use it; the scopes of the platform replace them.
 */
export async function seedScopes(dataSource: DataSource): Promise<void> {
  await dataSource.transaction(async (em) => {
    const resources = [...new Set(PLATFORM_SCOPES_CATALOGUE.map(({ resource }) => resource))];
    const [removed] = await em.query<[RowOf<typeof REMOVED>[], number]>(
      `DELETE FROM scopes WHERE NOT is_system AND resource = ANY ($1) RETURNING ${REMOVED}`,
      [resources],
    );
    for (const { id, name, tenant_id: tenantId } of removed) {
      await recordAudit(em, {
        action: 'scope.deleted',
        target: { type: 'scope', id: String(id) },
        tenantId: tenantId ?? DEFAULT_TENANT,
        before: { name },
        metadata: { reason: 'This resource belongs to the platform now.' },
      });
    }
    for (const { resource, action, displayName } of PLATFORM_SCOPES_CATALOGUE) {
      await em.query(
        `INSERT INTO scopes (name, resource, action, display_name, source, is_system) VALUES ($1 || ':' || $2, $1, $2, $3, 'platform', true)
         ON CONFLICT DO NOTHING`,
        [resource, action, displayName],
      );
    }
  });
}
