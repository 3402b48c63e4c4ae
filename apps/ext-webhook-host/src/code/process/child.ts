import { readFileSync } from 'node:fs';
import { EVENTS } from '../code-limits.js';
import type { CodeModules, FailureReason, FromChild, RunMessage, ToChild } from '../protocol.js';
import { RunScheduler, type Waiting } from './run-scheduler.js';
import { SandboxThread } from './sandbox-thread.js';
import { FIRST_PAGES } from '../thread/prelude-constants.js';
import { kibibytesOf } from '../thread/transit-budget.js';
import type { FromWorker } from '../thread/worker-protocol.js';

const LOOK_EVERY_MS = 50;
const PAGES_PER_MEGABYTE = 16;
/** Part of all heaps that memories without a run may take. */
const IDLE_PART = 0.4;
/**
 * Pages of an app that stays loaded: the initial memory, the snapshot after its module was loaded,
 * and a part of a second memory.
 */
const PAGES_OF_APP = FIRST_PAGES + 48;

/** Failures after which an app waits behind the others. */
const STOPPED: ReadonlySet<FailureReason> = new Set(['cpu', 'memory', 'crowded']);

/**
 * Main thread of the sandbox process, between the host and the threads that run handlers. Passes
 * messages on, and terminates threads that do not stop.
 */
export function runChild(file: string, wasmFile: string, lanes: number, megabytes: number): void {
  const most = megabytes * PAGES_PER_MEGABYTE;
  // Equal parts for all threads; one more thread is for apps that were stopped.
  const idle = Math.floor((most * IDLE_PART) / (lanes + 1));
  const appsPerLane = Math.floor(idle / PAGES_OF_APP);
  const memory = { shared: new SharedArrayBuffer(4), most, idle, transit: new SharedArrayBuffer(4) };
  const wasm = new WebAssembly.Module(readFileSync(wasmFile));
  const code = new Map<string, CodeModules>();
  const workers = new Set<SandboxThread>();
  /** Runs that wait, with their modules, which `code` can lose before the run starts. */
  const waiting = new Map<number, { message: RunMessage; modules: CodeModules | undefined }>();
  const places = new Map<number, { worker: SandboxThread; cpuMs: number }>();
  let watch: NodeJS.Timeout | null = null;
  const send = (message: FromChild): void => void process.send?.(message);

  const scheduler = new RunScheduler<Waiting, SandboxThread>(
    { lanes, runsPerLane: 16, runsPerApp: 16, waitingPerApp: 200, waiting: 2_000, appsPerLane, ...EVENTS },
    open,
    ({ run }, worker) => {
      const next = waiting.get(run);
      if (!next) return;
      waiting.delete(run);
      const { message, modules } = next;
      places.set(run, { worker, cpuMs: message.cpuMs });
      watch ??= setInterval(stopOverdue, LOOK_EVERY_MS);
      worker.startRun(message, modules);
    },
  );

  function open(): SandboxThread {
    const worker: SandboxThread = new SandboxThread(
      file,
      wasm,
      memory,
      (message) => onMessage(worker, message),
      () => onExit(worker),
    );
    workers.add(worker);
    return worker;
  }

  /**
   * Ends the runs of a thread that has ended, with the reason `restarted`, and tells the host. The
   * operating system may also have stopped the thread because memory ran out.
   */
  function onExit(worker: SandboxThread): void {
    workers.delete(worker);
    for (const { run } of scheduler.removeLane(worker)) {
      places.delete(run);
      send({ type: 'failed', run, reason: 'restarted', error: { message: '', retryable: true } });
      scheduler.endRun(run);
    }
  }

  function stopOverdue(): void {
    for (const worker of workers) {
      const run = worker.findOverdueRun();
      if (run === null) continue;
      worker.terminate();
      finish({ type: 'failed', run, reason: 'cpu', error: { message: '', retryable: false } });
    }
    if (scheduler.size || !watch) return;
    clearInterval(watch);
    watch = null;
  }

  function onMessage(worker: SandboxThread, message: FromWorker): void {
    if (message.type !== 'callNow' && message.type !== 'call') {
      finish(message);
      return;
    }
    const { kibibytes, ...call } = message;
    // A message that the host has not read yet takes memory of this process.
    process.send?.({ ...call, type: 'call' } satisfies FromChild, undefined, undefined, () =>
      worker.releaseCall(kibibytes),
    );
  }

  function finish(message: Exclude<FromWorker, { type: 'call' | 'callNow' }>): void {
    const { run } = message;
    const mustWait = message.type === 'failed' && STOPPED.has(message.reason);
    const penaltyMs = mustWait ? (places.get(run)?.cpuMs ?? 0) : null;
    places.delete(run);
    // The slot becomes free when the result is sent: a host that reads slowly starts no more runs
    // here.
    if (message.type === 'stopped') scheduler.endRun(run, penaltyMs);
    else process.send?.(message, undefined, undefined, () => scheduler.endRun(run, penaltyMs));
  }

  process.on('message', (message: ToChild) => {
    switch (message.type) {
      case 'run': {
        const { modules, forget = [], ...kept } = message;
        for (const hash of forget) code.delete(hash);
        if (modules) code.set(message.code, modules);
        const { run, app, event, known } = message;
        waiting.set(run, { message: kept, modules: code.get(message.code) });
        if (!scheduler.enqueueRun({ run, app, kibibytes: kibibytesOf(event) + kibibytesOf(known) })) {
          waiting.delete(run);
          send({ type: 'failed', run, reason: 'busy', error: { message: '', retryable: true } });
        }
        break;
      }
      case 'answer':
        places.get(message.run)?.worker.sendAnswer(message.run, message.call, message.ok, message.text);
        break;
      case 'stop':
        if (places.has(message.run)) places.get(message.run)?.worker.stopRun(message.run);
        else {
          waiting.delete(message.run);
          scheduler.endRun(message.run);
        }
        break;
      case 'ping':
        send({ type: 'pong' });
        break;
    }
  });
  process.once('disconnect', () => process.exit());
  send({ type: 'ready' });
}
