import { fork, type ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import type { CountingCommand } from './counting-clients.js';

export class CountingProcess {
  private constructor(private readonly child: ChildProcess) {}

  static start(): CountingProcess {
    return new CountingProcess(
      fork(resolve('dist', 'tools', 'bench', 'stream', 'counting-clients.js'), { execArgv: [] }),
    );
  }

  /** Sends a command and waits until it is done. Send only one at a time. */
  ask(command: CountingCommand): Promise<void> {
    return new Promise((done, failed) => {
      const died = () => failed(new Error('The process of the clients ended unexpectedly.'));
      this.child.once('exit', died);
      this.child.once('message', () => {
        this.child.off('exit', died);
        done();
      });
      this.child.send(command);
    });
  }

  stop(): void {
    this.child.kill();
  }
}
