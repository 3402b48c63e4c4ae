const MEBIBYTE = 1024 * 1024;

/** What one run of a handler in JavaScript may use beside what `RUN_LIMITS` says of every run. */
export const CODE_LIMITS = {
  heapBytes: 32 * MEBIBYTE,
  stackBytes: 256 * 1024,
  /** As JSON. */
  resultBytes: 256 * 1024,
  /** Of one call of the context, as JSON. */
  argumentBytes: 2 * MEBIBYTE,
  /** Of the context, log lines not included. */
  calls: 1_000,
  callsAtOnce: 100,
  timers: 100,
  logLines: 100,
  /** Of JSON that a handler makes. */
  depth: 32,
} as const;

/** What a handler may compute, in milliseconds; while it waits nothing counts. Those of webhooks and health checks are half as long. */
export const cpuLimitOf = (kind: string): number => (kind === 'webhook' || kind === 'health' ? 1_000 : 2_000);
