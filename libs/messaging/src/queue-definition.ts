import type { OutboxEntry } from '@platform/persistence';

/** The kinds of job of a queue, each with its payload. */
export type JobPayloads = Record<string, object>;

/** Settings of a queue that do not depend on its jobs. */
export interface QueueSettings {
  name: string;
  /**
   * Attempts with the waits of `backoff`. After these, the job is tried once an hour
   * (`LATE_RETRY_MS`) until it succeeds, unless the queue gives up.
   */
  attempts: number;
  /**
   * True: the job fails for good with its last attempt, and is kept for a person to inspect. Only
   * for a queue with visible failures, or with a sweep that does the remaining work.
   */
  givesUp?: boolean;
  /** Milliseconds before the next attempt; `attemptsMade` begins with 1. */
  backoff: (attemptsMade: number) => number;
  /**
   * Jobs that one process runs at the same time. `FairShare` applies this number to a queue with
   * owners.
   */
  concurrency: number;
  /** True for frequent jobs. Successful ones are logged on level `debug`. */
  isRoutine?: boolean;
}

/** A queue for one kind of work, so that slow or failing work never delays other work. */
export interface QueueDefinition<Jobs extends JobPayloads> extends QueueSettings {
  /**
   * Owner of a job. Jobs without an owner (undefined) share as one owner. The jobs of an owner
   * start even if others have very many, as long as a process works for fewer than `owners` others.
   * A job that must wait for its turn stays in the outbox.
   */
  readonly owner?: (payload: Jobs[keyof Jobs]) => string | undefined;
  /**
   * Owners that one process works for at the same time, also beyond `concurrency`. Default: 64. Set
   * fewer for heavy work.
   */
  readonly owners?: number;
  /** Only carries the type of the payloads. */
  readonly jobs?: Jobs;
}

/**
 * Makes the outbox entry of a job, with the owner that the queue computes from its payload, and
 * does not store it. For code that has only the outbox; features enqueue with `JobsService`.
 */
export function toOutboxEntry<Work extends JobPayloads, Name extends keyof Work & string>(
  { name: queue, owner }: QueueDefinition<Work>,
  name: Name,
  payload: Work[Name],
): OutboxEntry {
  return { queue, name, payload: payload as Record<string, unknown>, owner: owner?.(payload) };
}

/** Milliseconds between two attempts of a job after all its regular attempts failed. */
export const LATE_RETRY_MS = 3_600_000;

/** Queue for scheduled tasks of a service. Each process with workers runs one of them at a time. */
export function maintenanceQueue<Jobs extends JobPayloads>(): QueueDefinition<Jobs> {
  return { name: 'maintenance', attempts: 3, backoff: exponentialBackoff(5_000, 60_000), concurrency: 1 };
}

/**
 * Makes a function that returns the milliseconds before the next attempt. They double from `first`
 * to `max`, minus a random part of up to a quarter, so that jobs that failed together do not return
 * together.
 */
export function exponentialBackoff(first: number, max: number): (attemptsMade: number) => number {
  return (attemptsMade) => Math.round(Math.min(max, first * 2 ** (attemptsMade - 1)) * (0.75 + Math.random() / 4));
}

export interface SteppedRetries extends Pick<QueueSettings, 'attempts' | 'backoff'> {
  /** Milliseconds after this attempt, without the random part; `attempt` begins with 1. */
  waitAfter: (attempt: number) => number;
}

/**
 * Makes settings for a first attempt, and for another one after each of these waits in
 * milliseconds. `backoff` makes each wait randomly up to a fifth longer; `waitAfter` gives it as it
 * is. After the last attempt both give the last wait again.
 */
export function steppedRetries(waitsMs: readonly number[]): SteppedRetries {
  const waitAfter = (attempt: number): number => waitsMs[Math.min(attempt, waitsMs.length) - 1] ?? 0;
  return {
    attempts: waitsMs.length + 1,
    backoff: (attemptsMade) => Math.round(waitAfter(attemptsMade) * (1 + Math.random() / 5)),
    waitAfter,
  };
}

export interface JobInfo {
  /** Id of the outbox entry: the same in every attempt. */
  id: string;
  /** 1 for the first attempt. */
  attempt: number;
}

/**
 * Thrown by a handler that cannot start now. The job returns after `waitMs` milliseconds, and this
 * does not count as an attempt. A scheduled job cannot be postponed: for it, this is a failed
 * attempt.
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

/**
 * Handlers of a queue. Each runs at least once per job, so it must be safe to run again. An error
 * causes the next attempt; `Postponed` and `PermanentFailure` do not.
 */
export type JobHandlers<Jobs extends JobPayloads> = {
  [Name in keyof Jobs]: (payload: Jobs[Name], job: JobInfo) => Promise<void>;
};
