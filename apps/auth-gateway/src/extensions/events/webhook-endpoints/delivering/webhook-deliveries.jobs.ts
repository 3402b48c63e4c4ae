import { exponentialBackoff, type QueueDefinition } from '@platform/messaging';

export interface DeliverJob {
  delivery_id: string;
  endpoint_id: string;
  /** Round of the delivery, which increases with each replay. */
  round: number;
}

/**
 * Jobs that post deliveries to endpoints. The delivery itself says when it is tried again; the
 * attempts of a job are for an unavailable database. One endpoint uses at most half of
 * `concurrency` in a process: this limits the load on the endpoint, and leaves room for others.
 */
export const webhookDeliveryQueue: QueueDefinition<{ deliver: DeliverJob }> = {
  name: 'webhook-endpoint-deliveries',
  attempts: 300,
  backoff: exponentialBackoff(1_000, 300_000),
  concurrency: 8,
  // An endpoint that hangs keeps its turn for 15 s. If more endpoints hung than there are turns,
  // their jobs, which are the oldest, would take all of them.
  owners: 512,
  isRoutine: true,
  owner: ({ endpoint_id }) => endpoint_id,
};
