import { spawn, type ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** The command line that a platform serves. */
export const COMMAND_LINE = 'dist/packages/cli/dist/main.js';

/** The built command line in a process of its own. */
export class CommandProcess {
  stdout = '';
  stderr = '';
  /** Exit code, or the signal that ended it. */
  readonly exited: Promise<number | NodeJS.Signals | null>;
  private readonly listeners = new Set<() => void>();

  private constructor(private readonly child: ChildProcess) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => this.changed(() => (this.stdout += text)));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => this.changed(() => (this.stderr += text)));
    this.exited = new Promise((done) => child.once('close', (code, signal) => done(code ?? signal)));
  }

  /** @param input text on standard input; by default there is none */
  static start(
    parameters: string[],
    env: NodeJS.ProcessEnv,
    program = COMMAND_LINE,
    folder?: string,
    input?: string,
  ): CommandProcess {
    const child = spawn(process.execPath, [resolve(program), ...parameters], {
      env: { PATH: process.env['PATH'], NODE_EXTRA_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'], ...env },
      cwd: folder,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    child.stdin?.end(input);
    return new CommandProcess(child);
  }

  /**
   * Waits until standard output matches the pattern, and returns the match. Jest's time limit ends
   * the wait.
   */
  async printed(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = pattern.exec(this.stdout)?.[0];
      if (found) return found;
      await new Promise<void>((resolve) => this.listeners.add(resolve));
    }
  }

  /** Calls `take` with each line of standard output, from the first on. */
  onLine(take: (line: string) => void): void {
    if (this.child.stdout) createInterface({ input: this.child.stdout }).on('line', take);
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  private changed(change: () => void): void {
    change();
    for (const notify of this.listeners) notify();
    this.listeners.clear();
  }
}
