import type { EntityManager } from 'typeorm';

const FAIL = `UPDATE webhook_endpoint_deliveries SET status = 'failed', last_error = 'endpoint_disabled', next_attempt_at = NULL, leased_until = NULL, finished_at = now()
  WHERE status = 'pending'`;

/** What waits for an endpoint that gets nothing more has failed; it can be replayed. Its jobs find nothing to do. */
export async function failPending(em: EntityManager, endpointId: string): Promise<void> {
  await em.query(`${FAIL} AND endpoint_id = $1`, [endpointId]);
}

/** As `failPending`, of one delivery. */
export async function failPendingDelivery(em: EntityManager, id: string): Promise<void> {
  await em.query(`${FAIL} AND id = $1`, [id]);
}
