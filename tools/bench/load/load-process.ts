import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { LoadCommand, LoadReport, Sender } from './load-sender.js';

/** Milliseconds to wait for the last answers, including those of queued deploys. */
const END_MS = 60_000;

/**
 * Senders in a process of their own, so that the measurement in this process does not wait for
 * them.
 */
export class LoadProcess {
  private constructor(private readonly child: ReturnType<typeof fork>) {}

  static start(url: string, senders: Sender[]): LoadProcess {
    const load = new LoadProcess(fork(resolve('dist', 'tools', 'bench', 'load', 'load-sender.js'), { execArgv: [] }));
    load.command({ start: { url, senders } });
    return load;
  }

  /** Stops after every request is answered. Returns the number of answers. */
  async stop(): Promise<LoadReport> {
    this.command('stop');
    const [report] = (await once(this.child, 'message', { signal: AbortSignal.timeout(END_MS) })) as [LoadReport];
    return report;
  }

  /** Ends the process in any case. */
  kill(): void {
    this.child.kill();
  }

  private command(what: LoadCommand): void {
    this.child.send(what);
  }
}

/** Adds up the counts by status. */
export function sum(counts: Record<string, number>[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const each of counts)
    for (const [status, count] of Object.entries(each)) total[status] = (total[status] ?? 0) + count;
  return total;
}
