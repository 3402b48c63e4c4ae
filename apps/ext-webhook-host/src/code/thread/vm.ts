import { truncateText } from '@platform/contracts/text-lengths';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core';
import { randomBytes } from 'node:crypto';
import { CODE_LIMITS } from '../code-limits.js';
import type { CodeModules } from '../protocol.js';
import type { SharedBudget } from './shared-budget.js';
import { ProcessorTime } from './processor-time.js';
import { FIRST_PAGES, PRELUDE, PRELUDE_FILE } from './prelude-constants.js';
import { isZeros, PAGE } from './zero-pages.js';

/**
 * The declared types are those of the package's other build, in which this export is one level
 * deeper.
 */
const VARIANT = variant as unknown as QuickJSSyncVariant;

/**
 * A memory of up to this size is small: it finds room beside large ones, and is kept even if runs
 * have enlarged it.
 */
const KEPT_PAGES = 256;
/** Data and stack of the engine, with reserve. */
const ENGINE_PAGES = 256;
/** Freed pieces that are too small for the next allocation. */
const HOLES_PAGES = 32;
const MOST_PAGES = ENGINE_PAGES + Math.ceil(CODE_LIMITS.heapBytes / PAGE) + HOLES_PAGES;
const JOBS_AT_ONCE = 1_000;
/** Milliseconds to describe a thrown value that the prelude could not describe. */
const DESCRIBE_MS = 100;

/**
 * Functions that the handler of a run reaches through the prelude. A refusal is returned as the
 * JSON of an error.
 */
export interface VmHost {
  /** True if the run has ended; no more code runs for it. */
  readonly isOver: boolean;
  call(id: number, path: string, args: string, asUser: string | null, forUser: string | null): string | undefined;
  callNow(path: string, args: string, asUser: string | null, forUser: string | null): string;
  done(result: string): void;
  failed(reason: string, error: string): void;
  startTimer(id: number, ms: number): string | undefined;
  stopTimer(id: number): void;
}

/** Reason for which JavaScript in a `Vm` stopped. */
export type VmStop =
  | { reason: 'cpu' | 'memory' }
  /** JSON of the thrown error. */
  | { reason: 'thrown'; error: string };

/**
 * A QuickJS in its own memory, with the module of one app loaded. Each run begins in exactly the
 * same state: the memory is saved after the module was evaluated, and restored after each run. So
 * nothing that a run does or leaks is visible in the next one, and nothing is parsed twice.
 */
export class Vm {
  runs = 0;
  /** Milliseconds that it computed the last time. */
  usedMs = 0;
  /** True if it asked for memory when all heaps together were full. */
  wasCrowded = false;
  /**
   * True while its memory cannot be restored: before `load` has succeeded, and after a failure in
   * the engine. It is then discarded.
   */
  isBroken = true;
  /** Receives the calls of the code that runs; null while a module is loaded. */
  host: VmHost | null = null;

  private time: ProcessorTime | null = null;
  private limitMs = 0;
  private wasInterrupted = false;
  private modules: CodeModules = {};
  private namespace: QuickJSHandle | null = null;
  private pages: (Uint8Array | null)[] = [];

  private constructor(
    private readonly memory: WebAssembly.Memory,
    private readonly runtime: QuickJSRuntime,
    private readonly context: QuickJSContext,
    private readonly heaps: SharedBudget,
  ) {}

  private begin!: QuickJSHandle;
  private settle!: QuickJSHandle;
  private fire!: QuickJSHandle;
  private describe!: QuickJSHandle;

  /**
   * Creates a Vm with the prelude and without an app; null if all heaps together have no room for
   * it.
   */
  static async create(wasmModule: WebAssembly.Module, heaps: SharedBudget): Promise<Vm | null> {
    if (!heaps.reserve(FIRST_PAGES, true)) return null;
    const wasmMemory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: MOST_PAGES });
    const grow = wasmMemory.grow.bind(wasmMemory);
    const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(VARIANT, { wasmModule, wasmMemory }));
    const runtime = quickjs.newRuntime();
    runtime.setMemoryLimit(CODE_LIMITS.heapBytes);
    runtime.setMaxStackSize(CODE_LIMITS.stackBytes);
    const vm = new Vm(wasmMemory, runtime, runtime.newContext(), heaps);
    // The engine calls this for more memory, and takes an error for a lack of memory.
    wasmMemory.grow = (pages: number): number => {
      const grown = wasmMemory.buffer.byteLength / PAGE + pages;
      if (!heaps.reserve(pages, grown <= KEPT_PAGES)) {
        vm.wasCrowded = true;
        throw new RangeError('All heaps together are full.');
      }
      try {
        const before = grow(pages);
        vm.wasCrowded = false; // after a refusal the engine asks for less
        return before;
      } catch (error) {
        heaps.release(pages);
        throw error;
      }
    };
    runtime.setInterruptHandler(() => vm.wasInterrupted || (vm.time?.isOver(vm.limitMs) === true && vm.interrupt()));
    vm.installPrelude();
    return vm;
  }

  /**
   * Evaluates a module of the app, and saves the memory as the state in which each run begins.
   * Returns null, or the reason for which it stopped, `memory` also if all heaps together have no
   * room for the saved state; the Vm is then broken.
   */
  load(modules: CodeModules, name: string, cpuMs: number): VmStop | null {
    this.modules = modules;
    this.runtime.setModuleLoader(
      (file) => this.modules[file]?.source ?? { error: new Error(`There is no module "${file}".`) },
      (_importer, requested) =>
        /^\.\/([\w-]+?)(?:\.js)?$/.exec(requested)?.[1] ?? { error: new Error(`There is no module "${requested}".`) },
    );
    const stop = this.run(cpuMs, () => {
      const evaluated = this.context.evalCode(modules[name]?.source ?? '', name, { type: 'module' });
      if (!evaluated.error) this.namespace = evaluated.value;
      return evaluated.error;
    });
    if (stop) return stop;
    if (!this.keepMemory()) return { reason: 'memory' };
    this.isBroken = false;
    return null;
  }

  /**
   * Starts the handler that the module exports as `entry`. `host` receives its outcome. Returns
   * null, or the reason for which JavaScript stopped; the Vm is then broken.
   */
  start(entry: string, settings: string, cpuMs: number): VmStop | null {
    this.runs++;
    const { context } = this;
    return this.run(cpuMs, () =>
      this.call(this.begin, this.namespace ?? context.undefined, context.newString(entry), context.newString(settings)),
    );
  }

  answer(id: number, ok: boolean, text: string, cpuMs: number): VmStop | null {
    const { context } = this;
    return this.run(cpuMs, () => {
      const value = context.newString(text);
      const failed = this.call(this.settle, context.newNumber(id), ok ? context.true : context.false, value);
      // The text is large, and the handler has parsed it.
      value.dispose();
      return failed;
    });
  }

  fireTimer(id: number, cpuMs: number): VmStop | null {
    return this.run(cpuMs, () => this.call(this.fire, this.context.newNumber(id)));
  }

  /** Leaves out time in which the handler waited for the host. */
  excludeWait(ms: number): void {
    this.time?.excludeWait(ms);
  }

  /**
   * True if its memory has grown beyond the size of a full heap (memory never shrinks), or if it
   * asked for memory when all heaps together were full.
   */
  get isFull(): boolean {
    return this.wasCrowded || this.memory.buffer.byteLength > CODE_LIMITS.heapBytes;
  }

  /** Pages of its memory and of its snapshot, as they count against all heaps. */
  get pageCount(): number {
    return this.memory.buffer.byteLength / PAGE + this.keptCount;
  }

  /** Returns its memory to the budget of all heaps. It must not be used afterwards. */
  discard(): void {
    this.isBroken = true;
    this.heaps.release(this.pageCount);
    this.keptCount = 0;
  }

  /**
   * Removes the host, and restores the memory as it was after `load`. The Vm is broken instead if
   * its memory has grown beyond both its size after `load` and 256 pages (16 MiB).
   */
  reset(): void {
    this.host = null;
    this.wasCrowded = false;
    const { buffer } = this.memory;
    const count = buffer.byteLength / PAGE;
    if (this.isBroken || count > Math.max(this.pages.length, KEPT_PAGES)) {
      this.isBroken = true;
      return;
    }
    const bytes = new Uint8Array(buffer);
    this.pages.forEach((page, at) => page && bytes.set(page, at * PAGE));
    // Most of the memory is the stack of the engine, of which a run uses little. Reading is cheaper
    // than writing, and an untouched page takes no memory of the operating system.
    for (const [from, to] of this.zeros) {
      if (isZeros(buffer, from, to)) continue;
      for (let at = from; at < to; at++) if (!isZeros(buffer, at, at + 1)) bytes.fill(0, at * PAGE, (at + 1) * PAGE);
    }
  }

  /**
   * Ranges of pages that are all zeros in the snapshot, before its last other page. The engine does
   * not use pages behind it after `reset`.
   */
  private zeros: [number, number][] = [];

  private keptCount = 0;

  /** Saves the snapshot. Returns false if all heaps together have no room for it. */
  private keepMemory(): boolean {
    // These handles are created at first use; they must be in the snapshot.
    for (const name of ['undefined', 'true', 'false', 'null']) Reflect.get(this.context, name);
    const { buffer } = this.memory;
    const isEmpty = Array.from({ length: buffer.byteLength / PAGE }, (_, at) => isZeros(buffer, at, at + 1));
    const count = isEmpty.filter((empty) => !empty).length;
    // A large memory takes the snapshot from the part of the budget that large memories can use.
    if (!this.heaps.reserve(count, buffer.byteLength <= KEPT_PAGES * PAGE)) {
      this.wasCrowded = true;
      return false;
    }
    this.keptCount = count;
    this.zeros = [];
    let end = 0;
    isEmpty.forEach((empty, at) => {
      if (empty) return;
      if (end < at) this.zeros.push([end, at]);
      end = at + 1;
    });
    this.pages = isEmpty.map((empty, at) => (empty ? null : new Uint8Array(buffer.slice(at * PAGE, (at + 1) * PAGE))));
    return true;
  }

  /**
   * Runs `work` and the promise jobs that it queues, until the run is over. Returns null, or the
   * reason for which JavaScript stopped (`cpu` after `cpuMs` of computing); the Vm is then broken.
   */
  private run(cpuMs: number, work: () => QuickJSHandle | undefined): VmStop | null {
    this.wasInterrupted = false;
    this.limitMs = cpuMs;
    this.time = new ProcessorTime();
    try {
      let failed = work();
      while (!failed && this.host?.isOver !== true && this.runtime.hasPendingJob()) {
        if (this.time.isOver(cpuMs)) this.wasInterrupted = true;
        if (this.wasInterrupted) break;
        failed = this.runtime.executePendingJobs(JOBS_AT_ONCE).error;
      }
      return this.wasInterrupted ? this.stopped({ reason: 'cpu' }) : failed ? this.stopped(this.thrown(failed)) : null;
    } catch (error) {
      // Thrown through the engine, which has not noticed: the stack of the process overflowed, or
      // an assertion of the engine failed.
      const message =
        error instanceof RangeError
          ? 'InternalError: stack overflow'
          : `InternalError: ${truncateText(String(error), 200)}`;
      return this.stopped(
        this.wasInterrupted ? { reason: 'cpu' } : { reason: 'thrown', error: JSON.stringify({ message }) },
      );
    } finally {
      this.usedMs = this.time.ms;
      this.time = null;
    }
  }

  /**
   * Marks the run as interrupted. Removes the host: an interrupted job rejects the promise of its
   * async function, and code that awaits the promise can run before the engine stops.
   */
  private interrupt(): true {
    this.host = null;
    return (this.wasInterrupted = true);
  }

  private stopped(stop: VmStop): VmStop {
    this.isBroken = true;
    return stop;
  }

  /**
   * Describes an error that the prelude did not catch: it catches the errors of handlers, unless no
   * memory is left for it. The reason is `memory` if the error cannot be described within 100 ms or
   * in the memory.
   */
  private thrown(error: QuickJSHandle): VmStop {
    this.time = new ProcessorTime();
    this.limitMs = DESCRIBE_MS;
    const described = this.context.callFunction(this.describe, this.context.undefined, error);
    return described.error
      ? { reason: 'memory' }
      : { reason: 'thrown', error: this.context.getString(described.value) };
  }

  private call(method: QuickJSHandle, ...args: QuickJSHandle[]): QuickJSHandle | undefined {
    return this.context.callFunction(method, this.context.undefined, ...args).error;
  }

  private installPrelude(): void {
    const { context } = this;
    const textOrNull = (handle: QuickJSHandle | undefined): string | null =>
      handle && context.typeof(handle) === 'string' ? context.getString(handle) : null;
    const text = (handle: QuickJSHandle | undefined): string => textOrNull(handle) ?? '';
    const lengthKey = context.newString('length');
    /**
     * Text of a value; null if it is not a text, and `IS_TOO_LONG` above `most` characters. The
     * length is checked before the text is copied out of the memory of the app.
     */
    const textWithin = (most: number, handle: QuickJSHandle | undefined): string | null | typeof IS_TOO_LONG => {
      if (!handle || context.typeof(handle) !== 'string') return null;
      // Does not use `getLength`: quickjs-emscripten keeps a view of the memory, which is empty
      // once the memory has grown.
      const value = context.getProp(handle, lengthKey);
      const isTooLong = context.getNumber(value) > most;
      value.dispose();
      return isTooLong ? IS_TOO_LONG : context.getString(handle);
    };
    /**
     * Arguments of a context call; null if they have more than 2 Mi characters, or the path or an
     * id has more than 1,024. Ids do not count as arguments, so they must be short.
     */
    const callArguments = (
      ...[path, args, asUser, forUser]: QuickJSHandle[]
    ): [string, string, string | null, string | null] | null => {
      const ids = [path, asUser, forUser].map((id) => textWithin(CODE_LIMITS.idLength, id));
      const [pathText = null, asUserText = null, forUserText = null] = ids;
      if (pathText === IS_TOO_LONG || asUserText === IS_TOO_LONG || forUserText === IS_TOO_LONG) return null;
      const argsText = textWithin(CODE_LIMITS.argumentBytes, args);
      return argsText === IS_TOO_LONG ? null : [pathText ?? '', argsText ?? '', asUserText, forUserText];
    };
    const number = (handle: QuickJSHandle | undefined): number =>
      handle && context.typeof(handle) === 'number' ? context.getNumber(handle) : 0;
    const maybeText = (value: string | undefined): QuickJSHandle =>
      value === undefined ? context.undefined : context.newString(value);
    const bytes = (handle: QuickJSHandle | undefined): Buffer =>
      handle ? Buffer.from(context.getArrayBuffer(handle).value) : Buffer.alloc(0);
    const buffer = (content: Uint8Array): QuickJSHandle =>
      context.newArrayBuffer(content.buffer.slice(content.byteOffset, content.byteOffset + content.byteLength));
    const functions: Record<string, (...args: QuickJSHandle[]) => QuickJSHandle> = {
      call: (id, ...what) => {
        if (!this.host) return context.newString(NOT_WHILE_LOADING);
        const call = callArguments(...what);
        return call ? maybeText(this.host.call(number(id), ...call)) : context.newString(TOO_LONG);
      },
      callNow: (...what) => {
        if (!this.host) return context.newString(`0${NOT_WHILE_LOADING}`);
        const call = callArguments(...what);
        return context.newString(call ? this.host.callNow(...call) : `0${TOO_LONG}`);
      },
      done: (result) => {
        this.host?.done(text(result));
        return context.undefined;
      },
      failed: (reason, error) => {
        this.host?.failed(text(reason), text(error));
        return context.undefined;
      },
      startTimer: (id, ms) => maybeText(this.host ? this.host.startTimer(number(id), number(ms)) : NOT_WHILE_LOADING),
      stopTimer: (id) => {
        this.host?.stopTimer(number(id));
        return context.undefined;
      },
      random: (size) => buffer(randomBytes(Math.min(Math.max(number(size), 0), 65_536))),
      utf8: (value) => buffer(Buffer.from(text(value))),
      text: (value) => context.newString(bytes(value).toString()),
      base64: (value) => context.newString(bytes(value).toString('base64')),
      fromBase64: (value) => buffer(Buffer.from(text(value), 'base64')),
    };
    const host = context.newObject();
    for (const [name, work] of Object.entries(functions)) context.setProp(host, name, context.newFunction(name, work));
    const prelude = context.unwrapResult(context.evalCode(PRELUDE, PRELUDE_FILE));
    const made = context.unwrapResult(context.callFunction(prelude, context.undefined, host));
    this.begin = context.getProp(made, 'begin');
    this.settle = context.getProp(made, 'settle');
    this.fire = context.getProp(made, 'fire');
    this.describe = context.getProp(made, 'describe');
  }
}

const IS_TOO_LONG = Symbol('too long');

const TOO_LONG = JSON.stringify({
  code: 'ARGUMENT_TOO_LARGE',
  message: `The arguments of a call may have at most ${CODE_LIMITS.argumentBytes / 1024} KiB, and ids ${CODE_LIMITS.idLength} characters.`,
  retryable: false,
  details: {},
});

const NOT_WHILE_LOADING = JSON.stringify({
  code: 'NOT_WHILE_LOADING',
  message: 'This is possible only while a handler runs, not while its module is loaded.',
  retryable: false,
  details: {},
});
