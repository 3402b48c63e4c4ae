import type { CallResponse } from '@platform/contracts';
import { readFileSync } from 'node:fs';
import { deployCode } from '../testing/code-apps.js';
import { HostTest, userNamed } from '../testing/host.js';
import { loadConfig } from '../config.js';
import { processMegabytes } from './sandbox-command.js';
import { Heaps } from './sandbox/heaps.js';
import { Sandboxes } from './sandboxes.js';

const MEGABYTES = 512;

describe('all heaps together', () => {
  const threads = (most: number) => {
    const shared = new SharedArrayBuffer(4);
    return () => new Heaps(shared, new SharedArrayBuffer(4), most);
  };

  it('have a limit, which leaves room for new ones beside those that grow', () => {
    const heaps = threads(100)();
    expect(heaps.take(70, false)).toBe(true);
    expect(heaps.take(6, false)).toBe(false);
    expect(heaps.take(30, true)).toBe(true);
    expect(heaps.take(1, true)).toBe(false);
    heaps.giveBack(30);
    expect(heaps.take(30, true)).toBe(true);
  });

  it('are counted over threads, and what a thread had comes back when it is gone', () => {
    const open = threads(100);
    const [one, other] = [open(), open()];
    expect([one.take(50, true), other.take(50, true), other.take(1, true)]).toEqual([true, true, false]);
    one.close();
    expect(other.take(50, true)).toBe(true);
    expect(other.take(1, true)).toBe(false);
  });
});

describe('apps that each stay below their own limit', () => {
  let host: HostTest;
  let neighbour: () => Promise<unknown>;
  beforeAll(async () => {
    host = await HostTest.start({ CODE_MEMORY_MB: String(MEGABYTES), CODE_THREADS: '4' });
    const app = deployCode(host, 'export const f = async ({ n }, ctx) => { await ctx.cache.set("n", n); return n }');
    neighbour = async () => {
      const { data, error_code } = (await host.run(app, { function: 'f', params: { n: 7 } })).body;
      return data ?? error_code;
    };
  });
  afterAll(() => host.stop());

  const pidOf = async () => (await host.service.app.get(Sandboxes).current()).pid ?? 0;
  /** Once there is no more memory; what was got is held meanwhile. */
  const firstWith = (code: string, running: Promise<CallResponse>[]) =>
    Promise.any(running.map(async (run) => ((await run).error_code === code ? code : Promise.reject(new Error('another outcome')))));
  const expectNeighbourGoesOn = async () => {
    const seen: unknown[] = [];
    for (let at = 0; at < 10; at++) seen.push(await neighbour());
    const answered = seen.filter((answer) => answer !== 'TIMEOUT');
    expect(new Set(answered)).toEqual(new Set([7]));
    // A machine that other work keeps busy may let the time of some run out.
    expect(answered.length).toBeGreaterThanOrEqual(8);
  };
  const HOLD = 'await new Promise((resolve) => setTimeout(resolve, 4e3)); return kept.length';

  it.each([
    ['typed arrays', 'for (let i = 0; i < 26; i++) kept.push(new Uint8Array(2 ** 20).fill(i))'],
    ['texts', 'for (let i = 0; i < 26; i++) kept.push("x".repeat(2 ** 20) + i)'],
    ['lists', 'for (let i = 0; i < 26; i++) kept.push(new Array(2 ** 16).fill(i))'],
    ['promises', 'for (let i = 0; i < 24 * 4e3; i++) kept.push(new Promise(() => {}).then(() => i))'],
    [
      'one buffer that grows',
      'let b = new ArrayBuffer(2 ** 20); for (let i = 2; i < 14; i++) { const next = new ArrayBuffer(i * 2 ** 20); new Uint8Array(next).set(new Uint8Array(b)); b = next } kept.push(b)',
    ],
  ])('and keep %s all at once get no more than there is, and keep it from nobody else', async (_what, body) => {
    await neighbour();
    const pid = await pidOf();
    const source = `export async function f() { const kept = []; ${body}; ${HOLD} }`;
    const apps = Array.from({ length: 12 }, (_, at) => deployCode(host, `${source} // ${at}`));
    const running = apps.map(async (app) => (await host.run(app, { function: 'f' })).body);
    await firstWith('OUT_OF_MEMORY', running);
    await expectNeighbourGoesOn();
    const results = await Promise.all(running);
    const refused = results.filter(({ status }) => status === 'error');
    for (const { error_code } of refused) expect(error_code).toMatch(/^(OUT_OF_MEMORY|RUNTIME_BUSY|CPU_LIMIT|TIMEOUT)$/);
    expect(refused.map(({ error_code }) => error_code)).toContain('OUT_OF_MEMORY');
    expect(await pidOf()).toBe(pid);
    expect(await neighbour()).toBe(7);
  });

  const MANY = 'const all = []; for (let i = 0; i < 8; i++)';
  it.each([
    [
      'arguments',
      userNamed('usr_1'),
      `const t = "é".repeat(1e6 - 10); ${MANY} all.push(ctx.cache.set("k" + i, t).catch(({ code }) => code))`,
    ],
    ['ids', null, `const t = "x".repeat(8e6); ${MANY} all.push(ctx.store.forUser(t).get("k", "1").catch(({ code }) => code))`],
  ])(
    'and send %s all at once do not fill the memory beside the heaps',
    async (_what, user, body) => {
      await neighbour();
      const pid = await pidOf();
      const source = `export async function f(event, ctx) { ${body}; return [...new Set(await Promise.all(all))] }`;
      const apps = Array.from({ length: 4 }, (_, at) => deployCode(host, `${source} // ${at}`));
      const running = apps.flatMap((app) => Array.from({ length: 16 }, () => host.run(app, { function: 'f', user, timeout_ms: 25_000 })));
      await expectNeighbourGoesOn();
      const codes = (await Promise.all(running)).flatMap(({ body: answer }) => answer.error_code ?? []);
      expect(codes).not.toContain('RUNTIME_RESTARTED');
      expect(await pidOf()).toBe(pid);
      expect(await neighbour()).toBe(7);
    },
    90_000,
  );

  it('and wait for more than a run may send at once are told so', async () => {
    const source = `export async function f(event, ctx) { const t = "é".repeat(1e6 - 10); ${MANY} all.push(ctx.cache.set("k" + i, t).then(() => "", ({ code }) => code)); return Promise.all(all) }`;
    const { data } = (await host.run(deployCode(host, source), { function: 'f' })).body;
    expect((data as string[]).filter((code) => code === 'BUDGET_EXCEEDED')).toHaveLength(6);
  });

  it('in a process that the system holds to a limit too', async () => {
    await neighbour();
    const limits = readFileSync(`/proc/${await pidOf()}/limits`, 'utf8');
    expect(/^Max data size +(\d+)/m.exec(limits)?.[1]).toBe(String(processMegabytes({ lanes: 4, megabytes: MEGABYTES }) * 1024 * 1024));
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
    const sandboxes = new Sandboxes('auto', { lanes: 2, megabytes: 256 }, false, logger as never);
    process.env['PATH'] = '/nowhere';
    await expect(sandboxes.current()).rejects.toThrow(/bubblewrap/);
    expect(sandboxes.inUse).toBeNull();
    sandboxes.stop();
  });
});
