/** Wait before the next attempt of a job that cannot begin without the gateway. */
export const WHILE_AWAY = { waitMs: 15_000 };
