import { until } from '@platform/testing';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { ExtensionCache } from '../kernel/cache/extension-cache.js';
import { deployCode, runCode } from '../testing/code-apps.js';
import { HostTest } from '../testing/host.js';
import { SandboxProcess } from './host/sandbox-process.js';
import { SandboxSupervisor } from './host/sandbox-supervisor.js';

let host: HostTest;
let neighbour: () => Promise<unknown>;
beforeAll(async () => {
  host = await HostTest.start();
  const app = deployCode(
    host,
    'let runs = 0; export async function f({ n }, ctx) { runs++; return { runs, n, user: ctx.user.email, poisoned: {}.poisoned ?? null } }',
  );
  neighbour = async () => (await host.runFunction(app, { function: 'f', params: { n: 7 } })).body.data;
});
afterAll(() => host.stop());
afterEach(async () => {
  expect(await neighbour()).toEqual({ runs: 1, n: 7, user: 'usr_1@example.com', poisoned: null });
  expect(({} as Record<string, unknown>)['poisoned']).toBeUndefined();
});

const f = (body: string): string => `export async function f(event, ctx) { ${body} }`;
const run = (body: string, options?: Parameters<typeof runCode>[2]) => runCode(host, f(body), options);
/** Process with the threads. Bubblewrap adds one or two processes around it. */
const sandboxPid = async (): Promise<number> => {
  let pid = (await host.service.app.get(SandboxSupervisor).getProcess()).pid ?? 0;
  for (;;) {
    const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
    if (!child) return pid;
    pid = Number(child);
  }
};

describe('what never ends is stopped', () => {
  // Webhooks have half of the time limit.
  it.each([
    ['a loop', 'for (;;);'],
    ['a loop that catches', 'for (;;) { try { for (;;); } catch {} }'],
    ['a loop that hides in finally', 'const g = () => { try { for (;;); } finally { g() } }; g()'],
    ['a loop that waits', 'for (;;) await 0;'],
    ['a loop that waits for a loop', 'const g = async () => { for (;;) await 0 }; return g().catch(() => "goes on")'],
    ['a loop after a wait', 'await 0; for (;;);'],
    ['a regular expression', 'return /(a+)+$/.test("a".repeat(40) + "b")'],
    ['a generator', 'const g = function* () { for (;;) yield 1 }; for (const _ of g());'],
    ['a sort', 'const a = Array.from({ length: 1e5 }, (_, i) => i); for (;;) a.sort(() => Math.random() - 0.5)'],
    [
      'promises that make promises',
      'const g = () => Promise.resolve().then(g).then(g); g(); await new Promise(() => {})',
    ],
    ['a getter of what is thrown', 'throw { get message() { for (;;); } }'],
    ['a getter of the result', 'return { get a() { for (;;); } }'],
    ['toJSON of the result', 'return { toJSON() { for (;;); } }'],
    [
      'the engine itself, which cannot be interrupted',
      'return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)',
    ],
  ])('%s', async (_name, body) => {
    expect(await run(body, { webhook: true })).toMatchObject({
      status: 'error',
      error_code: expect.stringMatching(/^(CPU|MEMORY)_LIMIT$/) as string,
      retryable: false,
    });
  });

  it('a module', async () => {
    expect(await runCode(host, 'for (;;); export const f = () => 1', { webhook: true })).toMatchObject({
      error_code: 'CPU_LIMIT',
    });
  });

  it('after twice the time where the call is a function’s', async () => {
    const began = performance.now();
    expect(await run('for (;;);')).toMatchObject({
      error_code: 'CPU_LIMIT',
      error: 'The handler has computed for more than 2 s.',
    });
    expect(performance.now() - began).toBeGreaterThan(1_900);
  });

  it('a wait for what never comes, at once', async () => {
    const stalled = { status: 'error', error_code: 'HANDLER_STALLED' };
    expect(await run('await new Promise(() => {})')).toMatchObject(stalled);
    expect(await run('return { then() {} }')).toMatchObject(stalled);
    expect(
      await run('Promise.prototype.then = () => new Promise(() => {}); return ctx.config.get("a").then(() => 1)'),
    ).toMatchObject(stalled);
  });
});

describe('what takes too much memory is stopped', () => {
  // On a slow machine the CPU limit would be reached first.
  beforeEach(() => {
    const runIn = Reflect.get(SandboxProcess.prototype, 'runHandler');
    jest.spyOn(SandboxProcess.prototype, 'runHandler').mockImplementation(function (this: SandboxProcess, run) {
      return Reflect.apply(runIn, this, [{ ...run, cpuMs: 10 * run.cpuMs }]);
    });
  });
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['an array', 'const a = []; for (;;) a.push(new Array(1000).fill(1))'],
    ['buffers', 'const a = []; for (;;) a.push(new Uint8Array(2 ** 20))'],
    ['a text', 'return "x".repeat(2 ** 30 - 10)'],
    ['texts', 'const a = []; for (let i = 0; ; i++) a.push("x".repeat(1e6) + i)'],
    ['a map', 'const m = new Map(); for (let i = 0; ; i++) m.set(i, { i })'],
    ['a join', 'return new Array(2 ** 25).join("x").length'],
    [
      'closures that wait',
      'const a = []; for (;;) { a.push((async () => { await null; return new Array(1000).fill(0) })()); if (a.length % 100 === 0) await null }',
    ],
  ])('%s', async (_name, body) => {
    expect(await run(body)).toMatchObject({ status: 'error', error_code: 'MEMORY_LIMIT', retryable: false });
  });

  it('or catches it and goes on', async () => {
    expect(
      await run(
        'try { const a = []; for (;;) a.push("x".repeat(1e6) + a.length) } catch (error) { return String(error) }',
      ),
    ).toMatchObject({
      data: 'InternalError: out of memory',
    });
    expect(await run('let s = "x"; for (;;) s += s')).toMatchObject({
      error_code: 'HANDLER_FAILED',
      error: 'InternalError: string too long',
    });
  });

  it.each([
    ['recursion', 'const g = () => g() + 1; return g()'],
    ['recursion through the engine', 'const o = { toString() { return [o].join() } }; return String(o)'],
    ['brackets', 'return eval("(".repeat(1e6))'],
    ['a deep value', 'let a = []; for (let i = 0; i < 2e4; i++) a = [a]; return a'],
    ['deep proxies', 'let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); return p.x'],
  ])('%s', async (_name, body) => {
    expect(await run(body)).toMatchObject({
      status: 'error',
      error: expect.stringMatching(/stack overflow|needs more than/) as string,
    });
  });

  it('a storm of promises', async () => {
    const storm =
      'const a = []; for (let i = 0; i < 1e6; i++) a.push(new Promise(() => {}).then(() => 1)); return a.length';
    expect(await run(storm)).toMatchObject({ error_code: expect.stringMatching(/^(CPU|MEMORY)_LIMIT$/) as string });
  });
});

describe('there is nothing to reach', () => {
  it.each([
    'process',
    'require',
    'module',
    'fetch',
    'WebSocket',
    'Worker',
    'Deno',
    'std',
    'os',
    'scriptArgs',
    'print',
    '__dirname',
    'Buffer',
  ])('%s', async (name) => {
    expect(await run(`return typeof ${name}`)).toMatchObject({ data: 'undefined' });
    expect(await run(`return typeof (0, eval)("typeof ${name} === 'undefined' ? undefined : ${name}")`)).toMatchObject({
      data: 'undefined',
    });
    expect(await run(`return ctx.log.constructor.constructor("return typeof ${name}")()`)).toMatchObject({
      data: 'undefined',
    });
  });

  it.each([
    'fs',
    'node:fs',
    'std',
    'os',
    './other',
    '../main',
    '/etc/passwd',
    'platform:prelude',
    'file:///etc/passwd',
    'data:text/javascript,1',
  ])('import(%j)', async (name) => {
    const { data } = await run(
      `try { await import(${JSON.stringify(name)}); return "imported" } catch (error) { return error.message }`,
    );
    expect(data).toMatch(/^There is no module/);
  });

  it('in what is around a handler', async () => {
    const { data } = await run(`
      const seen = new Set();
      const walk = (value) => {
        if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return;
        seen.add(value);
        for (const key of Reflect.ownKeys(value)) {
          const { get, set, value: member } = Reflect.getOwnPropertyDescriptor(value, key);
          for (const one of [get, set, member]) walk(one);
        }
        walk(Reflect.getPrototypeOf(value));
      };
      walk(globalThis); walk(ctx); walk(event);
      return [...seen].filter((value) => typeof value === 'function').map(({ name }) => name).filter((name) => /^(call|callNow|done|failed|startTimer|random|fromBase64)$/.test(name));`);
    // Only `Function.prototype.call` and `Math.random`, no functions of the host.
    expect(data).toEqual(['call']);
  });

  it('for whom the code calls', async () => {
    expect(await run('return (function g() { return g.caller ?? null })()')).toMatchObject({
      error_code: 'HANDLER_FAILED',
    });
    const { data } = await run('Error.prepareStackTrace = (_, frames) => frames; return String(new Error("x").stack)');
    expect(data).not.toMatch(/node|worker|sandbox/);
  });
});

describe('what is poisoned stays in its run', () => {
  it.each([
    ['JSON', 'JSON.stringify = JSON.parse = () => { throw new Error("poisoned") }'],
    [
      'promises',
      'Promise.prototype.then = Promise.prototype.finally = function () { return this }; Promise.resolve = () => 5',
    ],
    [
      'arrays',
      'Array.prototype.push = Array.prototype.map = Array.prototype.join = () => { throw new Error("poisoned") }; Array.prototype[Symbol.iterator] = null',
    ],
    ['maps', 'Map.prototype.get = Map.prototype.set = Map.prototype.delete = () => undefined'],
    ['objects', 'Object.defineProperty = Object.keys = Object.assign = () => { throw new Error("poisoned") }'],
    ['every prototype', 'Object.prototype.poisoned = 1; ({}).__proto__.poisoned = 1; Function.prototype.call = null'],
    ['species', 'Object.defineProperty(Promise, Symbol.species, { get: () => class extends Promise {} })'],
    ['the global object', 'for (const key of Reflect.ownKeys(globalThis)) try { globalThis[key] = null } catch {}'],
  ])('%s', async (_name, body) => {
    // The handler itself can fail, because it broke its own globals.
    expect((await run(`${body}; return 1`)).status).toMatch(/^(success|error)$/);
  });

  it('also in the next run of the same app', async () => {
    const app = deployCode(
      host,
      'let n = 0; export function f() { n++; globalThis.left = (globalThis.left ?? 0) + 1; Array.prototype.left = [n]; return [n, left] }',
    );
    for (let time = 0; time < 5; time++)
      expect((await host.runFunction(app, { function: 'f' })).body.data).toEqual([1, 1]);
  });

  it('and so does what leaks', async () => {
    const app = deployCode(
      host,
      'const kept = []; export function f(event, ctx) { for (let i = 0; i < 1e4; i++) { const a = { i }; a.a = a; kept.push(a) } ctx.store.get("a", "b"); setTimeout(() => {}, 5e4); return kept.length }',
    );
    for (let time = 0; time < 30; time++)
      expect((await host.runFunction(app, { function: 'f' })).body.data).toBe(10_000);
  });
});

describe('a result is data', () => {
  it('without a way to a prototype', async () => {
    const { data } = await run(
      'return JSON.parse(\'{"__proto__":{"poisoned":1},"a":{"__proto__":{"poisoned":1},"\\\\u005f_proto__":{"poisoned":2}},"constructor":{"prototype":{"poisoned":1}}}\')',
    );
    expect(data).toEqual({ a: {}, constructor: { prototype: { poisoned: 1 } } });
    expect(Object.keys((data as { a: object }).a)).toEqual([]);
  });

  it.each([
    ['a circle', 'const a = {}; a.a = a; return a'],
    ['a bigint', 'return { n: 1n }'],
    ['a function', 'return { f: () => 1 }'],
    ['no number', 'return [0 / 0]'],
    ['a getter that throws', 'return { get a() { throw new Error("no") } }'],
    ['a proxy', 'return new Proxy({}, { ownKeys() { throw new Error("no") } })'],
    ['too much', 'return "x".repeat(256 * 1024)'],
    ['too much, in bytes', 'return "ž".repeat(200 * 1024)'],
  ])('not %s', async (_name, body) => {
    expect(await run(body)).toMatchObject({
      status: 'error',
      data: null,
      error_code: 'RESULT_INVALID',
      retryable: false,
    });
  });

  it('not nested too deep', async () => {
    expect(await run('let a = 1; for (let i = 0; i < 40; i++) a = [a]; return a')).toMatchObject({
      error_code: 'JSON_INVALID',
    });
    expect(await run('let a = 1; for (let i = 0; i < 31; i++) a = [a]; return a')).toMatchObject({ status: 'success' });
  });

  it('what is thrown too', async () => {
    const thrown = async (value: string) => {
      const { status, error_code, error } = await run(`throw ${value}`);
      expect(status).toBe('error');
      return [error_code, error];
    };
    expect(await thrown('null')).toEqual(['HANDLER_FAILED', 'null']);
    expect(await thrown('undefined')).toEqual(['HANDLER_FAILED', 'undefined']);
    expect(await thrown('Symbol("s")')).toEqual(['HANDLER_FAILED', 'Symbol(s)']);
    expect(await thrown('new Proxy({}, { get() { throw 1 } })')).toEqual([
      'HANDLER_FAILED',
      'The thrown value cannot be described.',
    ]);
    expect(await thrown('{ code: "no code", message: { toString: () => "m" } }')).toEqual(['HANDLER_FAILED', 'm']);
    expect(await thrown('{ code: "INTERNAL_" + "X".repeat(100), message: "m" }')).toEqual(['HANDLER_FAILED', 'm']);
    expect((await thrown('new Error("x".repeat(1e6))'))[1]).toHaveLength(2_000);
  });
});

describe('the context', () => {
  it('takes no arguments of another kind, and no others', async () => {
    const codes = `const code = async (work) => { try { await work(); return "" } catch (error) { return error.code } };`;
    const { data } = await run(`${codes} return [
      await code(() => ctx.store.create(5, {})),
      await code(() => ctx.store.create("a", [])),
      await code(() => ctx.store.create("a")),
      await code(() => ctx.store.query("a", "where")),
      await code(() => ctx.store.query("a", { where: 5, limit: {} })),
      await code(() => ctx.http.get({})),
      await code(() => ctx.http.post("https://example.com", { headers: 5, query: { a: null } })),
      await code(() => ctx.secrets.get({ name: "__proto__" })),
      await code(() => ctx.cache.set("k")),
      await code(() => ctx.extensions.call("a", "b", [])),
      await code(() => ctx.notify.send(null)),
      await code(() => ctx.store.create("a", { n: 0 / 0 })),
      await code(() => ctx.store.create("a", { f() {} })),
      await code(() => ctx.store.create("a", { t: "x".repeat(3e6) })),
    ]`);
    expect(data).toEqual([
      ...['ARGUMENT_INVALID', 'ARGUMENT_INVALID', 'ARGUMENT_INVALID', 'ARGUMENT_INVALID'],
      expect.stringMatching(/^(STORE_|ARGUMENT_)/),
      'ARGUMENT_INVALID',
      expect.stringMatching(/^(EGRESS_|ARGUMENT_)/),
      ...['ARGUMENT_INVALID', 'ARGUMENT_INVALID', 'ARGUMENT_INVALID', 'ARGUMENT_INVALID'],
      ...['JSON_INVALID', 'JSON_INVALID', 'ARGUMENT_TOO_LARGE'],
    ]);
  });

  it('is asked so often and no more', async () => {
    const { data } = await run(
      `const settled = await Promise.allSettled(Array.from({ length: 300 }, () => ctx.config.get("a"))); return settled.filter(({ reason }) => reason?.code === "BUDGET_EXCEEDED").length`,
    );
    expect(data).toBe(200);
    expect(await run('for (;;) await ctx.config.get("a")')).toMatchObject({ error_code: 'BUDGET_EXCEEDED' });
    expect(await run('for (let i = 0; i < 1e5; i++) { ctx.log("x"); console.log("y") } return 1')).toMatchObject({
      data: 1,
    });
    expect(await run('for (;;) setTimeout(() => {}, 1e6)')).toMatchObject({ error_code: 'BUDGET_EXCEEDED' });
  });

  it('is not there for a module that is being loaded', async () => {
    expect(await runCode(host, 'console.log("x"); setTimeout(() => {}, 1); export const f = () => 1')).toMatchObject({
      error_code: 'NOT_WHILE_LOADING',
    });
  });
});

describe('the process', () => {
  it('has nothing of the host but two pipes', async () => {
    await neighbour();
    const pid = await sandboxPid();
    const [environment, command] = ['environ', 'cmdline'].map((file) =>
      readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0'),
    );
    expect(
      environment
        ?.filter(Boolean)
        .map((entry) => entry.split('=')[0])
        // Bubblewrap sets PWD to `/`.
        .filter((name) => name !== 'PWD')
        .sort(),
    ).toEqual(['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE', 'TZ']);
    expect(command).toEqual(
      expect.arrayContaining([expect.stringMatching(/^--(experimental-)?permission$/), '--allow-worker']),
    );
    expect(command?.join(' ')).not.toMatch(/--allow-(child-process|addons|wasi|fs-write|net)/);
    const files = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
    expect(files.filter((file) => !/^(anon_inode|pipe|socket|\/dev\/(null|urandom)|\/memfd)/.test(file))).toEqual([]);
  });

  it('is in namespaces of its own where bubblewrap works', async () => {
    await neighbour();
    const pid = await sandboxPid();
    const shared = ['net', 'pid', 'mnt', 'user', 'ipc', 'uts'].filter(
      (name) => readlinkSync(`/proc/${pid}/ns/${name}`) === readlinkSync(`/proc/self/ns/${name}`),
    );
    expect(shared.length).toBe(host.service.app.get(SandboxSupervisor).inUse === 'bubblewrap' ? 0 : 6);
  });

  it('that is killed ends its runs with a clear error, and the next run finds another', async () => {
    const app = deployCode(
      host,
      'export const f = async (event, ctx) => { if (!event.wait) return 1; await ctx.cache.get("a"); return new Promise((resolve) => setTimeout(resolve, 2e4)) }',
    );
    expect((await host.runFunction(app, { function: 'f' })).body.data).toBe(1);
    const pid = await sandboxPid();
    const reads = jest.spyOn(host.service.app.get(ExtensionCache), 'getValue');
    const lost = [1, 2, 3].map(() =>
      host.runFunction(app, { function: 'f', params: { wait: true }, timeout_ms: 25_000 }),
    );
    await until(() => reads.mock.calls.length === lost.length); // all have begun
    reads.mockRestore();
    process.kill(pid, 'SIGKILL');
    for (const { body } of await Promise.all(lost))
      expect(body).toMatchObject({ error_code: 'RUNTIME_RESTARTED', retryable: true });
    expect((await host.runFunction(app, { function: 'f' })).body.data).toBe(1);
    expect(await sandboxPid()).not.toBe(pid);
  });

  it('that is frozen is killed', async () => {
    const app = deployCode(host, 'export const f = () => 1');
    await host.runFunction(app, { function: 'f' });
    process.kill(await sandboxPid(), 'SIGSTOP');
    expect((await host.runFunction(app, { function: 'f' })).body).toMatchObject({
      error_code: 'RUNTIME_RESTARTED',
      retryable: true,
    });
    expect((await host.runFunction(app, { function: 'f' })).body.data).toBe(1);
  });
});
