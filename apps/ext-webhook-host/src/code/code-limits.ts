const MEBIBYTE = 1024 * 1024;

/**
 * Limits of one run of a JavaScript handler, in addition to `RUN_LIMITS`, which apply to every run.
 */
export const CODE_LIMITS = {
  heapBytes: 32 * MEBIBYTE,
  stackBytes: 256 * 1024,
  /** Result as JSON. */
  resultBytes: 256 * 1024,
  /** Arguments of one context call, as JSON. */
  argumentBytes: 2 * MEBIBYTE,
  /** Arguments of all context calls of a run together. */
  allArgumentBytes: 32 * MEBIBYTE,
  /** Characters of the path of a context call, and of a user id in it. */
  idLength: 1_024,
  /** Arguments of all calls of a run that wait for an answer. */
  transitBytes: 4 * MEBIBYTE,
  /** Context calls of a run, without log lines. */
  calls: 1_000,
  callsAtOnce: 100,
  timers: 100,
  logLines: 100,
  /** Nesting of JSON that a handler produces. */
  depth: 32,
  /**
   * Nesting of JSON that the context returns, such as responses of other systems. Steps have the
   * same limit.
   */
  answerDepth: 64,
} as const;

/** Budget for messages on their way between all handlers and the host, in bytes of UTF-8. */
export const TRANSIT = {
  megabytes: 128,
  /**
   * Memory of a message while it is passed on, as a multiple of its size: the text has two bytes
   * per character, and the sent bytes exist beside it.
   */
  copies: 4,
  /** Messages of at most this size can use a part of the budget that large ones cannot. */
  smallKibibytes: 16,
} as const;

/**
 * Events of runs that wait or run. They are in the heap of the process, or on their way to a
 * thread.
 */
export const EVENTS = { kibibytes: 64 * 1024, kibibytesPerApp: 8 * 1024 } as const;

/**
 * Milliseconds that a handler may compute; waiting does not count. They are 1,000 for webhooks and
 * health checks, and 2,000 for others.
 */
export const cpuLimitOf = (kind: string): number => (kind === 'webhook' || kind === 'health' ? 1_000 : 2_000);

/**
 * Memory of a thread in MiB, outside the heaps of handlers: modules, and messages while they are
 * read or written.
 */
export const THREAD = { megabytes: 128, stackMegabytes: 16 } as const;
