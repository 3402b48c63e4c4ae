import type { CallResponse } from '@platform/contracts';
import { readFileSync } from 'node:fs';
import { ExtensionCache } from '../kernel/cache/extension-cache.js';
import { deployCode } from '../testing/code-apps.js';
import { HostTest } from '../testing/host.js';
import { loadConfig } from '../config.js';
import { processMegabytes } from './host/sandbox-command.js';
import { SharedBudget } from './thread/shared-budget.js';
import { SandboxSupervisor } from './host/sandbox-supervisor.js';

const MEGABYTES = 512;

describe('all heaps together', () => {
  const threads = (most: number) => {
    const shared = new SharedArrayBuffer(4);
    return () => new SharedBudget(shared, new SharedArrayBuffer(4), most);
  };

  it('have a limit, which leaves room for new ones beside those that grow', () => {
    const heaps = threads(100)();
    expect(heaps.reserve(70, false)).toBe(true);
    expect(heaps.reserve(6, false)).toBe(false);
    expect(heaps.reserve(30, true)).toBe(true);
    expect(heaps.reserve(1, true)).toBe(false);
    heaps.release(30);
    expect(heaps.reserve(30, true)).toBe(true);
  });

  it('are counted over threads, and what a thread had comes back when it is gone', () => {
    const open = threads(100);
    const [one, other] = [open(), open()];
    expect([one.reserve(50, true), other.reserve(50, true), other.reserve(1, true)]).toEqual([true, true, false]);
    one.releaseAll();
    expect(other.reserve(50, true)).toBe(true);
    expect(other.reserve(1, true)).toBe(false);
  });
});

/** Starts a host with an app. Its calls must succeed whatever other apps do. */
async function hostWith(megabytes: number) {
  const host = await HostTest.start({ CODE_MEMORY_MB: String(megabytes), CODE_THREADS: '4' });
  const app = deployCode(
    host,
    'export const f = async ({ n }, ctx) => { const own = new Uint8Array(3e6).fill(n); await ctx.cache.set("n", n); return own[0] }',
  );
  const neighbour = async (): Promise<unknown> => {
    const { data, error_code } = (await host.runFunction(app, { function: 'f', params: { n: 7 }, timeout_ms: 25_000 }))
      .body;
    return data ?? error_code;
  };
  const expectNeighbourGoesOn = async (): Promise<void> => {
    const seen: unknown[] = [];
    for (let at = 0; at < 10; at++) seen.push(await neighbour());
    const answered = seen.filter((answer) => answer !== 'TIMEOUT');
    expect(new Set(answered)).toEqual(new Set([7]));
    // On a busy machine some calls can exceed their time limit.
    expect(answered.length).toBeGreaterThanOrEqual(8);
  };
  const pidOf = async (): Promise<number> => (await host.service.app.get(SandboxSupervisor).getProcess()).pid ?? 0;
  return { host, neighbour, expectNeighbourGoesOn, pidOf };
}

type HostWithNeighbour = Awaited<ReturnType<typeof hostWith>>;

describe('apps that each stay below their own limit', () => {
  let { host, neighbour, expectNeighbourGoesOn, pidOf } = {} as HostWithNeighbour;
  beforeAll(async () => ({ host, neighbour, expectNeighbourGoesOn, pidOf } = await hostWith(MEGABYTES)));
  afterAll(() => host.stop());

  /** Resolves when a run fails with this code. Other runs keep their memory meanwhile. */
  const firstWith = (code: string, running: Promise<CallResponse>[]) =>
    Promise.any(
      running.map(async (run) =>
        (await run).error_code === code ? code : Promise.reject(new Error('another outcome')),
      ),
    );
  const HOLD = 'await ctx.cache.get("held"); return kept.length';

  it.each([
    ['typed arrays', 'for (let i = 0; i < 26; i++) kept.push(new Uint8Array(2 ** 20).fill(i))'],
    ['texts', 'for (let i = 0; i < 26; i++) kept.push("x".repeat(2 ** 20) + i)'],
    ['lists', 'for (let i = 0; i < 26; i++) kept.push(new Array(2 ** 16).fill(i))'],
    [
      'promises',
      'for (let i = 0; i < 4e3; i++) { const text = "x".repeat(6500) + i; const base = new Promise(() => {}); base.then(() => text); kept.push(base) }',
    ],
    [
      'one buffer that grows',
      'let b = new ArrayBuffer(2 ** 20); for (let i = 2; i < 14; i++) { const next = new ArrayBuffer(i * 2 ** 20); new Uint8Array(next).set(new Uint8Array(b)); b = next } kept.push(b)',
    ],
  ])(
    'and keep %s all at once get no more than there is, and keep it from nobody else',
    async (_what, body) => {
      await neighbour();
      const pid = await pidOf();
      const source = `export async function f(event, ctx) { const kept = []; ${body}; ${HOLD} }`;
      // Most keep 26 MiB. Growing heaps can use three quarters of 512 MiB: enough for fourteen.
      const apps = Array.from({ length: 18 }, (_, at) => deployCode(host, `${source} // ${at}`));
      let letGo = (): void => undefined;
      const held = new Promise<undefined>((resolve) => (letGo = () => resolve(undefined)));
      const reads = jest.spyOn(host.service.app.get(ExtensionCache), 'getValue').mockReturnValue(held);
      const running = apps.map(
        async (app) => (await host.runFunction(app, { function: 'f', timeout_ms: 25_000 })).body,
      );
      await firstWith('OUT_OF_MEMORY', running);
      await expectNeighbourGoesOn();
      letGo();
      const results = await Promise.all(running);
      reads.mockRestore();
      const refused = results.filter(({ status }) => status === 'error');
      for (const { error_code } of refused)
        expect(error_code).toMatch(/^(OUT_OF_MEMORY|RUNTIME_BUSY|CPU_LIMIT|TIMEOUT)$/);
      expect(refused.map(({ error_code }) => error_code)).toContain('OUT_OF_MEMORY');
      expect(await pidOf()).toBe(pid);
      expect(await neighbour()).toBe(7);
    },
    90_000,
  );

  it('in a process that the system holds to a limit too', async () => {
    await neighbour();
    const limits = readFileSync(`/proc/${await pidOf()}/limits`, 'utf8');
    expect(/^Max data size +(\d+)/m.exec(limits)?.[1]).toBe(
      String(processMegabytes({ lanes: 4, megabytes: MEGABYTES }) * 1024 * 1024),
    );
  });
});

describe('apps that send much at once', () => {
  let { host, neighbour, expectNeighbourGoesOn, pidOf } = {} as HostWithNeighbour;
  beforeAll(async () => ({ host, neighbour, expectNeighbourGoesOn, pidOf } = await hostWith(2_048)));
  afterAll(() => host.stop());

  it('do not fill the memory beside the heaps with texts that nobody counts', async () => {
    await neighbour();
    const pid = await pidOf();
    const source = `export async function f(event, ctx) {
      const [id, all] = ['x'.repeat(8e6), []];
      for (let i = 0; i < 60; i++) all.push(ctx.store.forUser(id).get('k', '1').catch(({ code }) => code));
      return [...new Set(await Promise.all(all))];
    }`;
    const apps = Array.from({ length: 4 }, (_, at) => deployCode(host, `${source} // ${at}`));
    const running = apps.flatMap((app) =>
      Array.from({ length: 4 }, () => host.runFunction(app, { function: 'f', user: null, timeout_ms: 25_000 })),
    );
    await expectNeighbourGoesOn();
    const answers = (await Promise.all(running)).map(({ body }) => body.data ?? body.error_code);
    expect(new Set(answers.flat())).toEqual(new Set(['ARGUMENT_TOO_LARGE']));
    expect(await pidOf()).toBe(pid);
    expect(await neighbour()).toBe(7);
  }, 90_000);

  it('are told when a run sends more than it may wait for', async () => {
    const source = `export async function f(event, ctx) {
      const [text, all] = ['é'.repeat(1e6 - 10), []];
      for (let i = 0; i < 8; i++) all.push(ctx.cache.set('k' + i, text).catch(({ code }) => code));
      return Promise.all(all);
    }`;
    const { data, error_code } = (
      await host.runFunction(deployCode(host, source), { function: 'f', timeout_ms: 25_000 })
    ).body;
    expect(error_code).toBeNull();
    expect((data as string[]).filter((code) => code === 'BUDGET_EXCEEDED')).toHaveLength(6);
  });
});

describe('in production', () => {
  const env = {
    NODE_ENV: 'production',
    DATABASE_URL: 'postgres://unused',
    SECRET_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
    SERVICE_TOKENS: 'gateway:test-service-token-0123456789',
    AUTH_GATEWAY_URL: 'http://gateway',
    AUTH_GATEWAY_SERVICE_TOKEN: 'test-service-token-0123456789',
    PANEL_URL: 'http://panel',
  };
  const { PATH } = process.env;
  afterEach(() => (process.env['PATH'] = PATH));

  it('the host does not start without bubblewrap, unless the operator says so by name', () => {
    process.env['PATH'] = '/nowhere';
    expect(() => loadConfig(env)).toThrow(/CODE_SANDBOX.*bubblewrap/);
    expect(() => loadConfig({ ...env, CODE_SANDBOX: 'auto' })).toThrow(/CODE_SANDBOX/);
    for (const NODE_ENV of ['production', 'development', 'test']) {
      expect(() => loadConfig({ ...env, NODE_ENV, CODE_SANDBOX: 'bubblewrap' })).toThrow(/CODE_SANDBOX.*bubblewrap/);
    }
    expect(loadConfig({ ...env, CODE_SANDBOX: 'permission' }).CODE_SANDBOX).toBe('permission');
    expect(loadConfig({ ...env, NODE_ENV: 'development' }).CODE_SANDBOX).toBe('auto');
  });

  it('no handler runs where bubblewrap is there and does not work', async () => {
    const logger = { warn: () => undefined, info: () => undefined, error: () => undefined };
    const sandboxes = new SandboxSupervisor('auto', { lanes: 2, megabytes: 256 }, false, logger as never);
    process.env['PATH'] = '/nowhere';
    await expect(sandboxes.getProcess()).rejects.toThrow(/bubblewrap/);
    expect(sandboxes.inUse).toBeNull();
    sandboxes.stop();
  });
});
