import type { EntityManager } from 'typeorm';

const FAIL = `UPDATE webhook_endpoint_deliveries SET status = 'failed', last_error = 'endpoint_disabled', next_attempt_at = NULL, leased_until = NULL, finished_at = now()
  WHERE status = 'pending'`;

/**
 * Fails all waiting deliveries of a disabled endpoint. They can be sent again later. Their jobs
 * find nothing to do.
 */
export async function failPendingDeliveries(em: EntityManager, endpointId: string): Promise<void> {
  await em.query(`${FAIL} AND endpoint_id = $1`, [endpointId]);
}

/** Like `failPendingDeliveries`, for one delivery. */
export async function failPendingDelivery(em: EntityManager, id: string): Promise<void> {
  await em.query(`${FAIL} AND id = $1`, [id]);
}
