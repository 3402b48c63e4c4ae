import { setTimeout as delay } from 'node:timers/promises';

const EVERY_MS = 2_000;

export interface MemoryUse {
  residentBytes: number;
  heapBytes: number;
}

/** Samples the memory of a process from its metrics. */
export class MemoryWatch {
  private readonly seen: MemoryUse[] = [];
  private readonly stopped = new AbortController();
  private watching: Promise<void> | undefined;

  constructor(private readonly metricsUrl: string) {}

  async look(): Promise<MemoryUse> {
    const text = await (await fetch(this.metricsUrl)).text();
    const value = (name: string) => Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(text)?.[1]);
    return { residentBytes: value('process_resident_memory_bytes'), heapBytes: value('nodejs_heap_size_used_bytes') };
  }

  start(): void {
    this.watching = this.watch();
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.watching;
  }

  /**
   * Medians of the first and the last fifth of the samples, so that a single garbage collection
   * does not matter, and the maximum.
   */
  summary(): { begin: MemoryUse; end: MemoryUse; most: number } {
    const fifth = Math.max(1, Math.floor(this.seen.length / 5));
    return {
      begin: median(this.seen.slice(0, fifth)),
      end: median(this.seen.slice(-fifth)),
      most: Math.max(...this.seen.map(({ residentBytes }) => residentBytes)),
    };
  }

  private async watch(): Promise<void> {
    const { signal } = this.stopped;
    while (!signal.aborted) {
      this.seen.push(await this.look());
      await delay(EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

const median = (values: readonly MemoryUse[]): MemoryUse => {
  const middle = (key: keyof MemoryUse) =>
    values.map((each) => each[key]).sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  return { residentBytes: middle('residentBytes'), heapBytes: middle('heapBytes') };
};
