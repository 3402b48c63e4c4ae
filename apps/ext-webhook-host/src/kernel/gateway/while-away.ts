/** Until a job is looked at again that may not begin without the gateway. */
export const WHILE_AWAY = { waitMs: 15_000 };
