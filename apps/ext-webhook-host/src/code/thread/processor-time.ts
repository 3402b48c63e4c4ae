/**
 * Milliseconds that a thread has computed: the elapsed time, but at most the processor time of the
 * whole process. So a thread that waits for its turn on a busy machine is not taken for one that
 * loops.
 */
export class ProcessorTime {
  private startedAt = performance.now();
  private readonly usedBefore = processorMs();

  get ms(): number {
    return Math.min(performance.now() - this.startedAt, processorMs() - this.usedBefore);
  }

  /**
   * True if the thread has computed for more than `ms`. Reads the processor time only if the
   * elapsed time is more.
   */
  isOver(ms: number): boolean {
    return performance.now() - this.startedAt > ms && processorMs() - this.usedBefore > ms;
  }

  /** Leaves out a time in which the thread waited. */
  excludeWait(ms: number): void {
    this.startedAt += ms;
  }
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
