import { exponentialBackoff, type QueueDefinition } from '@platform/messaging';

export interface DeliverJob {
  delivery_id: string;
  endpoint_id: string;
  /** Of the delivery. */
  round: number;
}

/**
 * Posts what waits for endpoints. When one is tried again the delivery itself says; what a job is tried again for is that the database was away. One endpoint has at most half of `concurrency` at a
 * process, so that it is not called more often at once, and others begin beside it.
 */
export const webhookDeliveryQueue: QueueDefinition<{ deliver: DeliverJob }> = {
  name: 'webhook-endpoint-deliveries',
  attempts: 300,
  backoff: exponentialBackoff(1_000, 300_000),
  concurrency: 8,
  // One that hangs has its place for 15 s. With fewer places than endpoints that hang, their jobs, which are the oldest, would take all turns.
  owners: 512,
  isRoutine: true,
  owner: ({ endpoint_id }) => endpoint_id,
};
