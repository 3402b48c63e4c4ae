import type { WebhookEndpointStatus } from '@platform/contracts';
import type { TenantData } from '@platform/persistence';
import { WebhookEndpointErrors } from './model/webhook-endpoints.errors.js';

/** @throws AppError 404. */
export async function assertThere(tenant: TenantData, id: string): Promise<void> {
  const found = await tenant.query<object>('SELECT 1 FROM webhook_endpoints WHERE tenant_id = $tenant AND id = $1', [id]);
  if (!found.length) throw WebhookEndpointErrors.notFound();
}

/**
 * Throws unless it is there and enabled, and keeps it so until the transaction ends. One caller at a time for an endpoint, so that two do not take the same room in its
 * backlog.
 *
 * @throws AppError 404; 409.
 */
export async function lockEnabled(tenant: TenantData, id: string): Promise<void> {
  const [found] = await tenant.query<{ status: WebhookEndpointStatus }>(
    'SELECT status FROM webhook_endpoints WHERE tenant_id = $tenant AND id = $1 FOR NO KEY UPDATE',
    [id],
  );
  if (!found) throw WebhookEndpointErrors.notFound();
  if (found.status === 'disabled') throw WebhookEndpointErrors.disabled();
}
