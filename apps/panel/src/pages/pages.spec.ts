import { TEST_SERVICE_TOKEN, TestService } from '@platform/testing';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { loadConfig } from '../config.js';
import { panel } from '../service.js';
import { WebFiles } from './web-files.js';

const SCRIPT = `console.log(${JSON.stringify('x'.repeat(200))});`;
const PAGE = '<!doctype html><title>A page</title>';
const PAY_PAGE = '<!doctype html><title>Pay</title><meta name="test-payments" content="">';

let folder: string;
let service: TestService;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'panel-pages-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), PAGE);
  writeFileSync(join(folder, 'pay.html'), PAY_PAGE);
  writeFileSync(join(folder, 'assets', 'app-1234.js'), SCRIPT);
  writeFileSync(join(folder, 'assets', 'app-1234.js.br'), brotliCompressSync(SCRIPT));
  writeFileSync(join(folder, 'assets', 'app-1234.js.gz'), gzipSync(SCRIPT));
  writeFileSync(join(folder, 'assets', 'icon-1234.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  service = await TestService.start(
    (env) => panel(loadConfig(env), { web: folder, packages: resolve('dist/packages') }),
    {
      env: { GATEWAY_SERVICE_TOKEN: TEST_SERVICE_TOKEN },
    },
  );
});

afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('a page', () => {
  it.each(['/', '/login', '/device?code=BCDF-GHJK', '/some/where/else', '/verify-email'])(
    'is what answers %s',
    async (path) => {
      const { status, headers, body } = await service.client().get(path);
      expect([status, body]).toEqual([200, PAGE]);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('cache-control')).toBe('no-store');
    },
  );

  it.each(['/', '/wallet', '/pay/more'])('may load and do nothing but what is ours: %s', async (path) => {
    const { headers } = await service.client().get(path);
    expect(policyOf(headers)).toEqual({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self'",
      'connect-src': "'self'",
      'img-src': "'self' data:",
      'font-src': "'self'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
      'require-trusted-types-for': "'script'",
      'trusted-types': "'none'",
    });
    expect(Object.fromEntries(headers)).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
  });
});

describe('the page to pay', () => {
  it.each(['/pay', '/pay/', '/pay?payment_intent=pi_1'])(
    'is what answers %s, and says where test payments are',
    async (path) => {
      const { status, headers, body } = await service.client().get(path);
      expect([status, body]).toEqual([200, PAY_PAGE.replace('content=""', 'content="http://localhost:4042"')]);
      expect(headers.get('cache-control')).toBe('no-store');
    },
  );

  it('lets Stripe load and ask what it needs, and nothing call the panel', async () => {
    const { headers } = await service.client().get('/pay');
    expect(policyOf(headers)).toEqual({
      'default-src': "'none'",
      'script-src': "'self' https://js.stripe.com https://*.js.stripe.com",
      'style-src': "'self'",
      'connect-src': 'https://api.stripe.com',
      'frame-src': 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
      'img-src': "'self' data:",
      'font-src': "'self'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
    });
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups');
    expect((await service.client().get('/wallet')).headers.get('cross-origin-opener-policy')).toBe('same-origin');
  });
});

describe('a file', () => {
  it('is kept by browsers for good, since its name changes with it', async () => {
    const { status, headers, body } = await service.client().get('/assets/app-1234.js');
    expect([status, body]).toEqual([200, SCRIPT]);
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it.each([
    ['br', 'gzip, deflate, br'],
    ['gzip', 'gzip'],
    [null, 'identity'],
    ['gzip', 'br;q=0, gzip;q=0.5'],
  ])('comes as %s to who takes %s', async (encoding, accepted) => {
    const { headers, body } = await service
      .client()
      .get('/assets/app-1234.js', { headers: { 'Accept-Encoding': accepted } });
    expect([headers.get('content-encoding'), headers.get('vary'), body]).toEqual([encoding, 'Accept-Encoding', SCRIPT]);
  });

  it('comes plain where there is nothing else', async () => {
    const { headers } = await service.client().get('/assets/icon-1234.svg', { headers: { 'Accept-Encoding': 'br' } });
    expect([headers.get('content-encoding'), headers.get('content-type')]).toEqual([null, 'image/svg+xml']);
  });

  it.each([
    '/assets/app-0000.js',
    '/assets/app-1234.js.br',
    '/favicon.ico',
    '/index.html',
    '/pay.html',
    '/.env',
    '/../outside.txt',
    '/%2e%2e/outside.txt',
    '/assets/..%2f..%2foutside.txt',
    '/assets/%2e%2e%2f%2e%2e%2foutside.txt',
  ])('that is not there is no page: %s', async (path) => {
    const answer = await raw(path);
    expect(answer).toEqual({ status: 404, body: expect.stringContaining('"code":"not_found"') });
  });
});

it('says in plain words that the front end is not built', () => {
  const empty = mkdtempSync(join(tmpdir(), 'panel-empty-'));
  expect(() => new WebFiles(empty)).toThrow(`No front end found in ${empty}. Build it with: npm run build`);
  rmSync(empty, { recursive: true });
});

it('takes nothing but reading', async () => {
  const { status, headers } = await service.client().post('/login', {});
  expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

it('is alive and ready', async () => {
  expect((await service.client().get('/healthz')).status).toBe(200);
  expect(await service.client().get('/readyz')).toMatchObject({ status: 200, body: { checks: { database: 'ok' } } });
});

it('has no API to describe', async () => {
  expect((await service.client().get('/v1/openapi.json')).status).toBe(404);
});

const policyOf = (headers: Headers) =>
  Object.fromEntries(
    (headers.get('content-security-policy') ?? '').split('; ').map((directive) => directive.split(/ (.*)/).slice(0, 2)),
  ) as object;

/** Does not use `fetch`, which would resolve the dots. */
function raw(path: string): Promise<{ status: number | undefined; body: string }> {
  const { port } = new URL(service.url);
  return new Promise((done, failed) => {
    request({ host: '127.0.0.1', port, path }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () => done({ status: response.statusCode, body }));
    })
      .once('error', failed)
      .end();
  });
}
