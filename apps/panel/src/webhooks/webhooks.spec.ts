import { parseAppDocument } from '@platform/app-document';
import { ConcurrencyLimit, SERVICE_HEADERS, sha256 } from '@platform/platform';
import { sendRawRequest, TEST_SERVICE_TOKEN, TestService, until } from '@platform/testing';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
  type Server,
} from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { loadConfig } from '../config.js';
import { panel } from '../service.js';

let folder: string;
let answer: RequestListener;
let host: Server;
let hostUrl: string;
let service: TestService;

const echo: RequestListener = (request, response) => {
  const { method, url, headers } = request;
  void bodyOf(request).then(
    (body) => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ method, url, headers, sha256: sha256(body).toString('hex') }));
    },
    () => response.destroy(),
  );
};

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const start = (url: string, beside?: TestService, timeoutMs = 90_000) =>
  TestService.start((env) => panel(loadConfig(env), { web: folder, packages: resolve('dist/packages') }), {
    ...(beside && { sharedWith: beside }),
    env: {
      PUBLIC_URL: 'http://panel.test',
      GATEWAY_SERVICE_TOKEN: TEST_SERVICE_TOKEN,
      EXT_WEBHOOK_HOST_URL: url,
      EXT_WEBHOOK_HOST_TIMEOUT_MS: String(timeoutMs),
    },
  });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'panel-webhooks-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  writeFileSync(join(folder, 'pay.html'), '<!doctype html>');
  host = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1');
  await once(host, 'listening');
  hostUrl = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  service = await start(hostUrl);
});
beforeEach(() => (answer = echo));
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
  host.closeAllConnections();
  await new Promise((done) => host.close(done));
});

interface Echoed {
  method: string;
  url: string;
  headers: Record<string, string>;
  sha256: string;
}
const PATH = '/v1/ext/app/webhook/in';

describe('what other systems send to an app', () => {
  it.each([
    ['bytes that are no text', Buffer.from([0xff, 0x00, 0xfe]), 'application/octet-stream'],
    ['10 MiB', randomBytes(10 * 1024 * 1024), 'application/octet-stream'],
    ['JSON with line ends', Buffer.from('\ufeff{\r\n"a": 1}'), 'application/json'],
    ['a form', Buffer.from('a=%zz&a=1'), 'application/x-www-form-urlencoded'],
  ])('is passed on to the byte: %s', async (_what, raw, type) => {
    const { status, body } = await service
      .client()
      .post<Echoed>(PATH, undefined, { raw, headers: { 'Content-Type': type } });
    expect({ status, sha256: body.sha256, type: body.headers['content-type'] }).toEqual({
      status: 200,
      sha256: sha256(raw).toString('hex'),
      type,
    });
  });

  it.each([
    ['[2001:DB8::9]:50123', '2001:db8::9'],
    ['unknown', 'unknown'],
  ])('comes from the address alone that a proxy names: %s', async (forwarded, address) => {
    const { body } = await sendRawRequest<Echoed>(`${service.url}${PATH}`, {
      headers: { 'X-Forwarded-For': forwarded },
    });
    expect(body.headers['x-forwarded-for']).toBe(address);
  });

  it("keeps its method, path, query and headers, and loses what is the panel's", async () => {
    const headers = {
      'X-Hub-Signature-256': 'sha256=abc',
      Authorization: 'Basic dTpw',
      Cookie: '__Host-panel_session=secret',
      'X-Service-Token': 'stolen',
      'X-Acting-User': 'usr_1',
      'X-Acting-Session': 'ses_1',
      'X-Forwarded-For': '203.0.113.9',
      Connection: 'close, X-Named',
      'X-Named': '1',
      Host: 'panel.example.com',
    };
    const { body } = await sendRawRequest<Echoed>(`${service.url}${PATH}/?b=%2F&a=1&a`, { headers });
    expect(body).toMatchObject({ method: 'GET', url: `${PATH}/?b=%2F&a=1&a` });
    expect(body.headers).toMatchObject({
      'x-hub-signature-256': 'sha256=abc',
      authorization: 'Basic dTpw',
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-proto': 'http',
      host: 'panel.example.com',
    });
    expect(body.headers['x-request-id']).toBeTruthy();
    for (const name of ['cookie', ...SERVICE_HEADERS, 'x-named']) expect(body.headers).not.toHaveProperty(name);
  });

  it('may come from a page of another site, since no session is looked at', async () => {
    const headers = {
      Origin: 'https://elsewhere.example',
      'Sec-Fetch-Site': 'cross-site',
      'Content-Type': 'text/plain',
    };
    expect((await service.client().post(PATH, undefined, { raw: 'a', headers })).status).toBe(200);
  });

  it.each(['GET', 'DELETE', 'POST'])('stays one request when its body comes in chunks, with %s', async (method) => {
    let requests = 0;
    answer = (request, response) => {
      requests++;
      echo(request, response);
    };
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    const smuggled = 'GET /v1/internal/runs HTTP/1.1\r\nHost: a\r\n\r\n';
    const chunk = `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`;
    socket.write(
      `${method} ${PATH} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunk}`,
    );
    const chunks: Buffer[] = [];
    for await (const part of socket) chunks.push(part as Buffer);
    expect(Buffer.concat(chunks).toString()).toContain(sha256(Buffer.from(smuggled)).toString('hex'));
    expect(requests).toBe(1);
  });

  it.each([
    'in',
    'github/push',
    '.well-known/x',
    'a..b',
    '...',
    '~x-y_z.1',
    '../x',
    '..',
    '.',
    'a/../b',
    'a/./b',
    '//x',
    'a//b',
    'a b',
    'ü',
    '%41',
  ])('reaches the host where a document may have the webhook, and only there: %s', async (path) => {
    const hook = {
      id: 'x',
      kind: 'webhook',
      action: path,
      params: { steps: [{ id: 'a', kind: 'transform', action: 'now', params: {} }] },
    };
    const { ok } = parseAppDocument({ app_id: 'app', version: '1.0.0', steps: [hook] });
    for (const channel of ['webhook', 'draft/webhook']) {
      const reached: (string | undefined)[] = [];
      answer = (request, response) => {
        reached.push(request.url);
        response.end();
      };
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
      socket.end(`GET /v1/ext/app/${channel}/${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      for await (const _part of socket);
      expect(reached).toEqual(ok ? [`/v1/ext/app/${channel}/${path}`] : []);
    }
  });

  it.each([
    '../internal/runs',
    'app/../../internal/runs',
    'app/%2e%2e/x',
    'app/%2F',
    'app//in',
    './app',
    'app/webhook/..',
    'app\\x',
    '',
  ])('goes nowhere else: %s', async (path) => {
    let requests = 0;
    answer = (_request, response) => {
      requests++;
      response.end();
    };
    const target = new URL(service.url);
    const socket = connect(Number(target.port), '127.0.0.1');
    socket.end(`GET /v1/ext/${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    const chunks: Buffer[] = [];
    for await (const part of socket) chunks.push(part as Buffer);
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 404 |<!doctype html>/);
    expect(requests).toBe(0);
  });
});

describe('what an app answers', () => {
  it('is passed on with what keeps it from running here, whatever the host says, and nothing that speaks for the origin', async () => {
    answer = (_request, response) => {
      response.writeHead(203, {
        'Content-Security-Policy': 'default-src *',
        'X-Content-Type-Options': 'sniff',
        'Content-Type': 'text/html',
        Refresh: '0; url=https://evil.example/',
        Link: '</x.js>; rel=preload; as=script',
        'Access-Control-Allow-Origin': '*',
        'Clear-Site-Data': '"*"',
        'X-Accel-Redirect': '/internal',
        'X-Frame-Options': 'ALLOWALL',
        'X-Platform-Redirect-Host': 'evil.example',
        'Set-Cookie': '__Host-panel_session=mine; Path=/',
        'X-Hook-Secret': 'echo',
        'Cache-Control': 'public, s-maxage=60',
        'Keep-Alive': 'timeout=1',
      });
      response.end('<p>hello');
    };
    const { status, headers, body } = await service.client().get(PATH);
    expect({ status, body }).toEqual({ status: 203, body: '<p>hello' });
    const {
      date: _date,
      connection: _connection,
      'keep-alive': _keepAlive,
      'x-request-id': id,
      ...said
    } = Object.fromEntries(headers);
    expect(id).toBeTruthy();
    expect(said).toEqual({
      'cache-control': 'no-store',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'content-type': 'text/plain; charset=utf-8',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'transfer-encoding': 'chunked',
      'x-content-type-options': 'nosniff',
      'x-hook-secret': 'echo',
    });
  });

  it('is XML, which a browser saves', async () => {
    answer = (_request, response) => response.writeHead(200, { 'Content-Type': 'text/xml' }).end('<Response/>');
    const post = async (headers: Record<string, string>) => {
      const answered = await fetch(`${service.url}${PATH}`, { method: 'POST', headers, body: 'x' });
      return [answered.headers.get('content-type'), answered.headers.get('content-disposition'), await answered.text()];
    };
    expect(await post({ 'User-Agent': 'TwilioProxy/1.1' })).toEqual(['text/xml', 'attachment', '<Response/>']);
    expect(await post({ Origin: 'https://elsewhere.example' })).toEqual(['text/xml', 'attachment', '<Response/>']);
  });

  it.each<[string, Record<string, string | string[]>, string | undefined]>([
    [
      'to a host that the app declares',
      { Location: 'https://done.example/a', 'X-Platform-Redirect-Host': 'done.example' },
      'https://done.example/a',
    ],
    ['to the panel', { Location: '/settings' }, 'http://panel.test/settings'],
    [
      'to another host than was declared',
      { Location: 'https://evil.example/', 'X-Platform-Redirect-Host': 'done.example' },
      undefined,
    ],
    ['to a host that nobody declares', { Location: 'https://evil.example/' }, undefined],
    ['to a script', { Location: 'javascript:alert(1)', 'X-Platform-Redirect-Host': '' }, undefined],
    ['to two places', { Location: ['/a', 'https://evil.example/'] }, undefined],
  ])('may be a redirect, which the panel does not follow: %s', async (_what, headers, location) => {
    answer = (_request, response) => response.writeHead(302, headers as OutgoingHttpHeaders).end();
    const redirect = await sendRawRequest(`${service.url}${PATH}`, {});
    expect([redirect.status, redirect.headers.location]).toEqual([302, location]);
  });

  it('may come before the whole body was read', async () => {
    answer = (request, response) => {
      response.writeHead(413).end('too large');
      request.resume();
    };
    const { status, body } = await service.client().post(PATH, undefined, { raw: Buffer.alloc(9 * 1024 * 1024) });
    expect({ status, body }).toEqual({ status: 413, body: 'too large' });
  });

  it('is a 504 when it does not come in time, and the host is told to stop', async () => {
    let closed = false;
    answer = (request) => request.socket.once('close', () => (closed = true));
    const impatient = await start(hostUrl, service, 500);
    const { status, body } = await impatient.client().get(PATH);
    expect({ status, body }).toMatchObject({ status: 504, body: { code: 'extension_host_timeout' } });
    await until(() => closed);
    await impatient.app.close();
  });

  it('is a 502 when the host is away or breaks off', async () => {
    answer = (request) => request.socket.destroy();
    expect(await service.client().post(PATH, {})).toMatchObject({
      status: 502,
      body: { code: 'extension_host_unreachable' },
    });
    const cutOff = await start('http://127.0.0.1:9', service);
    expect(await cutOff.client().get(PATH)).toMatchObject({
      status: 502,
      body: { code: 'extension_host_unreachable' },
    });
    await cutOff.app.close();
  });

  it('is a 502 when it is larger than an app may answer, or ends in the middle', async () => {
    const unreachable = { status: 502, body: { code: 'extension_host_unreachable' } };
    answer = (_request, response) => response.end(Buffer.alloc(2 * 1024 * 1024 + 1));
    expect(await service.client().get(PATH)).toMatchObject(unreachable);
    answer = (_request, response) => {
      response.writeHead(200, { 'Content-Length': '100' });
      response.write('half', () => response.destroy());
    };
    expect(await service.client().get(PATH)).toMatchObject(unreachable);
  });

  it.each(['HEAD', 'GET'])('has the length that the host says, with %s', async (method) => {
    answer = (_request, response) => response.writeHead(200, { 'Content-Length': '5' }).end('hello');
    const { status, headers } = await fetch(`${service.url}${PATH}`, { method });
    expect([status, headers.get('content-length')]).toEqual([200, '5']);
  });

  it.each([204, 304])('may have no content: %s', async (code) => {
    answer = (_request, response) => response.writeHead(code, { 'X-Mine': '1' }).end();
    const { status, headers } = await sendRawRequest(`${service.url}${PATH}`, {});
    expect([status, headers['x-mine'], headers['content-type']]).toEqual([code, '1', undefined]);
  });

  it('has nobody to go to when the sender is gone: the host is told to stop', async () => {
    let closed = false;
    answer = (request) => request.socket.once('close', () => (closed = true));
    const gone = new AbortController();
    const sent = fetch(`${service.url}${PATH}`, { signal: gone.signal }).catch(() => 'gone');
    await new Promise((resolve) => host.once('request', resolve));
    gone.abort();
    expect(await sent).toBe('gone');
    await until(() => closed);
  });
});

describe('many requests at once', () => {
  /** Sends the head from this address, and only `sent` of the body. */
  const sendSlowly = (from: string, framing: string, sent: string): Socket => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`POST ${PATH} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${from}\r\n${framing}\r\n\r\n${sent}`);
    return socket;
  };
  const post = (app: string, from: string, raw: string | Buffer = 'x') =>
    service
      .client()
      .post<{ code?: string }>(`/v1/ext/${app}/webhook/in`, undefined, { raw, headers: { 'X-Forwarded-For': from } });

  it.each([
    ['with a length', 'Content-Length: 100', 'x'],
    ['in chunks', 'Transfer-Encoding: chunked', '1\r\nx\r\n'],
  ])(
    'that trickle, of many senders, keep no connection to the host and nobody waiting: %s',
    async (_how, framing, sent) => {
      const seen: unknown[] = [];
      answer = (request, response) => {
        seen.push(request.headers['x-forwarded-for']);
        echo(request, response);
      };
      const sockets = Array.from({ length: 1_100 }, (_, at) =>
        sendSlowly(`198.51.${at >> 8}.${at & 255}`, framing, sent),
      );
      for (const socket of sockets) if (socket.connecting) await once(socket, 'connect');
      expect((await post('app', '203.0.113.1')).status).toBe(200);
      expect((await post('app', '203.0.113.1', Buffer.alloc(1024 * 1024))).status).toBe(200);
      expect(seen).toEqual(['203.0.113.1', '203.0.113.1']);
      for (const socket of sockets) socket.destroy();
    },
  );

  it('whose bodies do not go on are told so', async () => {
    const socket = sendSlowly('198.51.100.1', 'Content-Length: 100\r\nConnection: close', 'x');
    const [said] = (await once(socket, 'data')) as [Buffer];
    expect(said.toString()).toMatch(/^HTTP\/1\.1 408 /);
    socket.destroy();
  });

  it('that an app is slow with are its share of the connections: the others go on, and what has no place is told to come again', async () => {
    const held: (() => void)[] = [];
    answer = (request, response) => {
      if (request.url === PATH) held.push(() => response.end('done'));
      else echo(request, response);
    };
    const slow = Array.from({ length: 400 }, () => post('app', '198.51.100.1'));
    await until(() => held.length === 32);
    expect((await post('other', '198.51.100.1')).status).toBe(200);
    expect((await post('other', '203.0.113.1')).status).toBe(200);
    const others = Array.from({ length: 10 }, () => post('app', '203.0.113.1'));
    await until(() => held.length === 42);
    const refused = await Promise.any(
      slow.map((answer) => answer.then((given) => (given.status === 200 ? Promise.reject(new Error()) : given))),
    );
    expect(refused).toMatchObject({ status: 503, body: { code: 'webhook.busy' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    answer = (_request, response) => response.end('done');
    for (const done of held) done();
    const statuses = (await Promise.all([...slow, ...others])).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    expect((await post('app', '198.51.100.1')).status).toBe(200);
  });

  it('to apps that do not exist take nothing of those that do', async () => {
    const held: (() => void)[] = [];
    let reached = 0;
    answer = (request, response) => {
      if (request.url?.startsWith('/v1/ext/app/')) reached++;
      held.push(() => response.end('done'));
    };
    const madeUp = Array.from({ length: 128 }, (_, n) => post(`made-up-${n}`, `198.51.100.${n % 64}`));
    await until(() => held.length === 128);
    const real = Array.from({ length: 40 }, (_, n) => post('app', `203.0.113.${n % 5}`));
    await until(() => reached === 40);
    for (const done of held) done();
    expect((await Promise.all([...madeUp, ...real])).map(({ status }) => status)).toEqual(
      Array.from({ length: 168 }, () => 200),
    );
  });

  it('whose senders leave while they wait, or while the app works, are no errors', async () => {
    const held: (() => void)[] = [];
    answer = (request, response) => {
      if (request.url === PATH) held.push(() => response.end('done'));
      else response.end();
    };
    const before = service.logLines.length;
    const places = jest.spyOn(ConcurrencyLimit.prototype, 'runInSlot');
    const gone = new AbortController();
    const leave = () =>
      fetch(`${service.url}${PATH}`, { signal: gone.signal, headers: { 'X-Forwarded-For': '198.51.100.1' } }).catch(
        () => 'gone',
      );
    const left = [leave()];
    await until(() => held.length === 1);
    const slow = Array.from({ length: 31 }, () => post('app', '198.51.100.1'));
    await until(() => held.length === 32);
    left.push(leave());
    await until(() => places.mock.calls.length === 33); // it waits for a slot
    places.mockRestore();
    gone.abort();
    expect(await Promise.all(left)).toEqual(['gone', 'gone']);
    answer = (_request, response) => response.end('done');
    for (const done of held.splice(0)) done();
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual(slow.map(() => 200));
    expect((await post('app', '198.51.100.1')).status).toBe(200);
    const logged = service.logLines.slice(before).map((line) => JSON.parse(line) as { level: string; msg: string });
    expect(logged.filter(({ level }) => level !== 'info' && level !== 'debug')).toEqual([]);
  });

  it('whose answers nobody reads keep no place', async () => {
    const large = Buffer.alloc(2 * 1024 * 1024);
    let asked = 0;
    answer = (request, response) => {
      if (request.method === 'GET') {
        asked++;
        response.end(large);
      } else echo(request, response);
    };
    // More data on each connection than the socket buffers hold.
    const sockets = Array.from({ length: 40 }, () => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => undefined);
      socket.pause();
      socket.write(`GET ${PATH} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 198.51.100.1\r\n\r\n`.repeat(3));
      return socket;
    });
    await until(() => asked >= 40);
    expect((await post('app', '198.51.100.1')).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });
});
