import type { OutboxEntry } from '@platform/persistence';

/** The kinds of job of a queue, each with its payload. */
export type JobPayloads = Record<string, object>;

/** What a queue is, whatever its jobs are. */
export interface QueueSettings {
  name: string;
  /** How often a job is tried at the pace of `backoff`. After that it is tried once an hour (`LATE_RETRY_MS`) until it is done, unless the queue gives up. */
  attempts: number;
  /**
   * True: the job fails with its last attempt and is kept for a person to look at. Only for a queue where somebody sees the failure, or where a sweep does the
   * work that is left.
   */
  givesUp?: boolean;
  /** The wait before the next attempt, in milliseconds; `attemptsMade` begins with 1. */
  backoff: (attemptsMade: number) => number;
  /** How many jobs one process works on at once; of a queue with owners, in the way that `FairShare` says. */
  concurrency: number;
  /** Comes so often that the log need not tell of every one that went well. */
  isRoutine?: boolean;
}

/** One queue per kind of work, so that what is slow or failing in one never delays another. */
export interface QueueDefinition<Jobs extends JobPayloads> extends QueueSettings {
  /**
   * Whose a job is; undefined for nobody's, which share as one owner. However many jobs others have, the few of an owner begin, as long as there are
   * fewer than `owners` others in a process. What has to wait for its turn stays in the outbox.
   */
  readonly owner?: (payload: Jobs[keyof Jobs]) => string | undefined;
  /** How many owners one process works for at once, also beyond `concurrency`. 64 unless their work takes much. */
  readonly owners?: number;
  /** Only carries the type of the payloads. */
  readonly jobs?: Jobs;
}

/** The entry of the outbox for a job. Features enqueue by `Jobs`; this is for who has the outbox alone. */
export function entryOf<Work extends JobPayloads, Name extends keyof Work & string>(
  { name: queue, owner }: QueueDefinition<Work>,
  name: Name,
  payload: Work[Name],
): OutboxEntry {
  return { queue, name, payload: payload as Record<string, unknown>, owner: owner?.(payload) };
}

/** The wait between two attempts of a job whose regular attempts all failed. */
export const LATE_RETRY_MS = 3_600_000;

/** For what a service does by itself on schedule: one thing at a time. */
export function maintenanceQueue<Jobs extends JobPayloads>(): QueueDefinition<Jobs> {
  return { name: 'maintenance', attempts: 3, backoff: exponentialBackoff(5_000, 60_000), concurrency: 1 };
}

/** Doubles from `first` up to `max` milliseconds, spread by a quarter so that what failed together does not return together. */
export function exponentialBackoff(first: number, max: number): (attemptsMade: number) => number {
  return (attemptsMade) => Math.round(Math.min(max, first * 2 ** (attemptsMade - 1)) * (0.75 + Math.random() / 4));
}

export interface SteppedRetries extends Pick<QueueSettings, 'attempts' | 'backoff'> {
  /** The wait after this attempt, in milliseconds, without the spread; `attempt` begins with 1. */
  waitAfter: (attempt: number) => number;
}

/** A first attempt and one after each of these waits, in milliseconds, each up to a fifth longer. */
export function steppedRetries(waitsMs: readonly number[]): SteppedRetries {
  const waitAfter = (attempt: number): number => waitsMs[Math.min(attempt, waitsMs.length) - 1] ?? 0;
  return {
    attempts: waitsMs.length + 1,
    backoff: (attemptsMade) => Math.round(waitAfter(attemptsMade) * (1 + Math.random() / 5)),
    waitAfter,
  };
}

export interface JobInfo {
  /** The id of the outbox entry: the same in every attempt. */
  id: string;
  /** 1 for the first. */
  attempt: number;
}

/**
 * Thrown by a handler that cannot begin: the job comes again after so many milliseconds, and that was no attempt. What runs on schedule cannot be
 * postponed: there it is a failed attempt.
 */
export class Postponed extends Error {
  override name = 'Postponed';

  constructor(
    message: string,
    readonly waitMs: number,
  ) {
    super(message);
  }
}

/** Runs at least once per job, so it must be safe to run again. An error causes the next attempt; `Postponed` and `PermanentFailure` do not. */
export type JobHandlers<Jobs extends JobPayloads> = {
  [Name in keyof Jobs]: (payload: Jobs[Name], job: JobInfo) => Promise<void>;
};
