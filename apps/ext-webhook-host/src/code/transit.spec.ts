import { MessageChannel, Worker } from 'node:worker_threads';
import type { ContextCall } from './protocol.js';
import { SentCodeTracker } from './process/sent-code-tracker.js';
import { SyncAnswers } from './thread/sync-answers.js';
import { TransitBudget } from './thread/transit-budget.js';
import type { Answer } from './host/sandbox-process.js';
import { SandboxSupervisor } from './host/sandbox-supervisor.js';

const MEBIBYTE = 1024 * 1024;

describe('what is on its way', () => {
  const MEBIBYTE = 1_024; // in KiB
  const threads = () => {
    const shared = new SharedArrayBuffer(4);
    return () => new TransitBudget(shared, new SharedArrayBuffer(4));
  };

  it('has a limit over all threads and a share for each, and small messages find room beside large ones', () => {
    const open = threads();
    const all = [open(), open(), open(), open()];
    const taken = all.map((thread) => {
      let mebibytes = 0;
      while (thread.reserve(MEBIBYTE)) mebibytes++;
      return mebibytes;
    });
    expect(taken).toEqual([32, 32, 32, 0]);
    expect(all.map((thread) => thread.reserve(16))).toEqual([true, true, true, true]);
  });

  it('comes back once, when it was passed on or with the thread in which it waits', () => {
    const open = threads();
    const [one, other, third] = [open(), open(), open()];
    const fill = (thread: TransitBudget) => [thread.reserve(32 * MEBIBYTE), thread.reserve(MEBIBYTE)];
    for (const thread of [one, other, third]) expect(fill(thread)).toEqual([true, false]);
    one.markSent(32 * MEBIBYTE);
    expect(one.reserve(MEBIBYTE)).toBe(false);
    one.close();
    expect(fill(open())[0]).toBe(false);
    one.releaseSent(32 * MEBIBYTE);
    other.close();
    expect([fill(open())[0], fill(open())[0], fill(open())[0]]).toEqual([true, true, false]);
  });
});

describe('an answer for which a thread stands still', () => {
  function standStill() {
    const { port1, port2 } = new MessageChannel();
    const flag = new Int32Array(new SharedArrayBuffer(4));
    const arrived: string[] = [];
    const answers = new SyncAnswers(flag, port2, ({ text }) => arrived.push(text));
    const post = (run: number, call: number, text: string): void => {
      port1.postMessage({ run, call, ok: true, text, kibibytes: 1 });
      Atomics.store(flag, 0, 1);
      Atomics.notify(flag, 0);
    };
    const close = (): void => port1.close();
    return { answers, arrived, flag, port1, post, close };
  }

  it('and that comes too late is not taken for the answer to the next call, of this run or another', () => {
    const { answers, arrived, post, close } = standStill();
    expect(answers.waitFor({ run: 1, call: -1 }, () => undefined, 1)).toBeUndefined();
    post(1, -1, 'late');
    expect(answers.waitFor({ run: 2, call: -1 }, () => post(2, -1, 'of another run'), 5_000)?.text).toBe(
      'of another run',
    );
    const postBoth = (): void => {
      post(1, -1, 'later still');
      post(1, -2, 'of the next');
    };
    expect(answers.waitFor({ run: 1, call: -2 }, postBoth, 5_000)?.text).toBe('of the next');
    expect(arrived).toEqual(['late', 'of another run', 'later still', 'of the next']);
    close();
  });

  it('is waited for when one comes in between that is too late', async () => {
    const { answers, arrived, flag, port1 } = standStill();
    const other = new Worker(BETWEEN, { eval: true, workerData: { port: port1, flag }, transferList: [port1] });
    const exit = new Promise((resolve) => other.once('exit', resolve));
    await new Promise((resolve) => other.once('online', resolve));
    expect(answers.waitFor({ run: 1, call: -2 }, () => other.postMessage('go'), 10_000)?.text).toBe('wanted');
    expect(arrived).toEqual(['late', 'wanted']);
    await exit;
  });
});

/** Answers an earlier call, and the awaited call after that answer was received. */
const BETWEEN = `
  const { parentPort, workerData: { port, flag } } = require('node:worker_threads');
  const post = (call, text) => {
    port.postMessage({ run: 1, call, ok: true, text, kibibytes: 1 });
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  };
  parentPort.once('message', () => {
    post(-1, 'late');
    const look = setInterval(() => {
      if (Atomics.load(flag, 0)) return;
      clearInterval(look);
      post(-2, 'wanted');
      port.close();
    }, 1);
  });
`;

describe('modules that the other side keeps', () => {
  const modulesOf = (mebibytes: number) => ({ main: { source: 'x'.repeat(mebibytes * MEBIBYTE), source_map: null } });

  it('have a size together, and those that ran longest ago are forgotten', () => {
    const known = new SentCodeTracker();
    expect(known.recordSent('a', modulesOf(10))).toEqual({ isKnown: false, forget: [] });
    expect(known.recordSent('b', modulesOf(10))).toEqual({ isKnown: false, forget: [] });
    expect(known.recordSent('a', modulesOf(10))).toEqual({ isKnown: true, forget: [] });
    expect(known.recordSent('c', modulesOf(10))).toEqual({ isKnown: false, forget: ['b'] });
    expect(known.recordSent('d', modulesOf(24))).toEqual({ isKnown: false, forget: ['a', 'c'] });
    for (let at = 0; at < 63; at++) known.recordSent(`${at}`, modulesOf(0));
    expect(known.recordSent('last', modulesOf(0))).toEqual({ isKnown: false, forget: ['d'] });
  });
});

describe('a process with one thread', () => {
  const open: SandboxSupervisor[] = [];
  afterEach(() => open.splice(0).forEach((sandboxes) => sandboxes.stop()));

  /** Runs modules. The test answers the calls of their context. */
  async function start(megabytes: number) {
    const logger = { warn: () => undefined, info: () => undefined, error: () => undefined };
    const sandboxes = new SandboxSupervisor('auto', { lanes: 1, megabytes }, true, logger as never);
    open.push(sandboxes);
    const sandbox = await sandboxes.getProcess();
    const run = async (
      source: string,
      onCall: (call: ContextCall) => Promise<Answer> = () => Promise.resolve({ ok: true, text: 'null' }),
      { app = source, event = 'null', signal = new AbortController().signal } = {},
    ): Promise<unknown> => {
      const code = { code: source, modules: { main: { source, source_map: null } }, module: 'main', entry: 'f' };
      const world = { unavailable: [], lazyEvent: [], known: '{"app":null,"user":null}', cpuMs: 5_000 };
      const [data] = JSON.parse(
        await sandbox.runHandler({ app, ...code, ...world, event, signal, onCall }),
      ) as unknown[];
      return data;
    };
    return { run, pid: sandbox.pid, pidNow: async () => (await sandboxes.getProcess()).pid };
  }

  it('reads only so much of answers later, and fails the calls of the others', async () => {
    const { run, pid, pidNow } = await start(256);
    const text = JSON.stringify(`€${'x'.repeat(2 * MEBIBYTE - 5)}`);
    let answered = 0;
    let allAnswered = (): void => undefined;
    const all = new Promise<void>((resolve) => (allAnswered = resolve));
    const codes = await run(
      `export async function f(event, ctx) {
        const all = [];
        for (let i = 0; i < 40; i++) all.push(ctx.cache.get('k' + i).then(() => 'had', ({ code }) => code));
        ctx.time;
        return Promise.all(all);
      }`,
      async ({ path }) => {
        if (path === 'time') {
          await all;
          return { ok: true, text: '{"timezone":"UTC","utc_offset":"+00:00"}' };
        }
        if (++answered === 40) setImmediate(allAnswered);
        return { ok: true, text };
      },
    );
    expect(new Set(codes as string[])).toEqual(new Set(['had', 'RUNTIME_BUSY']));
    // A thread's share is 32 MiB.
    const had = (codes as string[]).filter((code) => code === 'had').length;
    expect([15, 16]).toContain(had);
    expect(await pidNow()).toBe(pid);
  });

  it('counts what it keeps of a module beside the heap of the run', async () => {
    const { run } = await start(64);
    const large = `const kept = []; for (let i = 0; i < 26; i++) kept.push(new Uint8Array(2 ** 20).fill(i + 1)); export const f = () => kept.length`;
    await expect(run(large)).rejects.toMatchObject({ reason: 'crowded' });
    expect(await run('export const f = () => 7')).toBe(7);
  });

  it('has room for so much of the events of an app that wait or run, and for those of others', async () => {
    const { run } = await start(512);
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const event = JSON.stringify('x'.repeat(1e6));
    const source = 'export const f = async (event, ctx) => { await ctx.cache.get("k"); return event.length }';
    const onCall = async (): Promise<Answer> => {
      await held;
      return { ok: true, text: 'null' };
    };
    const first = Array.from({ length: 8 }, () => run(source, onCall, { app: 'a', event }));
    await expect(run(source, onCall, { app: 'a', event })).rejects.toMatchObject({ reason: 'busy' });
    const ofOther = run(source, onCall, { app: 'b', event });
    letGo();
    expect(await Promise.all([...first, ofOther])).toEqual(Array.from({ length: 9 }, () => 1e6));
    expect(await run(source, onCall, { app: 'a', event })).toBe(1e6);
  });

  it('starts no run whose signal is already aborted', async () => {
    const { run } = await start(64);
    const calls: string[] = [];
    const source = 'export const f = async (event, ctx) => { await ctx.cache.get("k"); return 7 }';
    const onCall = ({ path }: ContextCall): Promise<Answer> => {
      calls.push(path);
      return Promise.resolve({ ok: true, text: 'null' });
    };
    const reason = new Error('The caller is gone.');
    await expect(run(source, onCall, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(await run(source, onCall)).toBe(7);
    expect(calls).toHaveLength(1);
  });

  it('sends no ids that are long', async () => {
    const { run } = await start(256);
    const asked: (string | null)[] = [];
    const source = `export const f = async (event, ctx) => {
      const get = (length) => ctx.store.forUser('\u0001'.repeat(length)).get('notes', '1').then(() => 'had', ({ code }) => code);
      return [await get(1024), await get(1025), await get(2e6)];
    }`;
    const codes = await run(source, ({ forUser }) => {
      asked.push(forUser);
      return Promise.resolve({ ok: true, text: 'null' });
    });
    expect(codes).toEqual(['had', 'ARGUMENT_TOO_LARGE', 'ARGUMENT_TOO_LARGE']);
    expect(asked).toEqual(['\u0001'.repeat(1_024)]);
  });
});
