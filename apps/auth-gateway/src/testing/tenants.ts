import type { CreateTenantRequest, TenantResponse } from '@platform/contracts';
import type { TestClient } from '@platform/testing';
import type { GatewayTest } from './gateway-test.js';

interface AuditRow {
  action: string;
  actor_id: string;
  tenant_id: string;
  before_state: object | null;
  after_state: object | null;
  metadata: object;
}

let made = 0;
export const newTenantId = (): string => `tenant-${++made}`;

/** Creates a tenant as `client`, which must have the permission. */
export async function createTenant(
  client: TestClient,
  changes: Partial<CreateTenantRequest> = {},
): Promise<TenantResponse> {
  const answer = await client.post<TenantResponse>('/v1/tenants', {
    tenant_id: newTenantId(),
    name: 'Acme',
    ...changes,
  });
  if (answer.status !== 201)
    throw new Error(`creating a tenant answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Audit entries of a tenant, oldest first. */
export const tenantHistory = ({ service }: GatewayTest, id: string): Promise<AuditRow[]> =>
  service.query<AuditRow>(
    "SELECT * FROM gateway_audit.audit_entries WHERE target_type = 'tenant' AND target_id = $1 ORDER BY id",
    [id],
  );
