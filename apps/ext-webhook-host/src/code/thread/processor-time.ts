/**
 * A stretch of time in which a thread computed, in milliseconds: as long as it took, but no more than the whole process had of the processor, so
 * that a thread that has to wait for its turn on a busy machine is not taken for one that loops.
 */
export class ProcessorTime {
  private startedAt = performance.now();
  private readonly usedBefore = processorMs();

  get ms(): number {
    return Math.min(performance.now() - this.startedAt, processorMs() - this.usedBefore);
  }

  /** Whether it is more; looks at the processor only when it may be. */
  isOver(ms: number): boolean {
    return performance.now() - this.startedAt > ms && processorMs() - this.usedBefore > ms;
  }

  /** Waited for something in between. */
  excuse(ms: number): void {
    this.startedAt += ms;
  }
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
