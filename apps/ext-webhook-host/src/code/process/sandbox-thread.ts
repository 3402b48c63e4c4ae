import { MessageChannel, Worker } from 'node:worker_threads';
import { THREAD } from '../code-limits.js';
import type { CodeModules, RunMessage } from '../protocol.js';
import { SharedBudget } from '../thread/shared-budget.js';
import { SentCodeTracker } from './sent-code-tracker.js';
import { ProcessorTime } from '../thread/processor-time.js';
import type { Lane } from './run-scheduler.js';
import { kibibytesOf, TransitBudget } from '../thread/transit-budget.js';
import { STATE, type FromWorker, type SyncAnswer, type ToWorker, type WorkerData } from '../thread/worker-protocol.js';

const GRACE_MS = 250;

/** A thread that runs handlers, as the main thread of the sandbox process sees it. */
export class SandboxThread implements Lane {
  private readonly worker: Worker;
  private readonly flag: Int32Array;
  private readonly state: Float64Array;
  private readonly syncPort;
  private readonly known = new SentCodeTracker();
  private readonly transit: TransitBudget;
  /** Start of the code that runs in the thread, and its computing time since then. */
  private seen: { since: number; time: ProcessorTime } | null = null;
  /** The call for which the thread is blocked until the answer comes. */
  private callNow: { run: number; call: number } | null = null;

  constructor(
    file: string,
    wasm: WebAssembly.Module,
    all: { shared: SharedArrayBuffer; most: number; idle: number; transit: SharedArrayBuffer },
    onMessage: (message: FromWorker) => void,
    onExit: () => void,
  ) {
    const state = new SharedArrayBuffer(8 * (1 + STATE.length));
    const { port1, port2 } = new MessageChannel();
    this.flag = new Int32Array(state, 0, 1);
    this.state = new Float64Array(state, 8);
    this.syncPort = port1;
    port1.unref();
    const heaps = { shared: all.shared, most: all.most, idle: all.idle, thread: new SharedArrayBuffer(4) };
    const transit = { shared: all.transit, thread: new SharedArrayBuffer(4) };
    this.transit = new TransitBudget(transit.shared, transit.thread);
    const workerData: WorkerData = { wasm, heaps, transit, state, syncPort: port2 };
    // Large enough that QuickJS reaches the end of its own stack first.
    const resourceLimits = { stackSizeMb: THREAD.stackMegabytes, maxOldGenerationSizeMb: THREAD.megabytes };
    this.worker = new Worker(file, { workerData, transferList: [port2], resourceLimits, stdin: false });
    this.worker.on('message', (message: FromWorker) => {
      if (message.type === 'callNow') this.callNow = { run: message.run, call: message.call };
      if (message.type === 'callNow' || message.type === 'call') this.transit.markSent(message.kibibytes);
      onMessage(message);
    });
    // The `exit` event follows.
    this.worker.on('error', (error) => console.error('A worker of the sandbox failed:', error));
    this.worker.on('exit', () => {
      new SharedBudget(heaps.shared, heaps.thread, heaps.most).releaseAll();
      this.transit.close();
      onExit();
    });
  }

  startRun(message: RunMessage, modules: CodeModules | undefined): void {
    const { isKnown, forget } = this.known.recordSent(message.code, modules);
    this.post({ type: 'run', message: { ...message, modules: isKnown ? undefined : modules, forget } });
  }

  /**
   * Gives back the room of a call that has left the thread, because it was passed on to the host.
   */
  releaseCall(kibibytes: number): void {
    this.transit.releaseSent(kibibytes);
  }

  sendAnswer(run: number, call: number, isOk: boolean, answer: string): void {
    let [ok, text, kibibytes] = [isOk, answer, kibibytesOf(answer)];
    if (!this.transit.reserve(kibibytes)) [ok, text, kibibytes] = [false, CROWDED, 0];
    if (this.callNow?.run !== run || this.callNow.call !== call) {
      this.post({ type: 'answer', run, call, ok, text, kibibytes });
      return;
    }
    this.callNow = null;
    this.syncPort.postMessage({ run, call, ok, text, kibibytes } satisfies SyncAnswer);
    Atomics.store(this.flag, 0, 1);
    Atomics.notify(this.flag, 0);
  }

  /** Stops a run. The thread then sends `stopped`. */
  stopRun(run: number): void {
    if (this.callNow?.run === run) this.sendAnswer(run, this.callNow.call, false, OVER);
    this.post({ type: 'stop', run });
  }

  busyMs(): number {
    const since = this.state[STATE.busySince];
    return since ? Date.now() - since : 0;
  }

  /**
   * The run that will not stop by itself: its code has computed for more than 250 ms beyond one and
   * a half times its limit. Null if there is none. Stops nothing. Must be called often, because
   * computing counts from the first call that finds the code running.
   */
  findOverdueRun(): number | null {
    const [since = 0, limitMs = 0, run = 0] = this.state;
    if (since !== this.seen?.since) this.seen = since ? { since, time: new ProcessorTime() } : null;
    return this.seen?.time.isOver(1.5 * limitMs + GRACE_MS) ? run : null;
  }

  terminate(): void {
    void this.worker.terminate();
  }

  private post(message: ToWorker): void {
    this.worker.postMessage(message);
  }
}

const OVER = JSON.stringify({ code: 'RUN_OVER', message: 'The run is over.', retryable: false, details: {} });

const CROWDED = JSON.stringify({
  code: 'RUNTIME_BUSY',
  message: 'The call was made, but there is no room for its answer: too much data is on its way to handlers.',
  retryable: true,
  details: {},
});
