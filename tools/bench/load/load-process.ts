import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { LoadCommand, LoadReport, Sender } from './load-sender.js';

/** Also deploys that wait are done by then. */
const END_MS = 60_000;

/** Senders in a process of their own, so that what is measured here does not wait for them. */
export class LoadProcess {
  private constructor(private readonly child: ReturnType<typeof fork>) {}

  static start(url: string, senders: Sender[]): LoadProcess {
    const load = new LoadProcess(fork(resolve('dist', 'tools', 'bench', 'load', 'load-sender.js'), { execArgv: [] }));
    load.command({ start: { url, senders } });
    return load;
  }

  /** Ends when every request is answered. */
  async stop(): Promise<LoadReport> {
    this.command('stop');
    const [report] = (await once(this.child, 'message', { signal: AbortSignal.timeout(END_MS) })) as [LoadReport];
    return report;
  }

  /** Ends it in any case. */
  kill(): void {
    this.child.kill();
  }

  private command(what: LoadCommand): void {
    this.child.send(what);
  }
}

/** All answers together, by their status. */
export function sum(counts: Record<string, number>[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const each of counts) for (const [status, count] of Object.entries(each)) total[status] = (total[status] ?? 0) + count;
  return total;
}
