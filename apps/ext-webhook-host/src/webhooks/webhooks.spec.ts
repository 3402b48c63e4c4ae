import { ExtensionError } from '@platform/extension-sdk/runtime';
import { SERVICE_HEADERS, sha256 } from '@platform/platform';
import { sendRawRequest, TestService, until } from '@platform/testing';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { CodeErrors } from '../code/host/code.errors.js';
import { loadConfig } from '../config.js';
import { extWebhookHost } from '../service.js';
import { TestApps } from '../testing/test-apps.js';
import type { WebhookRequest as WebhookEvent } from '@platform/extension-sdk';

let service: TestService;
let apps: TestApps;
beforeAll(async () => {
  service = await TestService.start((env) => extWebhookHost(loadConfig(env)));
  apps = new TestApps(service);
  apps.deploy('app', [
    { path: 'hash', handler: (_event, { body }) => ({ body: sha256(body).toString('hex') }) },
    { path: 'event', handler: (event) => ({ body: { ...event } as never }) },
    { path: 'a', handler: () => 'a' },
    { path: 'a/b', handler: () => 'a/b' },
    {
      path: 'get',
      method: 'GET',
      handler: ({ method, query_params }) => ({ headers: { 'X-Method': method }, body: query_params['challenge'] }),
    },
    { path: 'put', method: 'PUT', handler: () => 'put' },
    { path: 'patch', method: 'PATCH', handler: () => 'patch' },
    { path: 'check', method: ['HEAD', 'POST'], handler: ({ method }) => ({ headers: { 'X-Method': method } }) },
    {
      path: 'events',
      method: ['OPTIONS', 'POST'],
      handler: ({ headers }) => ({
        headers: { 'WebHook-Allowed-Origin': headers['webhook-request-origin'], Allow: 'POST' },
      }),
    },
  ]);
});
afterAll(() => service.stop());

const at = (path: string, app = 'app') => `/v1/ext/${app}/webhook/${path}`;
const hashOf = (body: Uint8Array | string) => sha256(Buffer.from(body)).toString('hex');

/** Sends exact bytes. Returns the received text. */
async function overSocket(text: string | Buffer): Promise<string> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.write(text);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

describe('the body of a request', () => {
  it.each<[string, Uint8Array | string, string?]>([
    ['line ends', 'a\r\nb\nc\r'],
    ['a byte order mark', '\ufeff{}'],
    ['NUL', 'a\0b'],
    ['a lone surrogate', Buffer.from([0xed, 0xa0, 0x80])],
    ['0xFF', Buffer.from([0xff, 0xfe, 0x00, 0x80])],
    ['malformed JSON', '{"a":'],
    ['JSON that leads to a prototype', '{"__proto__":{"a":1}}'],
    ['a form', 'a=1&b=%zz&a=2', 'application/x-www-form-urlencoded'],
    [
      'multipart',
      '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n',
      'multipart/form-data; boundary=x',
    ],
    ['no type that there is', 'a', 'x'],
  ])('reaches the handler to the byte: %s', async (_what, raw, type = 'application/json') => {
    const { status, body } = await service
      .client()
      .post(at('hash'), undefined, { raw, headers: { 'Content-Type': type } });
    expect({ status, body }).toEqual({ status: 200, body: hashOf(raw) });
  });

  it('stays compressed, may be empty, and may come in chunks', async () => {
    const raw = gzipSync('text');
    const compressed = await service
      .client()
      .post(at('hash'), undefined, { raw, headers: { 'Content-Encoding': 'gzip' } });
    expect(compressed.body).toBe(hashOf(raw));
    expect((await service.client().post(at('hash'))).body).toBe(hashOf(''));
    const head = `POST ${at('hash')} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
    expect(await overSocket(`${head}1\r\na\r\n2\r\nbc\r\n0\r\n\r\n`)).toContain(hashOf('abc'));
  });

  it('may come in thousands of pieces of one byte, and not in more than anybody sends', async () => {
    const pieces = (count: number) => '1\r\nx\r\n'.repeat(count);
    const head = (more = '') => `POST ${at('hash')} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n${more}\r\n`;
    expect(await overSocket(`${head('Connection: close\r\n')}${pieces(4_000)}0\r\n\r\n`)).toContain(
      hashOf('x'.repeat(4_000)),
    );
    expect(await overSocket(`${head()}${pieces(6_000)}`)).toMatch(
      /^HTTP\/1\.1 400 Bad Request\r\nConnection: close\r\n/,
    );
    expect((await service.client().post(at('hash'))).body).toBe(hashOf(''));
  });

  it('may have 10 MiB and not one byte more, also where nobody says how long it is', async () => {
    const raw = randomBytes(10 * 1024 * 1024 + 1);
    const allowed = raw.subarray(0, -1);
    expect((await service.client().post(at('hash'), undefined, { raw: allowed })).body).toBe(hashOf(allowed));
    expect(await service.client().post(at('hash'), undefined, { raw })).toMatchObject({
      status: 413,
      body: { code: 'payload_too_large' },
    });
    const stream = new Blob([raw]).stream();
    const chunked = await fetch(`${service.url}${at('hash')}`, { method: 'POST', body: stream, duplex: 'half' });
    expect(chunked.status).toBe(413);
  });
});

describe('the path', () => {
  it.each([
    ['a', 'a'],
    ['a/', 'a'],
    ['/a/', 'a'],
    ['a/b', 'a/b'],
    ['a/b/', 'a/b'],
    ['a?b=a/b', 'a'],
  ])('leads to one handler: %s', async (path, answer) => {
    expect(await service.client().post(at(path), {})).toMatchObject({ status: 200, body: answer });
  });

  it.each(['unknown', 'A', 'a/c', 'a//b', 'a%2Fb', '%61', 'a;x', 'a%00'])('leads nowhere: %s', async (path) => {
    const { status, body } = await service.client().post<{ code: string }>(at(path), {});
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'webhook.not_found' });
  });

  it.each(['%2e%2e/a', '../a', '../webhook/a', 'a/..', '..%2fa', '..\\a', '%zz'])('cannot climb: %s', async (path) => {
    expect(
      await overSocket(`POST ${at(path)} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`),
    ).toMatch(/^HTTP\/1\.1 40[04] /);
  });

  it('is of an app that there is, and that runs', async () => {
    apps.deploy('suspended', [{ path: 'a', handler: () => 'a' }], { isActive: false });
    for (const app of ['unknown', 'suspended', '..', '%2e', "a'b"]) {
      expect(await service.client().post(at('a', app), {})).toMatchObject({ status: 404 });
    }
  });

  it('takes the method that was registered, and says which', async () => {
    const { status, headers } = await service.client().get(at('a'));
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'POST' });
    expect((await service.client().post(at('get'), {})).headers.get('allow')).toBe('GET, HEAD');
    expect((await service.client().put(at('put'), {})).body).toBe('put');
    expect((await service.client().patch(at('put'), {})).status).toBe(405);
    expect((await service.client().patch(at('patch'), {})).body).toBe('patch');
  });

  it('takes a HEAD as a GET, and answers it without the body', async () => {
    const path = at('get?challenge=abc');
    const [got, head] = [await service.client().get(path), await service.client().request('HEAD', path)];
    expect([head.status, head.body, head.headers.get('content-length')]).toEqual([200, '', '3']);
    expect(head.headers.get('content-type')).toBe(got.headers.get('content-type'));
    expect((await service.client().request('HEAD', at('get?method'))).headers.get('x-method')).toBe('GET');
    expect((await service.client().request('HEAD', at('check'))).headers.get('x-method')).toBe('HEAD');
    expect((await service.client().request('HEAD', at('a'))).status).toBe(405);
  });

  it('answers OPTIONS with its methods, but for a webhook that takes it', async () => {
    const options = async (path: string) => {
      const { status, headers, body } = await service.client().request('OPTIONS', path, undefined, {
        headers: { 'WebHook-Request-Origin': 'eventemitter.example.com' },
      });
      return { status, allow: headers.get('allow'), origin: headers.get('webhook-allowed-origin'), body };
    };
    expect(await options(at('get'))).toEqual({ status: 204, allow: 'GET, HEAD', origin: null, body: '' });
    expect(await options(at('a'))).toEqual({ status: 204, allow: 'POST', origin: null, body: '' });
    expect(await options(at('events'))).toEqual({
      status: 200,
      allow: 'POST',
      origin: 'eventemitter.example.com',
      body: '',
    });
    expect((await options(at('unknown'))).status).toBe(404);
  });

  it.each(['TRACE', 'PROPFIND', 'QUERY', 'BREW', 'get'])('is none that there is: %s', async (method) => {
    const answer = await overSocket(`${method} ${at('get')} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 501 Not Implemented\r\n[^]*"code":"not_implemented"/);
  });

  it('has the later of two that were registered', async () => {
    apps.deploy('twice', [
      { path: 'x', handler: () => 'first' },
      { path: '/x/', handler: () => 'second' },
    ]);
    expect((await service.client().post(at('x', 'twice'), {})).body).toBe('second');
  });
});

describe('a handler', () => {
  it("is given the request, without what is the platform's", async () => {
    const headers = {
      'X-Signature': ['a', 'b'],
      Cookie: 'session=1',
      'X-Service-Token': 'token',
      'X-Acting-User': 'usr_1',
      'X-Acting-Session': 'ses_1',
    };
    const { body } = await sendRawRequest<WebhookEvent>(
      `${service.url}${at('event')}?code=a%2Fb&empty&tag=1&tag=2&__proto__=x`,
      {
        method: 'POST',
        headers,
        body: [1],
      },
    );
    expect(body).toMatchObject({
      method: 'POST',
      query: 'code=a%2Fb&empty&tag=1&tag=2&__proto__=x',
      query_params: { code: 'a/b', empty: '', tag: '2' },
      query_values: { code: ['a/b'], empty: [''], tag: ['1', '2'] },
      body: '[1]',
      body_base64: 'WzFd',
      body_encoding: 'utf-8',
      json: [1],
    });
    expect(body.headers).toMatchObject({ 'x-signature': 'a, b', 'content-type': 'application/json' });
    for (const name of ['cookie', ...SERVICE_HEADERS, 'connection']) expect(body.headers).not.toHaveProperty(name);
  });

  it('answers the challenge of a verification', async () => {
    const { status, body, headers } = await service.client().get(at('get?challenge=3eZbrw1a'));
    expect({ status, body }).toEqual({ status: 200, body: '3eZbrw1a' });
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'; frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('answers with a status, headers and a body', async () => {
    apps.deploy('answers', [
      {
        path: 'x',
        handler: () => ({
          status_code: 401,
          headers: { 'X-Hook-Secret': 's', 'Set-Cookie': 'a=b' },
          error: 'bad signature',
        }),
      },
      { path: 'kept', handler: () => ({ headers: { 'Cache-Control': 'max-age=60' }, body: 'x' }) },
      { path: 'none', handler: () => ({ status_code: 204 }) },
      {
        path: 'leads',
        redirect_hosts: ['done.example'],
        handler: () => ({ status_code: 303, headers: { Location: 'https://done.example/' } }),
      },
      { path: 'strays', handler: () => ({ status_code: 303, headers: { Location: 'https://done.example/' } }) },
    ]);
    const leads = await sendRawRequest(`${service.url}${at('leads', 'answers')}`, { method: 'POST' });
    expect([leads.status, leads.headers.location]).toEqual([303, 'https://done.example/']);
    expect(await sendRawRequest(`${service.url}${at('strays', 'answers')}`, { method: 'POST' })).toMatchObject({
      status: 502,
      body: { code: 'webhook.bad_response' },
    });
    const { status, headers, body } = await service.client().post(at('x', 'answers'), {});
    expect({ status, body }).toEqual({ status: 401, body: { error: 'bad signature' } });
    expect([headers.get('x-hook-secret'), headers.get('set-cookie')]).toEqual(['s', null]);
    const kept = await service.client().post(at('kept', 'answers'), {});
    expect(kept.headers.get('cache-control')).toBe('no-store');
    expect(await service.client().post(at('none', 'answers'), {})).toMatchObject({ status: 204, body: '' });
  });

  it.each<[string, () => unknown, number, string]>([
    [
      'fails',
      () => {
        throw new ExtensionError('STEP_FAILED', 'the secret is hunter2');
      },
      500,
      'webhook.failed',
    ],
    [
      'does not end in time',
      () => {
        throw new ExtensionError('TIMEOUT', 'Too slow.');
      },
      504,
      'webhook.timeout',
    ],
    [
      'meets a fault of the platform',
      () => {
        throw new Error('hunter2');
      },
      500,
      'internal_error',
    ],
    ['gives no response', () => ({ status_code: 99 }), 502, 'webhook.bad_response'],
    [
      'finds no room to begin in',
      () => {
        throw CodeErrors.busy();
      },
      503,
      'webhook.busy',
    ],
  ])('that %s answers so, and says nothing of why', async (_what, handler, status, code) => {
    apps.deploy('fails', [{ path: 'x', handler }]);
    const answer = await service.client().post<{ code: string }>(at('x', 'fails'), {});
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
    expect(JSON.stringify(answer.body)).not.toContain('hunter2');
  });

  it('goes on when its sender is gone', async () => {
    let ended = false;
    const events: string[] = [];
    apps.deploy('slow', [
      {
        path: 'x',
        handler: async () => {
          events.push('begun');
          await until(() => ended);
          events.push('done');
        },
      },
    ]);
    const gone = new AbortController();
    const sent = fetch(`${service.url}${at('x', 'slow')}`, { method: 'POST', signal: gone.signal }).catch(() => 'gone');
    await until(() => events.length);
    gone.abort();
    expect(await sent).toBe('gone');
    ended = true;
    await until(() => events.includes('done'));
  });
});
