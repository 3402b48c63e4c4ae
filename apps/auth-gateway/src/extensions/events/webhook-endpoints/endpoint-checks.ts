import type { WebhookEndpointStatus } from '@platform/contracts';
import type { TenantData } from '@platform/persistence';
import { WebhookEndpointErrors } from './model/webhook-endpoints.errors.js';

/**
 * @throws AppError 404 `webhook_endpoint.not_found` if the tenant has no endpoint with this ID.
 */
export async function assertEndpointExists(tenant: TenantData, id: string): Promise<void> {
  const found = await tenant.query<object>('SELECT 1 FROM webhook_endpoints WHERE tenant_id = $tenant AND id = $1', [
    id,
  ]);
  if (!found.length) throw WebhookEndpointErrors.notFound();
}

/**
 * Checks that the endpoint exists and is enabled, and keeps it so until the transaction ends. The
 * lock admits one caller at a time, so that two do not use the same room in the queue of its
 * waiting deliveries.
 *
 * @throws AppError 404 `webhook_endpoint.not_found` if the tenant has no such endpoint, 409
 * `webhook_endpoint.disabled` if it is disabled.
 */
export async function lockEnabledEndpoint(tenant: TenantData, id: string): Promise<void> {
  const [found] = await tenant.query<{ status: WebhookEndpointStatus }>(
    'SELECT status FROM webhook_endpoints WHERE tenant_id = $tenant AND id = $1 FOR NO KEY UPDATE',
    [id],
  );
  if (!found) throw WebhookEndpointErrors.notFound();
  if (found.status === 'disabled') throw WebhookEndpointErrors.disabled();
}
