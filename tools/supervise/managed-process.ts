import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunFile } from './context.js';
import { LogFile } from './log-file.js';
import { Restarts, type Restartable, type RestartEvents } from './restarts.js';
import { StartError } from './start-error.js';

export interface ProcessDefinition {
  name: string;
  /**
   * Path of the compiled script. It reports `{ listening: <port> }` over IPC, and ends on SIGTERM
   * and when the IPC channel closes.
   */
  script: string;
  env: NodeJS.ProcessEnv;
  logFile: string;
}

const START_TIMEOUT_MS = 60_000;

/** A Node.js process that is restarted if it ends unexpectedly. */
export class ManagedProcess implements Restartable {
  private readonly log: LogFile;
  private readonly restarts: Restarts;
  private child: ChildProcess | undefined;
  private exited: Promise<string> = Promise.resolve('');
  /** Number of stops, so that work that began before a stop has no effect after it. */
  private stops = 0;

  constructor(
    private readonly definition: ProcessDefinition,
    private readonly root: string,
    private readonly runFile: RunFile,
    events: RestartEvents,
  ) {
    this.log = new LogFile(definition.logFile);
    this.restarts = new Restarts(this, events);
  }

  get name(): string {
    return this.definition.name;
  }

  /**
   * @throws StartError with the output of the process if it ends or does not listen within 60 s.
   */
  async start(): Promise<void> {
    const startedAt = Date.now();
    const stops = this.stops;
    const isWanted = () => this.stops === stops;
    const child = this.launch();
    const exited = this.exited;
    const timeout = new AbortController();
    const outcome = await Promise.race([
      new Promise<'listening'>((done) => child.once('message', () => done('listening'))),
      exited.then(() => 'ended' as const),
      delay(START_TIMEOUT_MS, 'silent' as const, { signal: timeout.signal }).catch(() => 'silent' as const),
    ]);
    timeout.abort();
    if (outcome !== 'listening') {
      this.kill();
      throw this.failure(outcome === 'silent' ? `did not start within ${START_TIMEOUT_MS / 1000} s` : 'did not start');
    }
    void exited.then((how) => {
      if (isWanted()) void this.restarts.restart(how, startedAt, isWanted);
    });
  }

  /** Stops the process; kills it after `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.stops += 1;
    this.child?.kill('SIGTERM');
    const timer = setTimeout(() => this.kill(), graceMs);
    await this.exited;
    clearTimeout(timer);
  }

  /** Kills the process with everything that it started. */
  kill(): void {
    const { child } = this;
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
    process.kill(-child.pid, 'SIGKILL');
  }

  explain(how: string): StartError {
    return this.failure(`keeps ending (${how})`);
  }

  private launch(): ChildProcess {
    const { script, env } = this.definition;
    // A process group of its own: Ctrl-C in the terminal reaches only the supervisor, which stops
    // the processes in order.
    const child = this.log.open((log) =>
      spawn(process.execPath, [script], {
        cwd: this.root,
        env,
        stdio: ['ignore', log, log, 'ipc'],
        detached: true,
      }),
    );
    const { pid } = child;
    if (pid) this.runFile.add(pid, script);
    this.child = child;
    this.exited = new Promise((done) => {
      child.once('error', (error) => done(error.message));
      child.once('exit', (code, signal) => {
        if (pid) this.runFile.remove(pid);
        done(signal ?? `exit code ${code}`);
      });
    });
    return child;
  }

  private failure(what: string): StartError {
    const { name, logFile } = this.definition;
    const lines = this.log.plainLines();
    if (lines.length === 1) return new StartError(`${name} ${what}: ${lines[0]}`);
    return new StartError(`${name} ${what}. Its log is ${logFile}`, lines.join('\n'));
  }
}
