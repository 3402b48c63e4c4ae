const MEBIBYTE = 1024 * 1024;

/** What one run of a handler in JavaScript may use beside what `RUN_LIMITS` says of every run. */
export const CODE_LIMITS = {
  heapBytes: 32 * MEBIBYTE,
  stackBytes: 256 * 1024,
  /** As JSON. */
  resultBytes: 256 * 1024,
  /** Of one call of the context, as JSON. */
  argumentBytes: 2 * MEBIBYTE,
  /** Of all calls of a run, one after the other too. */
  allArgumentBytes: 32 * MEBIBYTE,
  /** In characters. Of users for whom something is asked. */
  idLength: 1_024,
  /** Of the arguments of all calls that wait for an answer. */
  transitBytes: 4 * MEBIBYTE,
  /** Of the context, log lines not included. */
  calls: 1_000,
  callsAtOnce: 100,
  timers: 100,
  logLines: 100,
  /** Of JSON that a handler makes. */
  depth: 32,
  /** Of JSON that it is given: what the world outside answers, as steps take it. */
  answerDepth: 64,
} as const;

/** What is on its way between all handlers and the host, in bytes of UTF-8. */
export const TRANSIT = {
  megabytes: 128,
  /** How often one is there while it is passed on: as a text of two bytes each, and as the bytes that are sent. */
  copies: 4,
  /** Messages that find room beside large ones. */
  smallKibibytes: 16,
} as const;

/** Of the events of runs that wait or run: they are in the heap of the process, or on their way to a thread. */
export const EVENTS = { kibibytes: 64 * 1024, kibibytesPerApp: 8 * 1024 } as const;

/** What a handler may compute, in milliseconds; while it waits nothing counts. Those of webhooks and health checks are half as long. */
export const cpuLimitOf = (kind: string): number => (kind === 'webhook' || kind === 'health' ? 1_000 : 2_000);

/** Of a thread, in MiB. For what is not in the heaps of handlers: modules, and messages while they are read or made. */
export const THREAD = { megabytes: 128, stackMegabytes: 16 } as const;
