/** Longest run of a task. The host ends it a little earlier. */
export const TASK_SECONDS = 180;
/** A process that has not renewed its lease for this time counts as stopped. */
export const LEASE = { seconds: 30, renewMs: 5_000 };
/** Most attempts of a task that only reads, if its process stops. */
export const MOST_ATTEMPTS = 3;
/** Size as JSON. */
export const MOST_RESULT_BYTES = 256 * 1024;
/** Most finished tasks of a user that are kept, for a day each: the newest ones. */
export const MAX_FINISHED_TASKS = 100;
/**
 * Shortest time between two events about the progress of a task; `GET /v1/tasks/{task_id}` shows
 * every report.
 */
export const PROGRESS_EVENT_INTERVAL = '10 seconds';
/** A task that no worker has started after this time is ended. */
export const START_TIMEOUT = '1 hour';
