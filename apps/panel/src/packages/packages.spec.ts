import { TEST_SERVICE_TOKEN, TestService } from '@platform/testing';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../config.js';
import { panel } from '../service.js';
import { ServedPackages } from './served-packages.js';

const BYTES = Buffer.from('what npm would unpack');
const INTEGRITY = `sha512-${createHash('sha512').update(BYTES).digest('base64')}`;
const MANIFEST = { name: '@platform/extension-sdk', version: '0.1.0', dependencies: { typebox: '^1.0.0' } };
/** Larger than the socket buffers of both sides. */
const LARGE = Buffer.alloc(16 * 1024 * 1024);
const URL_OF = 'https://panel.example.com/packages/extension-sdk-0.1.0.tgz';

let folder: string;
let service: TestService;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'panel-packages-'));
  const built = {
    key: 'extension-sdk',
    file: 'extension-sdk-0.1.0.tgz',
    size: BYTES.length,
    integrity: INTEGRITY,
    manifest: MANIFEST,
  };
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  writeFileSync(join(folder, 'pay.html'), '<!doctype html>');
  const large = {
    key: 'large',
    file: 'large-0.1.0.tgz',
    size: LARGE.length,
    integrity: 'sha512-x',
    manifest: { name: 'large', version: '0.1.0' },
  };
  writeFileSync(join(folder, 'index.json'), JSON.stringify([built, large]));
  writeFileSync(join(folder, large.file), LARGE);
  writeFileSync(join(folder, built.file), BYTES);
  writeFileSync(join(folder, 'secret.tgz'), 'not listed');
  service = await TestService.start((env) => panel(loadConfig(env), { web: folder, packages: folder }), {
    env: { GATEWAY_SERVICE_TOKEN: TEST_SERVICE_TOKEN, PUBLIC_URL: 'https://panel.example.com' },
  });
});

afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}/packages/${path}`, { headers });

it('lists the packages with where they are, their versions and their integrity', async () => {
  const answer = await get('index.json');
  expect(answer.headers.get('cache-control')).toBe('public, no-cache');
  expect(await answer.json()).toEqual({
    packages: {
      'extension-sdk': { name: MANIFEST.name, version: '0.1.0', url: URL_OF, size: BYTES.length, integrity: INTEGRITY },
      large: expect.anything(),
    },
  });
});

it('gives a package, and says to who has it that it is the same', async () => {
  const answer = await get('extension-sdk-0.1.0.tgz');
  expect(answer.headers.get('content-type')).toBe('application/gzip');
  expect(answer.headers.get('cache-control')).toBe('public, no-cache');
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(BYTES);
  const again = await get('extension-sdk-0.1.0.tgz', { 'If-None-Match': answer.headers.get('etag') ?? '' });
  expect([again.status, await again.text()]).toEqual([304, '']);
  const head = await fetch(`${service.url}/packages/extension-sdk-0.1.0.tgz`, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, String(BYTES.length), '']);
});

it.each(['@platform/extension-sdk', '@platform%2fextension-sdk', '@platform%2Fextension-sdk'])(
  'describes a package to npm, which asks for %s',
  async (name) => {
    expect(await (await get(name)).json()).toEqual({
      name: MANIFEST.name,
      'dist-tags': { latest: '0.1.0' },
      versions: { '0.1.0': { ...MANIFEST, dist: { tarball: URL_OF, integrity: INTEGRITY } } },
    });
  },
);

it.each([
  'extension-sdk-0.2.0.tgz',
  'secret.tgz',
  'index.html',
  '..%2findex.html',
  '%2e%2e%2fsecret.tgz',
  '@platform/other',
  '@platform/extension-sdk/0.1.0',
  '__proto__',
  'constructor',
])('has nothing else, such as %s, and never a page in its place', async (path) => {
  const answer = await get(path);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
});

describe('downloads that nobody reads on', () => {
  const open = new Set<IncomingMessage>();
  afterEach(() => {
    for (const answer of open) answer.destroy();
    open.clear();
  });

  /** Requests a package from this address, and reads only the head of the answer. */
  async function begun(from: string): Promise<IncomingMessage> {
    const asked = request(`${service.url}/packages/large-0.1.0.tgz`, {
      agent: false,
      headers: { 'X-Forwarded-For': from },
    }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    open.add(answer.on('error', () => undefined));
    return answer;
  }

  async function bytesOf(answer: IncomingMessage): Promise<number> {
    let bytes = 0;
    answer.on('data', (piece: Buffer) => (bytes += piece.length));
    await new Promise((done) => answer.once('close', done)); // also if the connection is lost
    return bytes;
  }

  it('keep the packages from nobody else, however many there are', async () => {
    for (let sender = 1; sender <= 4; sender++) for (let at = 0; at < 4; at++) await begun(`203.0.113.${sender}`);
    expect(await bytesOf(await begun('198.51.100.1'))).toBe(LARGE.length);
  });

  it('are so much of one sender and no more, and come whole when they are read after all', async () => {
    const slow: IncomingMessage[] = [];
    for (let at = 0; at < 4; at++) slow.push(await begun('203.0.113.9'));
    const refused = await begun('203.0.113.9').then(bytesOf, () => 0);
    expect(refused).toBeLessThan(LARGE.length);
    for (const answer of slow) expect(await bytesOf(answer)).toBe(LARGE.length);
    expect(await bytesOf(await begun('203.0.113.9'))).toBe(LARGE.length);
  });
});

it('is not served without having been built', () => {
  const empty = mkdtempSync(join(tmpdir(), 'panel-packages-'));
  expect(() => new ServedPackages(empty, 'https://panel.example.com')).toThrow('npm run build');
  rmSync(empty, { recursive: true });
});
