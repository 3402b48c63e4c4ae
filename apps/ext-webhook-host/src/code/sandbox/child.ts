import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { CodeModules, FailureReason, FromChild, RunMessage, ToChild } from '../protocol.js';
import { Scheduler } from './scheduler.js';
import { SandboxWorker } from './sandbox-worker.js';
import type { FromWorker } from './worker-protocol.js';

const LOOK_EVERY_MS = 50;
/** Of 19, the lowest. What computes without end must not take the processor from the host and the database, which everybody waits for. */
const NICENESS = 10;
const PAGES_PER_MEGABYTE = 16;

/** What an app waits for behind the others. */
const STOPPED: ReadonlySet<FailureReason> = new Set(['cpu', 'memory', 'crowded']);

interface QueuedRun {
  run: number;
  app: string;
  message: RunMessage;
}

/** The process between the host and the threads that run handlers. It passes on what they say to each other, and stops what will not stop. */
export function runChild(file: string, wasmFile: string, lanes: number, megabytes: number): void {
  setPriority(NICENESS);
  const heaps = { shared: new SharedArrayBuffer(4), most: megabytes * PAGES_PER_MEGABYTE };
  const wasm = new WebAssembly.Module(readFileSync(wasmFile));
  const code = new Map<string, CodeModules>();
  const workers = new Set<SandboxWorker>();
  const places = new Map<number, { worker: SandboxWorker; cpuMs: number }>();
  let watch: NodeJS.Timeout | null = null;
  const send = (message: FromChild): void => void process.send?.(message);

  const scheduler = new Scheduler<QueuedRun, SandboxWorker>(
    { lanes, runsPerLane: 16, runsPerApp: 16, waitingPerApp: 200, waiting: 2_000 },
    open,
    ({ run, message }, worker) => {
      places.set(run, { worker, cpuMs: message.cpuMs });
      watch ??= setInterval(stopOverdue, LOOK_EVERY_MS);
      worker.run(message, (hash) => code.get(hash));
    },
  );

  function open(): SandboxWorker {
    const worker: SandboxWorker = new SandboxWorker(file, wasm, heaps, onMessage, () => onExit(worker));
    workers.add(worker);
    return worker;
  }

  /** It may also have been stopped by the system, for want of memory. */
  function onExit(worker: SandboxWorker): void {
    workers.delete(worker);
    for (const { run } of scheduler.closed(worker)) {
      places.delete(run);
      send({ type: 'failed', run, reason: 'restarted', error: { message: '', retryable: true } });
      scheduler.over(run);
    }
  }

  function stopOverdue(): void {
    for (const worker of workers) {
      const run = worker.overdue();
      if (run === null) continue;
      worker.terminate();
      finish({ type: 'failed', run, reason: 'cpu', error: { message: '', retryable: false } });
    }
    if (scheduler.size || !watch) return;
    clearInterval(watch);
    watch = null;
  }

  function onMessage(message: FromWorker): void {
    if (message.type === 'callNow') send({ ...message, type: 'call' });
    else if (message.type === 'call') send(message);
    else finish(message);
  }

  function finish(message: Exclude<FromWorker, { type: 'call' | 'callNow' }>): void {
    const { run } = message;
    if (message.type !== 'stopped') send(message);
    const mustWait = message.type === 'failed' && STOPPED.has(message.reason);
    scheduler.over(run, mustWait ? (places.get(run)?.cpuMs ?? 0) : null);
    places.delete(run);
  }

  process.on('message', (message: ToChild) => {
    switch (message.type) {
      case 'run': {
        for (const hash of message.forget ?? []) code.delete(hash);
        if (message.modules) code.set(message.code, message.modules);
        const { run, app } = message;
        if (!scheduler.add({ run, app, message })) {
          send({ type: 'failed', run, reason: 'busy', error: { message: '', retryable: true } });
        }
        break;
      }
      case 'answer':
        places.get(message.run)?.worker.answer(message.run, message.call, message.ok, message.text);
        break;
      case 'stop':
        if (places.has(message.run)) places.get(message.run)?.worker.stop(message.run);
        else scheduler.over(message.run);
        break;
      case 'ping':
        send({ type: 'pong' });
        break;
    }
  });
  process.once('disconnect', () => process.exit());
  send({ type: 'ready' });
}
