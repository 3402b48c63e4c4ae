/** For how long a task may run. The host ends it first, and holds it to the same. */
export const TASK_SECONDS = 180;
/** A process that has not renewed it for so long is taken for dead. */
export const LEASE = { seconds: 30, renewMs: 5_000 };
/** How often a task that only reads is begun, when its process dies. */
export const MOST_ATTEMPTS = 3;
/** As JSON. */
export const MOST_RESULT_BYTES = 256 * 1024;
/** Finished tasks that a user keeps, the newest, for a day. */
export const FINISHED_KEPT = 100;
/** Progress becomes an event at most this often; `GET /v1/tasks/{task_id}` has each. */
export const PROGRESS_TOLD_EVERY = '10 seconds';
/** Where no worker has taken it up by then, nobody waits for it any more. */
export const BEGINS_WITHIN = '1 hour';
