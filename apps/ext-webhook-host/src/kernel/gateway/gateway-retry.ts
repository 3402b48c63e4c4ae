/** Wait before the next attempt of a job that cannot begin without the gateway. */
export const GATEWAY_RETRY = { waitMs: 15_000 };
