import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { sandboxCommand, type Sandbox, type SandboxCommand, type SandboxSize } from './sandbox-command.js';
import { SandboxProcess } from './sandbox-process.js';

const LIFE_MS = 60 * 60 * 1_000;
/** Wait after a failed start, or after a process that lived for less time than this. */
const PAUSE_MS = 1_000;

export const NO_BUBBLEWRAP =
  'CODE_SANDBOX: bubblewrap (bwrap) is not in the PATH. It is required in production and with CODE_SANDBOX=bubblewrap. Install it, or set CODE_SANDBOX=permission to run handlers without it.';

/**
 * Owns the process in which handlers run. Starts it for the first handler, again when it ends, and
 * replaces it every hour.
 */
export class SandboxSupervisor {
  private process: Promise<SandboxProcess> | null = null;
  private startedAt = 0;
  private pausedUntil = 0;
  private isStopped = false;
  /** Sandbox in use; null until `auto` has chosen one. */
  private kind: 'bubblewrap' | 'permission' | null;

  constructor(
    sandbox: Sandbox,
    private readonly size: SandboxSize,
    /** True if `auto` may run handlers without bubblewrap. */
    private readonly mayDoWithout: boolean,
    private readonly logger: Logger,
  ) {
    this.kind = sandbox === 'auto' ? null : sandbox;
  }

  get inUse(): 'bubblewrap' | 'permission' | null {
    return this.kind;
  }

  /**
   * Returns the process for the next run. Starts one if there is none, or if the last one accepts
   * no more runs; less than 1 s after a failed start it waits first. If the process is older than
   * an hour, it is still returned, while another one starts that replaces it.
   *
   * @throws Error if bubblewrap is required and missing, if the process does not start, or if the
   * host is stopping.
   */
  async getProcess(): Promise<SandboxProcess> {
    const starting = (this.process ??= this.start());
    const current = await starting;
    if (!current.isOpen) {
      if (this.process === starting) this.process = null;
      return this.getProcess();
    }
    if (performance.now() - this.startedAt > LIFE_MS) this.replace(current);
    return current;
  }

  stop(): void {
    this.isStopped = true;
    void this.process?.then((current) => current.kill()).catch(() => undefined);
  }

  private async start(): Promise<SandboxProcess> {
    try {
      const pause = this.pausedUntil - performance.now();
      if (pause > 0) await setTimeout(pause);
      if (this.isStopped) throw new Error('The host is stopping.');
      this.startedAt = performance.now();
      const started = await this.startOne();
      void started.ended.then((stderr) => this.onEnded(started, stderr));
      return started;
    } catch (error) {
      this.process = null;
      this.pausedUntil = performance.now() + PAUSE_MS;
      throw error;
    }
  }

  private async startOne(): Promise<SandboxProcess> {
    if (this.kind) return SandboxProcess.start(this.command(this.kind));
    const bubblewrap = sandboxCommand('bubblewrap', this.size);
    const inBubblewrap =
      bubblewrap && (await SandboxProcess.start(bubblewrap).catch((error: unknown) => this.noBubblewrap(error)));
    if (!inBubblewrap && !this.mayDoWithout) throw new Error(NO_BUBBLEWRAP);
    this.kind = inBubblewrap ? 'bubblewrap' : 'permission';
    this.logger.info({ sandbox: this.kind }, 'handlers in JavaScript run in a sandbox');
    return inBubblewrap ?? SandboxProcess.start(this.command('permission'));
  }

  private noBubblewrap(error: unknown): null {
    if (!this.mayDoWithout) throw error;
    this.logger.warn(
      { err: error },
      'bubblewrap is installed but does not work; handlers in JavaScript run without it',
    );
    return null;
  }

  private command(kind: 'bubblewrap' | 'permission'): SandboxCommand {
    const command = sandboxCommand(kind, this.size);
    if (!command) throw new Error('CODE_SANDBOX is bubblewrap, but bwrap is not in the PATH.');
    return command;
  }

  private onEnded(ended: SandboxProcess, stderr: string): void {
    if (this.isStopped || ended.isRetired) return;
    this.logger.warn({ stderr: stderr || undefined }, 'the sandbox ended; the next handler gets a new one');
    if (performance.now() - this.startedAt < PAUSE_MS) this.pausedUntil = performance.now() + PAUSE_MS;
    this.process = null;
    // Starts the next process now, so that the next handler does not wait for it.
    void this.getProcess().catch(() => undefined);
  }

  /**
   * Starts a new process for later runs. The old one then gets no more runs, and ends when its last
   * run has ended. If the start fails, that is logged, and the old process stays in use.
   */
  private replace(old: SandboxProcess): void {
    this.startedAt = performance.now();
    void this.startOne().then(
      (next) => {
        if (this.isStopped) {
          next.kill();
          return;
        }
        void next.ended.then((stderr) => this.onEnded(next, stderr));
        this.process = Promise.resolve(next);
        old.retire();
      },
      (error: unknown) => this.logger.error({ err: error }, 'the sandbox could not be replaced'),
    );
  }
}
