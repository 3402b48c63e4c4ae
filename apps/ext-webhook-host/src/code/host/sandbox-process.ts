import { AsyncResource } from 'node:async_hooks';
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import type { ExtensionError } from '@platform/extension-sdk/runtime';
import type { CancellationSignal } from '@platform/platform';
import { CodeErrors } from './code.errors.js';
import {
  fromChild,
  type CodeModules,
  type ContextCall,
  type FailureReason,
  type RunMessage,
  type Thrown,
  type ToChild,
} from '../protocol.js';
import { KnownCode } from '../process/known-code.js';
import type { SandboxCommand } from './sandbox-command.js';

const START_MS = 15_000;
const LOOK_EVERY_MS = 1_000;
/** So often in a row without a sign of life, while it has something to do, and the process is killed. */
const MOST_SILENT_LOOKS = 4;
/** More than the system keeps between two processes, in characters: such an answer is gone from here when the process has read of it, which is a sign of life. */
const LARGE_ANSWER = 512 * 1024;
const STDERR_KEPT = 2_000;

export type Answer = { ok: boolean; text: string };

export interface SandboxRun extends Omit<RunMessage, 'type' | 'run' | 'modules' | 'forget'> {
  modules: CodeModules;
  signal: CancellationSignal;
  /** Does what the handler asks of its context. Rejecting ends the run. */
  onCall: (call: ContextCall) => Promise<Answer>;
}

/** What the handler threw, or what became of it instead of a result. */
export class RunFailed extends Error {
  constructor(
    readonly reason: FailureReason,
    readonly thrown: Thrown,
  ) {
    super(reason);
  }
}

interface Pending {
  onCall: SandboxRun['onCall'];
  resolve: (result: string) => void;
  reject: (error: unknown) => void;
}

/** One process that runs handlers, from its start to its end. */
export class SandboxProcess {
  /** Resolves when it has ended, with what it said last on its standard error. */
  readonly ended: Promise<string>;
  private readonly child: ChildProcess;
  private readonly pending = new Map<number, Pending>();
  private readonly known = new KnownCode();
  private lastRun = 0;
  private silentLooks = 0;
  private isGone = false;
  isRetired = false;
  private stderr = '';
  private watch: NodeJS.Timeout | null = null;
  private ready: () => void = () => undefined;

  private constructor({ command, args }: SandboxCommand) {
    // Nothing of the host's environment, and no file descriptors but these.
    this.child = spawn(command, args, { env: { TZ: 'UTC' }, cwd: '/', stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    this.child.on('message', (message) => this.onMessage(message));
    this.child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (this.stderr = (this.stderr + chunk).slice(-STDERR_KEPT)));
    // What cannot be sent any more ends with the process.
    this.child.on('error', (error) => (this.stderr = `${this.stderr}${error.message}\n`.slice(-STDERR_KEPT)));
    this.ended = new Promise((resolve) => {
      const gone = (): void => {
        this.gone();
        resolve(this.stderr);
      };
      this.child.once('close', gone);
      this.child.once('error', () => this.child.pid === undefined && gone());
    });
  }

  /** @throws Error when it does not start, with what it said. */
  static async start(command: SandboxCommand): Promise<SandboxProcess> {
    const started = new SandboxProcess(command);
    let timer: NodeJS.Timeout | undefined;
    const ready = new Promise<boolean>((resolve) => {
      started.ready = () => resolve(true);
      timer = setTimeout(() => resolve(false), START_MS);
    });
    const isReady = await Promise.race([ready, started.ended.then(() => false)]);
    clearTimeout(timer);
    if (isReady) return started;
    started.kill();
    throw new Error(`The sandbox did not start: ${await started.ended}`);
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Whether it takes new runs. */
  get isOpen(): boolean {
    return !this.isGone && !this.isRetired;
  }

  /**
   * The JSON list of data, summary and ui that the handler gave.
   *
   * @throws RunFailed, ExtensionError RUNTIME_RESTARTED, the reason of the signal, or what `onCall` rejected with.
   */
  run(run: SandboxRun): Promise<string> {
    const { modules, signal, onCall, ...message } = run;
    const id = ++this.lastRun;
    return new Promise<string>((resolve, reject) => {
      if (this.isGone) {
        reject(CodeErrors.restarted());
        return;
      }
      const onAbort = (): void => this.stop(id, signal.reason);
      const settled =
        <Value>(settle: (value: Value) => void) =>
        (value: Value): void => {
          signal.removeEventListener('abort', onAbort);
          settle(value);
        };
      // Messages of the process arrive in the async context of whoever started it; `onCall` must run in that of this run. `AsyncResource.bind`
      // does the same, but defines a deprecated property on each function, which is slow.
      const context = new AsyncResource('SandboxRun');
      const inContext: SandboxRun['onCall'] = (call) => context.runInAsyncScope(onCall, undefined, call);
      this.pending.set(id, { onCall: inContext, resolve: settled(resolve), reject: settled(reject) });
      signal.addEventListener('abort', onAbort, { once: true });
      this.watch ??= setInterval(() => this.look(), LOOK_EVERY_MS).unref();
      const { isKnown, forget } = this.known.send(run.code, modules);
      this.send({ type: 'run', run: id, ...message, modules: isKnown ? undefined : modules, forget });
    });
  }

  /** Takes no new runs, and ends when those that it has are over. */
  retire(): void {
    this.isRetired = true;
    if (!this.pending.size) this.kill();
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  private stop(id: number, reason: unknown): void {
    const pending = this.take(id);
    if (!pending) return;
    this.send({ type: 'stop', run: id });
    pending.reject(reason);
  }

  private onMessage(received: unknown): void {
    this.silentLooks = 0;
    const message = fromChild(received);
    // It speaks for code that nobody trusts, and has to speak correctly.
    if (!message) {
      this.kill();
      return;
    }
    switch (message.type) {
      case 'ready':
        this.ready();
        break;
      case 'pong':
        break;
      case 'call':
        void this.answer(message.run, message.call, message);
        break;
      case 'done':
        this.take(message.run)?.resolve(message.result);
        break;
      case 'failed':
        this.take(message.run)?.reject(new RunFailed(message.reason, message.error));
        break;
    }
  }

  private async answer(id: number, call: number, { path, asUser, forUser, args }: ContextCall): Promise<void> {
    const pending = this.pending.get(id);
    if (!pending) return;
    try {
      const { ok, text } = await pending.onCall({ path, asUser, forUser, args });
      if (call !== 0) this.sendAnswer({ type: 'answer', run: id, call, ok, text });
    } catch (error) {
      this.stop(id, error);
    }
  }

  private take(id: number): Pending | undefined {
    const pending = this.pending.get(id);
    this.pending.delete(id);
    if (this.isRetired && !this.pending.size) setImmediate(() => this.kill());
    return pending;
  }

  private look(): void {
    if (!this.pending.size) {
      this.silentLooks = 0;
      return;
    }
    if (++this.silentLooks > MOST_SILENT_LOOKS) this.kill();
    else this.send({ type: 'ping' });
  }

  private gone(): void {
    this.isGone = true;
    if (this.watch) clearInterval(this.watch);
    const lost: ExtensionError = CodeErrors.restarted();
    for (const id of [...this.pending.keys()]) this.take(id)?.reject(lost);
  }

  /** A process that has many large ones to read hears of the next `ping` only after them. */
  private sendAnswer(message: Extract<ToChild, { type: 'answer' }>): void {
    if (message.text.length < LARGE_ANSWER) this.send(message);
    else if (this.child.connected)
      this.child.send(message, undefined, undefined, (error) => (this.silentLooks = error ? this.silentLooks : 0));
  }

  private send(message: ToChild): void {
    if (this.child.connected) this.child.send(message);
  }
}
