import { fork, type ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import type { Slice } from './work.js';

/**
 * Runs a baseline in a process of its own, so that it uses the machine like the gateway and shares
 * no thread with the bench.
 */
export class BareProcess {
  private constructor(private readonly child: ChildProcess) {}

  static start(
    name: 'argon2' | 'ledger' | 'statement' | 'update' | 'update-and-sign',
    env: NodeJS.ProcessEnv = {},
  ): BareProcess {
    const program = resolve('dist', 'tools', 'bench', 'bare', `${name}.js`);
    return new BareProcess(
      fork(program, { env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...env }, execArgv: [] }),
    );
  }

  run(slice: Slice): Promise<number> {
    return new Promise((done, failed) => {
      const died = () => failed(new Error('The process of a baseline ended unexpectedly.'));
      this.child.once('exit', died);
      this.child.once('message', ({ rate }: { rate: number }) => {
        this.child.off('exit', died);
        done(rate);
      });
      this.child.send(slice);
    });
  }

  stop(): void {
    this.child.kill();
  }
}
