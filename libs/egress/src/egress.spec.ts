import { LocalServer, until } from '@platform/testing';
import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { gzipSync, brotliCompressSync, deflateSync } from 'node:zlib';
import { addressAndPort } from './egress-url.js';
import { Egress, type EgressRequest } from './egress.js';
import type { ResolveHost } from './resolve-host.js';

const started: { stop?: () => Promise<void>; onApplicationShutdown?: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const one of started.splice(0)) await (one.onApplicationShutdown?.() ?? one.stop?.());
});

async function serve(
  listener: RequestListener = (_request, response) => response.end('reached'),
): Promise<LocalServer> {
  const server = await LocalServer.start(listener);
  started.push(server);
  return server;
}

/** Egress that allows `127.0.0.1` at the ports of these servers, as if it was a public address. */
function egressTo(servers: LocalServer[], resolve?: ResolveHost): Egress {
  const egress = new Egress({
    allow: new Set(servers.map(({ port }) => addressAndPort('127.0.0.1', port))),
    ...(resolve ? { resolve } : {}),
  });
  started.push(egress);
  return egress;
}

const answering =
  (...addresses: string[]): ResolveHost =>
  () =>
    Promise.resolve(addresses);

describe('an address that is not public', () => {
  it.each([
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '0',
    '0.0.0.0',
    '0x7f.1',
    '0x7f000001',
    '2130706433',
    '017700000001',
    '0177.0.0.01',
    '%31%32%37.0.0.1',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '[::1]',
    '[::]',
    '[::127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '169.254.169.254',
    '100.64.0.1',
    '100.100.100.200',
    '198.18.0.1',
    '255.255.255.255',
    '240.0.0.1',
    '10.0.0.1',
    '192.168.1.1',
    '172.16.0.1',
    'localhost',
    'LOCALHOST.',
    'any.localhost',
  ])('is refused, and nothing connects: %s', async (host) => {
    const server = await serve();
    await expect(egressTo([]).request({ url: `http://${host}:${server.port}/` })).rejects.toMatchObject({
      code: 'EGRESS_ADDRESS_REFUSED',
    });
    expect(server.connections).toEqual([]);
  });

  it.each(['https://127.0.0.1', 'http://[::1]', 'https://localhost'])(
    'is refused at the usual ports too: %s',
    async (url) => {
      await expect(egressTo([]).request({ url })).rejects.toMatchObject({ code: 'EGRESS_ADDRESS_REFUSED' });
    },
  );

  it('is reached when the configuration names it with its port, and no other port', async () => {
    const [allowed, other] = [await serve(), await serve()];
    const egress = egressTo([allowed]);
    for (const host of ['127.0.0.1', 'localhost', '0x7f.1', '[::ffff:7f00:1]']) {
      const { status, body } = await egress.request({ url: `http://${host}:${allowed.port}/` });
      expect([status, body.toString()]).toEqual([200, 'reached']);
      await expect(egress.request({ url: `http://${host}:${other.port}/` })).rejects.toMatchObject({
        code: 'EGRESS_ADDRESS_REFUSED',
      });
    }
    expect(other.connections).toEqual([]);
  });
});

describe('a name', () => {
  it('is refused when one of its addresses is not public, whichever', async () => {
    const server = await serve();
    for (const addresses of [
      ['127.0.0.1', '127.0.0.2'],
      ['127.0.0.2', '127.0.0.1'],
      ['127.0.0.1', '::ffff:127.0.0.2'],
    ]) {
      const request = egressTo([server], answering(...addresses)).request({ url: `http://mixed.test:${server.port}/` });
      await expect(request).rejects.toMatchObject({ code: 'EGRESS_ADDRESS_REFUSED' });
    }
    expect(server.connections).toEqual([]);
  });

  it('is connected to where it was looked up, once: rebinding between a look and the connection is not possible', async () => {
    const server = await serve((_request, response) => response.setHeader('Connection', 'close').end('reached'));
    const answers = [['127.0.0.1'], ['127.0.0.2']];
    let lookups = 0;
    const egress = egressTo([server], () => Promise.resolve(answers[lookups++] ?? []));
    const url = `http://rebinding.test:${server.port}/`;
    expect((await egress.request({ url })).body.toString()).toBe('reached');
    expect(lookups).toBe(1);
    await expect(egress.request({ url })).rejects.toMatchObject({ code: 'EGRESS_ADDRESS_REFUSED' });
    expect(server.connections).toEqual(['127.0.0.1']);
  });

  it('is not looked up again for a connection that is kept, which leads where it led', async () => {
    const server = await serve();
    let lookups = 0;
    const egress = egressTo([server], () => Promise.resolve(lookups++ ? ['127.0.0.2'] : ['127.0.0.1']));
    const url = `http://kept.test:${server.port}/`;
    await egress.request({ url });
    // undici can need a moment to notice that the connection is free.
    await until(() => egress.request({ url }).catch(() => null));
    expect(server.requests.map(({ socket }) => socket.localAddress)).toEqual(['127.0.0.1', '127.0.0.1']);
    expect(server.connections).toEqual(['127.0.0.1']);
  });

  it('that does not exist answers like one that leads inside', async () => {
    const request = { url: 'http://name.test/' };
    const messages = await Promise.all(
      [answering(), answering('10.0.0.1')].map((resolve) =>
        egressTo([], resolve)
          .request(request)
          .catch((error: unknown) => (error as Error).message),
      ),
    );
    expect(messages).toEqual([
      'The host "name.test" has no public address.',
      'The host "name.test" has no public address.',
    ]);
  });

  it('may be tried again when the name servers are silent', async () => {
    const request = egressTo([], () => Promise.reject(new Error('silence'))).request({ url: 'http://name.test/' });
    await expect(request).rejects.toMatchObject({ code: 'EGRESS_UNRESOLVED', retryable: true });
  });
});

describe('a list of hosts', () => {
  const refusal = (host: string, hosts: string[]) => ({
    code: 'EGRESS_HOST_NOT_DECLARED',
    retryable: false,
    details: { host, hosts },
  });

  it.each([
    ['host:PORT', 'http://HOST.:PORT/'],
    ['host', 'https://HOST:443/'],
    ['host', 'http://host:443/'],
    ['*', 'http://anything.test:PORT/'],
  ])('with %s lets %s pass', async (listed, url) => {
    const server = await serve();
    const insert = (text: string) => text.replace('PORT', String(server.port));
    const egress = egressTo([server], answering('127.0.0.1'));
    const sent = egress.request({ url: insert(url), hosts: [insert(listed)] });
    // This address is not allowed at the default ports.
    if (url.includes(':PORT')) expect(await sent).toMatchObject({ status: 200 });
    else await expect(sent).rejects.toMatchObject({ code: 'EGRESS_ADDRESS_REFUSED' });
  });

  it('refuses any other before it is looked up', async () => {
    const asked: string[] = [];
    const egress = egressTo([], (host) => Promise.resolve([asked.push(host) ? '127.0.0.1' : '']));
    for (const [host, url] of [
      ['b.test', 'https://b.test/'],
      ['a.test:8080', 'https://a.test:8080/'],
      ['a.test.evil.test', 'https://a.test.evil.test/'],
      ['aa.test', 'https://aa.test/'],
    ] as const) {
      await expect(egress.request({ url, hosts: ['a.test'] })).rejects.toMatchObject(refusal(host, ['a.test']));
    }
    await expect(egress.request({ url: 'https://a.test/', hosts: [] })).rejects.toMatchObject({
      message: expect.stringContaining('"hosts": ["a.test"]'),
    });
    const many = Array.from({ length: 20 }, (_none, at) => `h${at}.test`);
    await expect(egress.request({ url: 'https://a.test/', hosts: many })).rejects.toMatchObject({
      message: expect.stringMatching(/ "hosts" .* at most 20 hosts .* or "\*" for all\.$/),
    });
    expect(asked).toEqual([]);
  });
});

describe('a redirect', () => {
  const redirect = (status: number, location: string): RequestListener => {
    return (_request, response) => response.writeHead(status, { Location: location }).end('elsewhere');
  };

  it('is followed up to five times', async () => {
    const server = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left) response.writeHead(302, { Location: `/${left - 1}` }).end();
      else response.end('arrived');
    });
    const egress = egressTo([server]);
    const at = (path: string) => ({ url: `http://127.0.0.1:${server.port}${path}` });
    expect(await egress.request(at('/5'))).toMatchObject({
      status: 200,
      body: Buffer.from('arrived'),
      url: at('/0').url,
    });
    await expect(egress.request(at('/6'))).rejects.toMatchObject({ code: 'EGRESS_TOO_MANY_REDIRECTS' });
    await expect(egress.request({ ...at('/2'), maxRedirects: 1 })).rejects.toMatchObject({
      code: 'EGRESS_TOO_MANY_REDIRECTS',
    });
    expect(await egress.request({ ...at('/2'), maxRedirects: 0 })).toMatchObject({
      status: 302,
      headers: { location: '/1' },
    });
  });

  it.each([
    ['UTF-8', '/žluť?q=ž', 'utf8', '/%C5%BElu%C5%A5?q=%C5%BE'],
    ['Latin-1', '/caf\xe9', 'latin1', '/caf%E9'],
    ['spaces', ' /a b?c d ', 'latin1', '/a%20b?c%20d'],
    ['only a query', '?page=2', 'latin1', '/from?page=2'],
    ['no path', 'to', 'latin1', '/to'],
    ['another case', 'HTTP://127.0.0.1:PORT/to', 'latin1', '/to'],
  ] as const)('may lead to an address with %s', async (_what, location, encoding, arrived) => {
    const server = await serve(({ url, socket }, response) => {
      if (url !== '/from') response.end('arrived');
      else {
        const head = `HTTP/1.1 302\r\nLocation: ${location.replace('PORT', String(server.port))}\r\nContent-Length: 99\r\n\r\n`;
        socket.end(Buffer.from(head, encoding));
      }
    });
    const { body } = await egressTo([server]).request({ url: `http://127.0.0.1:${server.port}/from` });
    expect([body.toString(), server.requests.at(-1)?.url]).toEqual(['arrived', arrived]);
  });

  it.each([
    ['loopback', 'http://127.0.0.2:PORT/', 'EGRESS_ADDRESS_REFUSED'],
    ['a hidden loopback', 'http://2130706434:PORT/', 'EGRESS_ADDRESS_REFUSED'],
    ['metadata', 'http://169.254.169.254/latest/meta-data/', 'EGRESS_ADDRESS_REFUSED'],
    ['a name that leads inside', 'http://inside.test:PORT/', 'EGRESS_ADDRESS_REFUSED'],
    ['another scheme', 'file:///etc/passwd', 'EGRESS_URL_REFUSED'],
    ['another port', '//127.0.0.1:25/', 'EGRESS_URL_REFUSED'],
    ['credentials', 'http://user:password@127.0.0.1:PORT/', 'EGRESS_URL_REFUSED'],
    ['nonsense', 'http://[', 'EGRESS_URL_REFUSED'],
    ['a host that is not listed', 'http://other.test:PORT/', 'EGRESS_HOST_NOT_DECLARED'],
  ])('to %s is refused', async (_what, location, code) => {
    const server = await serve((request, response) =>
      redirect(302, location.replace('PORT', String(server.port)))(request, response),
    );
    const egress = egressTo([server], (name) => Promise.resolve([name === 'inside.test' ? '127.0.0.2' : '127.0.0.1']));
    const hosts = code === 'EGRESS_HOST_NOT_DECLARED' ? [`outside.test:${server.port}`] : null;
    await expect(egress.request({ url: `http://outside.test:${server.port}/`, hosts })).rejects.toMatchObject({
      code: code,
    });
    expect(server.connections).toEqual(['127.0.0.1']);
  });

  const SECRETS = { Authorization: 'Bearer a', Cookie: 'b=c', 'X-Api-Key': 'd' };

  it('to another origin carries no secrets, to the same one it does', async () => {
    const target = await serve();
    const server = await serve((request, response) => {
      if (request.url === '/here') redirect(307, '/same')(request, response);
      else redirect(307, `http://127.0.0.1:${target.port}/other`)(request, response);
    });
    const headers = { ...SECRETS, Accept: 'text/plain', 'Content-Type': 'text/plain' };
    await egressTo([server, target]).request({
      url: `http://127.0.0.1:${server.port}/here`,
      method: 'POST',
      headers,
      body: 'kept',
    });
    expect(server.requests[1]?.headers).toMatchObject({ authorization: 'Bearer a', cookie: 'b=c', 'x-api-key': 'd' });
    const { method, headers: arrived } = target.requests[0] ?? {};
    expect(method).toBe('POST');
    expect(Object.keys(arrived ?? {}).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'content-length',
      'content-type',
      'host',
      'user-agent',
    ]);
  });

  it.each([
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [303, 'HEAD', 'HEAD'],
    [302, 'PUT', 'PUT'],
    [307, 'POST', 'POST'],
    [308, 'DELETE', 'DELETE'],
  ] as const)('with %d makes %s a %s', async (status, method, followed) => {
    const server = await serve((request, response) => {
      if (request.url === '/to') response.end();
      else redirect(status, '/to')(request, response);
    });
    await egressTo([server]).request({
      url: `http://127.0.0.1:${server.port}/`,
      method,
      ...(method === 'HEAD' ? {} : { body: 'text' }),
    });
    expect(server.requests[1]?.method).toBe(followed);
    expect(server.requests[1]?.headers['content-length'] !== undefined).toBe(followed !== 'GET' && followed !== 'HEAD');
  });
});

describe('a response', () => {
  const LIMIT = 100_000;

  it.each([
    ['plain', null, (bytes: Buffer) => bytes],
    ['gzip', 'gzip', gzipSync],
    ['deflate', 'deflate', deflateSync],
    ['br', 'br', brotliCompressSync],
    ['GZip', 'GZip', gzipSync],
  ])('may have as many bytes as the limit says, unpacked: %s', async (_what, encoding, pack) => {
    const server = await serve((request, response) => {
      if (encoding) response.setHeader('Content-Encoding', encoding);
      response.end(pack(Buffer.alloc(LIMIT + (request.url === '/more' ? 1 : 0), 'a')));
    });
    const at = (path: string) => ({ url: `http://127.0.0.1:${server.port}${path}`, maxResponseBytes: LIMIT });
    const { body, headers } = await egressTo([server]).request(at('/'));
    expect(body.equals(Buffer.alloc(LIMIT, 'a'))).toBe(true);
    expect(headers['content-encoding']).toBeUndefined();
    await expect(egressTo([server]).request(at('/more'))).rejects.toMatchObject({ code: 'EGRESS_RESPONSE_TOO_LARGE' });
  });

  it('that unpacks to far more than it was is cut off early', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const server = await serve((_request, response) => response.setHeader('Content-Encoding', 'gzip').end(bomb));
    const before = process.memoryUsage().arrayBuffers;
    const request = egressTo([server]).request({ url: `http://127.0.0.1:${server.port}/` });
    await expect(request).rejects.toMatchObject({ code: 'EGRESS_RESPONSE_TOO_LARGE' });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * 1024 * 1024);
  });

  it.each(['zstd', 'utf-8', 'gzip, zstd', 'gzip, gzip, gzip, gzip, gzip, gzip'])(
    'packed in an unknown way is left as it is: %s',
    async (encoding) => {
      const server = await serve((_request, response) =>
        response.setHeader('Content-Encoding', encoding).end('packed'),
      );
      const { body, headers } = await egressTo([server]).request({ url: `http://127.0.0.1:${server.port}/` });
      expect([headers['content-encoding'], body.toString()]).toEqual([encoding, 'packed']);
    },
  );

  it('unpacked twice is bounded each time', async () => {
    const bomb = gzipSync(gzipSync(Buffer.alloc(16 * 1024 * 1024)));
    const server = await serve((_request, response) => response.setHeader('Content-Encoding', 'gzip, gzip').end(bomb));
    const request = egressTo([server]).request({ url: `http://127.0.0.1:${server.port}/`, maxResponseBytes: LIMIT });
    await expect(request).rejects.toMatchObject({ code: 'EGRESS_RESPONSE_TOO_LARGE' });
  });

  it.each(['gzip', 'deflate', 'br'])('that is not what it says fails and may be tried again: %s', async (encoding) => {
    const server = await serve((_request, response) =>
      response.setHeader('Content-Encoding', encoding).end('not packed'),
    );
    const request = egressTo([server]).request({ url: `http://127.0.0.1:${server.port}/` });
    await expect(request).rejects.toMatchObject({ code: 'EGRESS_FAILED', retryable: true });
  });

  /** Sends a raw answer, which Node.js did not format. */
  const raw = (head: string, body: string | Buffer = ''): RequestListener => {
    return ({ socket }) => socket.end(Buffer.concat([Buffer.from(`${head}\r\n\r\n`), Buffer.from(body)]));
  };

  it.each([
    ['without a reason', 'HTTP/1.1 200\r\nContent-Length: 2'],
    ['of HTTP/1.0, which ends with its connection', 'HTTP/1.0 200 OK'],
    ['after early hints', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2'],
    ['with cookies that are none', 'HTTP/1.1 200 OK\r\nSet-Cookie: =;;,\r\nSet-Cookie:\r\nContent-Length: 2'],
    ['with an empty type', 'HTTP/1.1 200 OK\r\nContent-Type:\r\nContent-Length: 2'],
    ['with names of an object', 'HTTP/1.1 200 OK\r\n__proto__: a\r\nconstructor: b\r\nContent-Length: 2'],
  ])('%s is read', async (_what, head) => {
    const server = await serve(raw(head, 'ok'));
    const { status, body } = await egressTo([server]).request({ url: `http://127.0.0.1:${server.port}/` });
    expect([status, body.toString()]).toEqual([200, 'ok']);
  });

  it.each([
    ['its length', 'HTTP/1.1 200 OK\r\nContent-Length: 3', 'ok'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3', 'ok'],
    ['its last chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked', '2\r\nok\r\n'],
    ['its end', 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip', gzipSync('ok'.repeat(999)).subarray(0, -9)],
  ])('that comes without %s fails', async (_what, head, body) => {
    const server = await serve(raw(head, body));
    const request = egressTo([server]).request({ url: `http://127.0.0.1:${server.port}/` });
    await expect(request).rejects.toMatchObject({ code: 'EGRESS_FAILED', retryable: true });
  });

  it.each(['HTTP/1.1 204 No Content', 'HTTP/1.1 304 Not Modified'])(
    'without a body may tell of one: %s',
    async (line) => {
      const server = await serve(raw(`${line}\r\nContent-Length: 5\r\nContent-Encoding: gzip`));
      const { headers, body } = await egressTo([server]).request({ url: `http://127.0.0.1:${server.port}/` });
      expect([headers['content-length'], body.length]).toEqual(['5', 0]);
    },
  );

  it('has headers in UTF-8, or in Latin-1 where they are none', async () => {
    const server = await serve(({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\nX-Utf: žluť\r\n');
      socket.end(Buffer.from('X-Latin: caf\xe9\r\nContent-Length: 0\r\n\r\n', 'latin1'));
    });
    const { headers } = await egressTo([server]).request({ url: `http://127.0.0.1:${server.port}/` });
    expect([headers['x-utf'], headers['x-latin']]).toEqual(['žluť', 'café']);
  });

  it('without end is cut off at the limit', async () => {
    const server = await serve((_request, response) => {
      const more = (): void => {
        while (response.write(Buffer.alloc(16_384)));
      };
      response.on('drain', more);
      more();
    });
    const request = egressTo([server]).request({ url: `http://127.0.0.1:${server.port}/`, maxResponseBytes: LIMIT });
    await expect(request).rejects.toMatchObject({ code: 'EGRESS_RESPONSE_TOO_LARGE' });
  });

  it('with endless headers is refused', async () => {
    const server = await serve((_request, response) => response.setHeader('X-Long', 'a'.repeat(70_000)).end());
    const request = egressTo([server]).request({ url: `http://127.0.0.1:${server.port}/` });
    await expect(request).rejects.toMatchObject({ code: 'EGRESS_RESPONSE_TOO_LARGE' });
  });

  it('may have no body where there can be none', async () => {
    const server = await serve((_request, response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end());
    const response = await egressTo([server]).request({ url: `http://127.0.0.1:${server.port}/`, method: 'HEAD' });
    expect(response).toMatchObject({ status: 200, body: Buffer.alloc(0) });
  });

  it('keeps every header and any status', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(503, [
        ['Set-Cookie', 'a=1'],
        ['Set-Cookie', 'b=2'],
        ['Retry-After', '7'],
      ] as unknown as string[]);
      response.end('later');
    });
    const response = await egressTo([server]).request({ url: `http://127.0.0.1:${server.port}/` });
    expect(response).toMatchObject({
      status: 503,
      headers: { 'set-cookie': 'a=1, b=2', 'retry-after': '7' },
      body: Buffer.from('later'),
    });
  });
});

describe('a request', () => {
  it('arrives as it was given, and says what sends it', async () => {
    const server = await serve((request, response) => request.pipe(response));
    const bytes = Buffer.from([0, 0xff, 0x0d, 0x0a]);
    const sent: EgressRequest = {
      url: `http://127.0.0.1:${server.port}/a%2Fb?c=%20d#e`,
      method: 'PUT',
      headers: { 'X-A': 'b' },
      body: bytes,
    };
    expect((await egressTo([server]).request(sent)).body).toEqual(bytes);
    expect(server.requests[0]).toMatchObject({
      url: '/a%2Fb?c=%20d',
      method: 'PUT',
      headers: { 'x-a': 'b', 'user-agent': 'cloud-platform' },
    });
  });

  it.each([
    ['Host', 'inside.test'],
    ['Content-Length', '0'],
    ['Transfer-Encoding', 'chunked'],
    ['CONNECTION', 'upgrade'],
    ['Proxy-Authorization', 'Basic a'],
    ['X-Split', 'a\r\nHost: inside.test'],
    ['X Space', 'a'],
  ])('with the header %s is refused', async (name, value) => {
    const server = await serve();
    const request = egressTo([server]).request({ url: `http://127.0.0.1:${server.port}/`, headers: { [name]: value } });
    await expect(request).rejects.toMatchObject({ code: 'EGRESS_REQUEST_REFUSED' });
    expect(server.requests).toEqual([]);
  });

  it.each(['CONNECT', 'TRACE', 'get'])('with the method %s is refused', async (method) => {
    const request = egressTo([]).request({ url: 'http://1.1.1.1/', method: method as 'GET' });
    await expect(request).rejects.toMatchObject({ code: 'EGRESS_REQUEST_REFUSED' });
  });

  it('with more than 10 MiB is refused', async () => {
    const request = egressTo([]).request({
      url: 'http://1.1.1.1/',
      method: 'POST',
      body: Buffer.alloc(10 * 1024 * 1024 + 1),
    });
    await expect(request).rejects.toMatchObject({ code: 'EGRESS_REQUEST_REFUSED' });
  });

  it.each<[string, RequestListener]>([
    ['silent', () => undefined],
    ['silent after the headers', (_request, response) => response.flushHeaders()],
    [
      'silent after a redirect',
      (request, response) => request.url === '/' && response.writeHead(302, { Location: '/silent' }).end(),
    ],
  ])('ends at its deadline when the server is %s', async (_what, listener) => {
    const server = await serve(listener);
    const request = egressTo([server]).request({ url: `http://127.0.0.1:${server.port}/`, timeoutMs: 100 });
    await expect(request).rejects.toMatchObject({ code: 'EGRESS_TIMEOUT', retryable: true });
  });

  it('ends when the run it belongs to ends, and lets the connection go', async () => {
    const server = await serve((_request, response) => response.flushHeaders());
    const run = new AbortController();
    const request = egressTo([server]).request({ url: `http://127.0.0.1:${server.port}/`, signal: run.signal });
    const [, response] = (await once(server.server, 'request')) as [unknown, ServerResponse];
    run.abort(new Error('the run is over'));
    await expect(request).rejects.toThrow('the run is over');
    await once(response, 'close');
  });

  it('to nobody fails and may be tried again', async () => {
    const server = await serve();
    await server.stop();
    started.pop();
    const request = egressTo([server]).request({ url: `http://127.0.0.1:${server.port}/?key=secret` });
    const message = 'The request to "127.0.0.1" failed (ECONNREFUSED).';
    await expect(request).rejects.toMatchObject({ code: 'EGRESS_FAILED', retryable: true, message });
  });
});

describe('a response whose body nobody reads', () => {
  it('is its status, however long the body goes on', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(201, { 'x-said': 'yes' });
      const more = setInterval(() => response.write('x'.repeat(1_000)), 5);
      response.on('close', () => clearInterval(more));
    });
    const response = await egressTo([server]).request({ url: `http://127.0.0.1:${server.port}/`, dropsBody: true });
    expect(response).toMatchObject({ status: 201, headers: { 'x-said': 'yes' } });
    expect(response.body).toHaveLength(0);
  });

  it('leaves the connection for the next request', async () => {
    const server = await serve((_request, response) => response.end('short'));
    const egress = egressTo([server]);
    for (let times = 0; times < 5; times++)
      await egress.request({ url: `http://127.0.0.1:${server.port}/`, dropsBody: true });
    expect(server.connections.length).toBeLessThan(5); // the next request can begin before the last connection is free
  });
});
