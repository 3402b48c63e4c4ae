import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { ClientsCommand, ClientsReport } from './stream-clients.js';

/** Five thousand clients that reconnect at once took 40 seconds on two cores. */
const LIVE_WITHIN_MS = 180_000;

/** Stream clients in a process of their own. Send one command at a time. */
export class ClientsProcess {
  private constructor(private readonly child: ChildProcess) {}

  static start(): ClientsProcess {
    return new ClientsProcess(fork(resolve('dist', 'tools', 'streams', 'stream-clients.js'), { execArgv: [] }));
  }

  async ask(command: ClientsCommand): Promise<ClientsReport> {
    const gone = new AbortController();
    const died = () => gone.abort(new Error('The process of the clients ended unexpectedly.'));
    this.child.once('exit', died);
    try {
      this.child.send(command);
      const [report] = (await once(this.child, 'message', { signal: gone.signal })) as [ClientsReport];
      return report;
    } finally {
      this.child.off('exit', died);
    }
  }

  /**
   * @throws Error with the number of clients that have no stream after three minutes, and the
   *   statuses of their answers.
   */
  async allLive(): Promise<void> {
    const { live, away, refused } = await this.ask({ whenLive: true, withinMs: LIVE_WITHIN_MS });
    if (away)
      throw new Error(
        `${away} of ${live + away} clients have no stream. Refused requests by status: ${JSON.stringify(refused)}`,
      );
  }

  stop(): void {
    this.child.kill();
  }
}
