import type { CallResponse } from '@platform/contracts';
import { readFileSync } from 'node:fs';
import { deployCode } from '../testing/code-apps.js';
import { HostTest } from '../testing/host.js';
import { loadConfig } from '../config.js';
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
    const app = deployCode(host, 'export const f = ({ n }) => n');
    neighbour = async () => {
      const { data, error_code } = (await host.run(app, { function: 'f', params: { n: 7 } })).body;
      return data ?? error_code;
    };
  });
  afterAll(() => host.stop());

  const pidOf = async () => (await host.service.app.get(Sandboxes).current()).pid ?? 0;
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
    const running = apps.map((app) => host.run(app, { function: 'f' }));
    const seen: unknown[] = [];
    for (let at = 0; at < 10; at++) seen.push(await neighbour());
    const results = (await Promise.all(running)).map(({ body: answer }): CallResponse => answer);
    // A machine that other work keeps busy may let its time run out; memory never lacks.
    expect(new Set(seen.filter((answer) => answer !== 'TIMEOUT'))).toEqual(new Set([7]));
    const refused = results.filter(({ status }) => status === 'error');
    for (const { error_code } of refused) expect(error_code).toMatch(/^(OUT_OF_MEMORY|RUNTIME_BUSY|CPU_LIMIT|TIMEOUT)$/);
    expect(refused.map(({ error_code }) => error_code)).toContain('OUT_OF_MEMORY');
    expect(await pidOf()).toBe(pid);
    expect(await neighbour()).toBe(7);
  });

  it('in a process that the system holds to a limit too', async () => {
    await neighbour();
    const limits = readFileSync(`/proc/${await pidOf()}/limits`, 'utf8');
    expect(/^Max data size +(\d+)/m.exec(limits)?.[1]).toBe(String((MEGABYTES + 1_024) * 1024 * 1024));
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
