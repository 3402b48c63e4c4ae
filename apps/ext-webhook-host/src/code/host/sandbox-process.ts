import { AsyncResource } from 'node:async_hooks';
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import type { ExtensionError } from '@platform/extension-sdk/runtime';
import type { CancellationSignal } from '@platform/platform';
import { CodeErrors } from './code.errors.js';
import {
  parseChildMessage,
  type CodeModules,
  type ContextCall,
  type FailureReason,
  type RunMessage,
  type Thrown,
  type ToChild,
} from '../protocol.js';
import { SentCodeTracker } from '../process/sent-code-tracker.js';
import type { SandboxCommand } from './sandbox-command.js';

const START_MS = 15_000;
const LOOK_EVERY_MS = 1_000;
/** Checks in a row for which a process with work may stay silent before it is killed. */
const MOST_SILENT_LOOKS = 4;
/**
 * Characters above which an answer does not fit into the buffer between two processes: it is sent
 * completely only when the process has read a part of it, which is a sign of life.
 */
const LARGE_ANSWER = 512 * 1024;
const STDERR_KEPT = 2_000;

export type Answer = { ok: boolean; text: string };

export interface SandboxRun extends Omit<RunMessage, 'type' | 'run' | 'modules' | 'forget'> {
  modules: CodeModules;
  signal: CancellationSignal;
  /** Makes a context call of the handler. A rejection ends the run. */
  onCall: (call: ContextCall) => Promise<Answer>;
}

/** Failure of a run: its reason, and the error that the handler threw if the reason is `thrown`. */
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

/** A process that runs handlers, from its start to its end. */
export class SandboxProcess {
  /** Resolves when the process has ended, with the last lines of its standard error. */
  readonly ended: Promise<string>;
  private readonly child: ChildProcess;
  private readonly pending = new Map<number, Pending>();
  private readonly known = new SentCodeTracker();
  private lastRun = 0;
  private silentLooks = 0;
  private isGone = false;
  isRetired = false;
  private stderr = '';
  private watch: NodeJS.Timeout | null = null;
  private ready: () => void = () => undefined;

  private constructor({ command, args }: SandboxCommand) {
    // The process gets nothing of the host's environment, and no other file descriptors.
    this.child = spawn(command, args, { env: { TZ: 'UTC' }, cwd: '/', stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    this.child.on('message', (message) => this.onMessage(message));
    this.child.stderr
      ?.setEncoding('utf8')
      .on('data', (chunk: string) => (this.stderr = (this.stderr + chunk).slice(-STDERR_KEPT)));
    // A message that cannot be sent needs no other handling: the process is ending.
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

  /**
   * Starts a process, and returns it when it is ready for runs. Kills it if it is not ready within
   * 15 s.
   *
   * @throws Error with its standard error if it ends before it is ready, or is not ready in time.
   */
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

  /** True if it accepts new runs. */
  get isOpen(): boolean {
    return !this.isGone && !this.isRetired;
  }

  /**
   * Runs a handler. Returns a JSON list of data, summary and ui. The run is stopped in the process
   * if `signal` is aborted or `onCall` rejects.
   *
   * @throws RunFailed if the handler throws, returns no valid result, exceeds a limit, or waits for
   * a promise that never settles; also if too many runs wait, if all handlers together have no more
   * memory, or if its thread is stopped. ExtensionError RUNTIME_RESTARTED if the process has ended
   * or ends. The reason of `signal` if it is aborted. The error with which `onCall` rejected.
   */
  runHandler(run: SandboxRun): Promise<string> {
    const { modules, signal, onCall, ...message } = run;
    const id = ++this.lastRun;
    return new Promise<string>((resolve, reject) => {
      if (this.isGone) {
        reject(CodeErrors.restarted());
        return;
      }
      // An aborted signal sends no `abort` event to a listener that comes later.
      signal.throwIfAborted();
      const onAbort = (): void => this.stop(id, signal.reason);
      const settled =
        <Value>(settle: (value: Value) => void) =>
        (value: Value): void => {
          signal.removeEventListener('abort', onAbort);
          settle(value);
        };
      // Messages of the process arrive in the async context of the code that started it; `onCall`
      // must run in the context of this run. `AsyncResource.bind` does the same, but defines a
      // deprecated property on each function, which is slow.
      const context = new AsyncResource('SandboxRun');
      const inContext: SandboxRun['onCall'] = (call) => context.runInAsyncScope(onCall, undefined, call);
      this.pending.set(id, { onCall: inContext, resolve: settled(resolve), reject: settled(reject) });
      signal.addEventListener('abort', onAbort, { once: true });
      this.watch ??= setInterval(() => this.look(), LOOK_EVERY_MS).unref();
      const { isKnown, forget } = this.known.recordSent(run.code, modules);
      this.send({ type: 'run', run: id, ...message, modules: isKnown ? undefined : modules, forget });
    });
  }

  /**
   * Makes `isOpen` false, so that callers send no more runs, and kills the process when its last
   * run has ended: at once if it has none.
   */
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
    const message = parseChildMessage(received);
    // The process speaks for untrusted code: a malformed message ends it.
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

  /**
   * Sends an answer to a context call. A process that has many large answers to read receives the
   * next `ping` only after them. So each large answer counts as a sign of life when it is sent.
   */
  private sendAnswer(message: Extract<ToChild, { type: 'answer' }>): void {
    if (message.text.length < LARGE_ANSWER) this.send(message);
    else if (this.child.connected)
      this.child.send(message, undefined, undefined, (error) => (this.silentLooks = error ? this.silentLooks : 0));
  }

  private send(message: ToChild): void {
    if (this.child.connected) this.child.send(message);
  }
}
