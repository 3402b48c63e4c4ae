import { setPriority } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { CODE_LIMITS } from '../code-limits.js';
import { thrownOf as cut, type CodeModules, type FailureReason, type RunMessage, type Thrown } from '../protocol.js';
import { SharedBudget } from './shared-budget.js';
import { developerStackTrace } from './stack-trace.js';
import { SyncAnswers } from './sync-answers.js';
import { Vm, type VmHost, type VmStop } from './vm.js';
import { kibibytesOf, RUN_KIBIBYTES, TransitBudget } from './transit-budget.js';
import { STATE, type FromWorker, type ThreadAnswer, type ToWorker, type WorkerData } from './worker-protocol.js';

/**
 * Priority of handlers, from 0 (as the host) to 19 (the lowest). Endless computation must not take
 * the processor from the host and the database.
 */
const NICENESS = 10;
const RUNS_PER_VM = 1_000;
const SYNC_TIMEOUT_MS = 15_000;

/**
 * Runs handlers in a thread, on messages from the main thread of the sandbox process. Each run has
 * a memory of its own. While one waits for a promise, others continue; a call that blocks until its
 * answer stops them all, for at most 15 s.
 */
export function runWorker(): void {
  // Applies on Linux to the calling thread only. The main thread, and threads that start, keep the
  // priority of the host.
  setPriority(NICENESS);
  const { wasm, state, syncPort, heaps, transit: room } = workerData as WorkerData;
  const shared = new Float64Array(state, 8);
  const vms = new VmPool(wasm, new SharedBudget(heaps.shared, heaps.thread, heaps.most), heaps.idle);
  const transit = new TransitBudget(room.shared, room.thread);
  const answers = new SyncAnswers(new Int32Array(state, 0, 1), syncPort, ({ kibibytes }) => transit.release(kibibytes));
  const runs = new Map<number, SandboxedRun>();
  const send = (message: FromWorker): void => parentPort?.postMessage(message);

  const channel: Channel = {
    send,
    takeRoom: (kibibytes) => transit.reserve(kibibytes),
    waitFor(message) {
      const busySince = shared[STATE.busySince] ?? 0;
      shared[STATE.busySince] = 0;
      const answer = answers.waitFor(message, () => send(message), SYNC_TIMEOUT_MS);
      const waited = Date.now() - busySince;
      shared[STATE.busySince] = busySince && busySince + Math.max(waited, 0);
      return answer;
    },
    busy(run, limitMs) {
      shared[STATE.run] = run;
      shared[STATE.limitMs] = limitMs;
      shared[STATE.busySince] = Date.now();
    },
    idle() {
      shared[STATE.busySince] = 0;
    },
    over(run) {
      runs.delete(run.id);
      vms.release(run.vmKey, run.vm);
    },
  };

  parentPort?.on('message', (message: ToWorker) => {
    switch (message.type) {
      case 'run': {
        const { message: asked } = message;
        const run = new SandboxedRun(asked, vms.findModules(asked), channel);
        runs.set(run.id, run);
        void vms
          .acquire(run.vmKey, () => run.isOver)
          .then((taken) => (taken ? run.start(taken.vm, taken.isLoaded) : run.rejectBusy()));
        break;
      }
      case 'answer':
        transit.release(message.kibibytes);
        runs.get(message.run)?.receiveAnswer(message.call, message.ok, message.text);
        break;
      case 'stop':
        runs.get(message.run)?.stop();
        break;
    }
  });
  void vms.createSpare();
}

interface Channel {
  send(message: FromWorker): void;
  /** Reserves room for the message that is sent next. Returns false if there is none. */
  takeRoom(kibibytes: number): boolean;
  waitFor(message: Extract<FromWorker, { type: 'callNow' }>): ThreadAnswer | undefined;
  busy(run: number, limitMs: number): void;
  idle(): void;
  over(run: SandboxedRun): void;
}

/** A run, from its start to its result. */
class SandboxedRun implements VmHost {
  readonly id: number;
  readonly vmKey: string;
  vm: Vm | null = null;
  isOver = false;

  /** Null after the start, because the event can be large. */
  private message: RunMessage | null;
  private cpuLeftMs: number;
  private calls = 0;
  private kibibytesLeft = CODE_LIMITS.allArgumentBytes / 1024;
  /** KiB of the arguments, by id of the call. */
  private readonly waitingFor = new Map<number, number>();
  private kibibytesWaiting = 0;
  private readonly timers = new Map<number, NodeJS.Timeout>();
  private isRunning = false;

  constructor(
    message: RunMessage,
    private readonly modules: CodeModules,
    private readonly channel: Channel,
  ) {
    this.message = message;
    this.id = message.run;
    this.vmKey = `${message.code}/${message.module}`;
    this.cpuLeftMs = message.cpuMs;
  }

  start(vm: Vm, isLoaded: boolean): void {
    this.vm = vm;
    const { message } = this;
    this.message = null;
    if (this.isOver || !message) {
      this.channel.over(this);
      return;
    }
    if (!isLoaded && !this.enter(() => vm.load(this.modules, message.module, this.cpuLeftMs))) return;
    vm.host = this;
    const { unavailable, event, lazyEvent, known, entry } = message;
    const { logLines } = CODE_LIMITS;
    const more = JSON.stringify({ lazyEvent, unavailable, logLines });
    const settings = `{"event":${event},"known":${known},${more.slice(1)}`;
    this.enter(() => vm.start(entry, settings, this.cpuLeftMs));
  }

  /**
   * Ends the run as `busy`, because there is no room for its heap. A run that was stopped before
   * only leaves the thread.
   */
  rejectBusy(): void {
    if (this.isOver) {
      this.channel.over(this);
      return;
    }
    this.fail('busy', { message: '', retryable: true });
    this.end();
  }

  receiveAnswer(call: number, ok: boolean, text: string): void {
    const kibibytes = this.waitingFor.get(call);
    if (kibibytes === undefined) return;
    this.waitingFor.delete(call);
    this.kibibytesWaiting -= kibibytes;
    this.enter(() => this.vm?.answer(call, ok, text, this.cpuLeftMs) ?? null);
  }

  stop(): void {
    this.isOver = true;
    this.channel.send({ type: 'stopped', run: this.id });
    if (this.vm) this.end();
  }

  // --- Calls of the handler ---------------------------------------------------------------------------------------------------------

  call(id: number, path: string, args: string, asUser: string | null, forUser: string | null): string | undefined {
    const isNote = id === 0;
    const kibibytes = kibibytesOf(args);
    const refused = this.refusal(kibibytes, isNote);
    if (refused) return refused;
    if (!isNote) {
      this.waitingFor.set(id, kibibytes);
      this.kibibytesWaiting += kibibytes;
    }
    this.channel.send({ type: 'call', run: this.id, call: id, kibibytes, path, asUser, forUser, args });
    return undefined;
  }

  callNow(path: string, args: string, asUser: string | null, forUser: string | null): string {
    const kibibytes = kibibytesOf(args);
    const refused = this.refusal(kibibytes, false);
    if (refused) return `0${refused}`;
    const began = performance.now();
    const answer = this.channel.waitFor({
      type: 'callNow',
      run: this.id,
      call: -this.calls,
      kibibytes,
      path,
      asUser,
      forUser,
      args,
    });
    this.vm?.excludeWait(performance.now() - began);
    if (!answer) return `0${failure('INTERNAL', 'The platform did not answer.')}`;
    return `${answer.ok ? '1' : '0'}${answer.text}`;
  }

  done(result: string): void {
    if (this.isOver) return;
    if (Buffer.byteLength(result) > CODE_LIMITS.resultBytes) {
      this.fail('result', {
        message: `The result may have at most ${CODE_LIMITS.resultBytes / 1024} KiB.`,
        retryable: false,
      });
      return;
    }
    this.channel.send({ type: 'done', run: this.id, result });
    this.isOver = true;
  }

  failed(reason: string, error: string): void {
    this.failThrown(reason === 'result' ? 'result' : 'thrown', error);
  }

  startTimer(id: number, ms: number): string | undefined {
    if (this.timers.size >= CODE_LIMITS.timers)
      return failure('BUDGET_EXCEEDED', `A run may have at most ${CODE_LIMITS.timers} timers at once.`);
    const timer = setTimeout(
      () => {
        this.timers.delete(id);
        this.enter(() => this.vm?.fireTimer(id, this.cpuLeftMs) ?? null);
      },
      Math.min(Math.max(ms, 0), 60_000),
    );
    this.timers.set(id, timer);
    return undefined;
  }

  stopTimer(id: number): void {
    clearTimeout(this.timers.get(id));
    this.timers.delete(id);
  }

  /**
   * Reserves room for a call, and returns undefined; an error as JSON if the call exceeds a limit
   * or there is no room. `isNote` is true for a log line, which is dropped if it is refused.
   */
  private refusal(kibibytes: number, isNote: boolean): string | undefined {
    const { calls, callsAtOnce, argumentBytes } = CODE_LIMITS;
    if (!isNote && ++this.calls > calls)
      return failure('BUDGET_EXCEEDED', `A run may call its context at most ${calls} times.`);
    if (!isNote && this.waitingFor.size >= callsAtOnce)
      return failure('BUDGET_EXCEEDED', `A run may have at most ${callsAtOnce} open calls of its context.`);
    if (kibibytes > argumentBytes / 1024)
      return failure('ARGUMENT_TOO_LARGE', `The arguments of a call may have at most ${argumentBytes / 1024} KiB.`);
    if (this.kibibytesWaiting + kibibytes > RUN_KIBIBYTES)
      return failure(
        'BUDGET_EXCEEDED',
        `The open calls of a run may have at most ${RUN_KIBIBYTES} KiB of arguments together.`,
      );
    this.kibibytesLeft -= kibibytes;
    if (this.kibibytesLeft < 0)
      return failure('BUDGET_EXCEEDED', 'The arguments of all calls of this run together are too large.');
    return this.channel.takeRoom(kibibytes)
      ? undefined
      : failure('RUNTIME_BUSY', 'Too much data is on its way from handlers. Try again later.', true);
  }

  // --- Turns ------------------------------------------------------------------------------------------------------------------------

  private readonly hasEnded = (): boolean => this.isOver;

  /**
   * Lets the handler continue with `work`, and takes the time that it computed from its CPU limit.
   * Ends the run if the work stopped for a reason, no CPU time is left, or the handler waits for no
   * call and no timer. Returns true if the run goes on afterwards; false if it has ended, or if its
   * handler already runs and `work` was not done.
   */
  private enter(work: () => VmStop | null): boolean {
    if (this.isOver || this.isRunning) return false;
    this.isRunning = true;
    this.channel.busy(this.id, this.cpuLeftMs);
    const stop = work();
    this.cpuLeftMs -= this.vm?.usedMs ?? 0;
    this.channel.idle();
    this.isRunning = false;
    if (!this.hasEnded()) {
      if (stop?.reason === 'thrown') this.failThrown('thrown', stop.error);
      else if (stop) this.fail(stop.reason, { message: '', retryable: false });
      else if (this.cpuLeftMs <= 0) this.fail('cpu', { message: '', retryable: false });
      else if (this.vm?.host && !this.waitingFor.size && !this.timers.size) {
        this.fail(this.vm.isFull ? 'memory' : 'stalled', { message: '', retryable: false });
      }
    }
    if (this.hasEnded()) this.end();
    return !this.isOver;
  }

  private failThrown(reason: FailureReason, json: string): void {
    const error = thrownOf(json, this.modules);
    // QuickJS throws null if there is no memory for an error object either.
    const isMemory = error.message === OUT_OF_MEMORY || (error.message === 'null' && this.vm?.isFull);
    this.fail(isMemory ? 'memory' : reason, error);
  }

  private fail(reason: FailureReason, error: Thrown): void {
    if (this.isOver) return;
    this.isOver = true;
    const isCrowded = reason === 'memory' && this.vm?.wasCrowded;
    this.channel.send({ type: 'failed', run: this.id, reason: isCrowded ? 'crowded' : reason, error });
  }

  private end(): void {
    this.isOver = true;
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
    this.waitingFor.clear();
    this.channel.over(this);
  }
}

const NOTHING = (): void => undefined;

interface TakenVm {
  vm: Vm;
  isLoaded: boolean;
}

/** Memories with an app loaded, and one spare memory without an app. */
class VmPool {
  private readonly idle = new Map<string, Vm[]>();
  private readonly code = new Map<string, CodeModules>();
  private spare: Promise<Vm | null> | null = null;
  private lastTaken: Promise<void> = Promise.resolve();
  private idlePages = 0;

  constructor(
    private readonly wasm: WebAssembly.Module,
    private readonly heaps: SharedBudget,
    /**
     * Limit for all memories without a run, in pages: one large memory counts as several small
     * ones.
     */
    private readonly mostIdlePages: number,
  ) {}

  /**
   * Modules of a run, which sends them along or refers to modules that were sent before. Empty if
   * they are not known. Drops the modules that the run names in `forget`.
   */
  findModules({ code, modules, forget = [] }: RunMessage): CodeModules {
    for (const old of forget) this.code.delete(old);
    if (modules) this.code.set(code, modules);
    return this.code.get(code) ?? {};
  }

  createSpare(): Promise<Vm | null> {
    return (this.spare ??= Vm.create(this.wasm, this.heaps));
  }

  /**
   * Takes a memory for a run: one that has its app loaded, otherwise a new one. Returns null if
   * there is no room even after all idle memories were dropped, or if the run was stopped while it
   * waited.
   */
  async acquire(key: string, isGivenUp: () => boolean): Promise<TakenVm | null> {
    const idle = this.takeIdle(key);
    if (idle) return idle;
    // New memories are given out one at a time, a turn of the event loop apart. If the previous run
    // has ended in this turn, its memory is used again.
    const taken = this.lastTaken
      .then(nextTurn)
      .then(() => (isGivenUp() ? null : (this.takeIdle(key) ?? this.takeNew())));
    this.lastTaken = taken.then(NOTHING, NOTHING);
    return taken;
  }

  private takeIdle(key: string): TakenVm | null {
    const vm = this.idle.get(key)?.pop();
    if (!vm) return null;
    this.idlePages -= vm.pageCount;
    return { vm, isLoaded: true };
  }

  private async takeNew(): Promise<TakenVm | null> {
    const spare = this.createSpare();
    this.spare = null;
    let vm = await spare;
    while (!vm && this.dropOldest()) vm = await Vm.create(this.wasm, this.heaps);
    if (!vm) return null;
    // Makes the next spare memory while the run waits.
    setImmediate(() => void this.createSpare());
    return { vm, isLoaded: false };
  }

  release(key: string, vm: Vm | null): void {
    vm?.reset();
    if (!vm) return;
    if (vm.isBroken || vm.runs >= RUNS_PER_VM) {
      vm.discard();
      return;
    }
    const same = this.idle.get(key) ?? [];
    // Moves the key to the end: the first one was not used for the longest time.
    this.idle.delete(key);
    this.idle.set(key, [...same, vm]);
    this.idlePages += vm.pageCount;
    while (this.idlePages > this.mostIdlePages) this.dropOldest();
  }

  private dropOldest(): boolean {
    const [oldest] = this.idle;
    if (!oldest) return false;
    const [key, vms] = oldest;
    const vm = vms.shift();
    this.idlePages -= vm?.pageCount ?? 0;
    vm?.discard();
    if (!vms.length) this.idle.delete(key);
    return true;
  }
}

/** Message of QuickJS. Handlers see it, too, and can catch it. */
const OUT_OF_MEMORY = 'InternalError: out of memory';

const failure = (code: string, message: string, retryable = false): string =>
  JSON.stringify({ code, message, retryable, details: {} });

function thrownOf(json: string, modules: CodeModules): Thrown {
  const { name, message, code, retryable, details, stack } = JSON.parse(json) as Record<
    string,
    string | boolean | undefined
  >;
  const text = typeof message === 'string' ? message : '';
  // A longer one is cut before it is read line by line.
  const sent = cut({
    message: typeof name === 'string' && name !== 'Error' && code === undefined ? `${name}: ${text}` : text,
    stack,
  });
  const frames = sent.stack === undefined ? undefined : developerStackTrace(sent.stack, modules);
  return cut({ ...sent, code, retryable, details, stack: frames?.text, isCut: sent.isCut || frames?.isCut });
}
