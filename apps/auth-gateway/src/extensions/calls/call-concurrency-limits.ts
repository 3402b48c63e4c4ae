/**
 * Concurrency limits of calls that users make and the host runs. Each call keeps a connection to
 * the host until it is answered. The host itself limits the calls that these calls make, and
 * `AbandonedCalls` limits those that continue without a caller.
 */
export const CALL_CONCURRENCY_LIMITS = {
  slots: 256,
  maxSlots: 1_000,
  perApp: 128,
  perRequester: 64,
  waitMs: 5_000,
  waiting: 1_000,
  maxWaiting: 2_000,
};
