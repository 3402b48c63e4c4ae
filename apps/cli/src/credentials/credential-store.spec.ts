import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Interruption } from '../interruption.js';
import { resolveSettings } from '../settings.js';
import { CredentialStore } from './credential-store.js';

const TOKENS = { accessToken: 'access', refreshToken: 'refresh', expiresAt: Date.parse('2026-11-03T12:00:00Z') };

let folder: string;
let warnings: string[];

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'platform-cli-')), 'config', 'platform');
  warnings = [];
});
afterEach(() => {
  rmSync(join(folder, '..', '..'), { recursive: true, force: true });
});

const storeOf = (url = 'http://localhost:4000', profile?: string) =>
  new CredentialStore({ ...resolveSettings({ url, profile }, {}), folder }, new Interruption(), (text) =>
    warnings.push(text),
  );
const mode = (path: string) => statSync(path).mode & 0o777;

it('keeps tokens where only their owner can read them', async () => {
  const store = storeOf();
  await expect(store.load()).resolves.toBeUndefined();
  await store.save(TOKENS);
  await expect(store.load()).resolves.toEqual(TOKENS);
  expect([mode(store.path), mode(folder), warnings]).toEqual([0o600, 0o700, []]);
});

it('keeps platforms and profiles apart', async () => {
  const stores = [
    storeOf(),
    storeOf('https://localhost:4000'),
    storeOf('http://localhost:4000/a'),
    storeOf(undefined, 'work'),
  ];
  for (const [at, store] of stores.entries()) await store.save({ ...TOKENS, accessToken: String(at) });
  for (const [at, store] of stores.entries())
    await expect(store.load()).resolves.toMatchObject({ accessToken: String(at) });
});

it('closes what others could read, and says so', async () => {
  const store = storeOf();
  await store.save(TOKENS);
  chmodSync(store.path, 0o644);
  chmodSync(folder, 0o755);
  await expect(store.load()).resolves.toEqual(TOKENS);
  await store.save(TOKENS);
  expect([mode(store.path), mode(folder)]).toEqual([0o600, 0o700]);
  expect(warnings).toEqual([
    expect.stringContaining(`could read ${store.path}`),
    expect.stringContaining(`could read ${folder}`),
  ]);
});

it.each(['', '{', '[]', 'null', '{"access_token":"a","refresh_token":1}'])(
  'asks to sign in again when the file holds %j',
  async (text) => {
    const store = storeOf();
    mkdirSync(folder, { recursive: true });
    writeFileSync(store.path, text, { mode: 0o600 });
    await expect(store.load()).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining('Sign in again'),
    });
  },
);

it('removes the credentials and what killed processes left of them', async () => {
  const [store, other] = [storeOf(), storeOf('https://example.com')];
  await store.save(TOKENS);
  await other.save(TOKENS);
  writeFileSync(`${store.path}.123456`, 'half written');
  await store.remove();
  await store.remove();
  expect(readdirSync(folder).map((name) => join(folder, name))).toEqual([other.path]);
});

it('lets one at a time in, and the next one after a failure', async () => {
  const store = storeOf();
  let inside = 0;
  const enter = async () => {
    expect(++inside).toBe(1);
    await store.save(TOKENS);
    inside--;
  };
  await Promise.all([1, 2, 3].map(() => store.exclusively(enter)));
  await expect(store.exclusively(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  await expect(store.exclusively(() => Promise.resolve('done'))).resolves.toBe('done');
});
