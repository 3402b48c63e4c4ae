import { All, Controller, Get, Head, Module, Param, Post, Query, type INestApplication } from '@nestjs/common';
import { once } from 'node:events';
import { Agent, request, type IncomingHttpHeaders, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import { Gauge, Registry } from 'prom-client';
import { QueryFailedError } from 'typeorm';
import { parseConfig, serviceConfig, servicePorts } from './config.js';
import { AppError, Errors } from './errors.js';
import { Routine } from './http/routine.js';
import type { ServiceAdapter } from './http/service-adapter.js';
import { ReadinessService } from './health.js';
import { createMetrics, serveMetrics } from './http/metrics.js';
import { IgnoresUnknownQueryKeys } from './http/query.guard.js';
import { createLogger } from './logging.js';
import { currentContext } from './request-context.js';
import { createService } from './service.js';
import { until } from './testing/until.js';

/** Hooks of the routes for tests. */
class Stage {
  entered: () => void = () => undefined;
  leave: Promise<void> = Promise.resolve();
  thrown: unknown;
}

const stage = new Stage();

@Controller('v1/things')
class Things {
  @Get(':id') @IgnoresUnknownQueryKeys() find(@Param('id') id: string) {
    const context = currentContext();
    if (context) context.caller = `user:${id}`;
    return { id };
  }
  @Get(':id/slow') async slow() {
    stage.entered();
    await stage.leave;
    return { done: true };
  }
  @Post(':id/fail') fail() {
    throw stage.thrown;
  }
  @Head(':id/fail') probe() {
    return undefined;
  }
  @Get('internal/nothing') nothing() {
    return {};
  }
}

@Controller('v1/any')
class Anything {
  @All(':id') take() {
    return 'any';
  }
}

@Controller('v1/internal/things')
class InternalThings {
  @Routine()
  @Get()
  list(@Query('fails') fails?: string) {
    if (fails) throw new AppError(404, 'thing.not_found', 'No.');
    return [];
  }
}

@Module({ controllers: [Things, Anything, InternalThings] })
class ThingsModule {}

const ENV = {
  NODE_ENV: 'test',
  DATABASE_URL: 'postgres://unused',
  SERVICE_TOKENS: 'test:test-service-token-0123456789',
};

type LogLine = Record<string, unknown>;

async function start(): Promise<{ app: INestApplication; port: number; log: LogLine[] }> {
  const log: LogLine[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log.push(JSON.parse(chunk.toString()) as LogLine);
      done();
    },
  });
  const definition = {
    name: 'things',
    config: parseConfig({ ...serviceConfig, ...servicePorts(0) }, ENV),
    module: ThingsModule,
    openApi: { service: 'things', title: 'Things', description: 'What there is.' },
  };
  const app = await createService(definition, createLogger('things', 'debug', destination));
  await app.listen(0, '127.0.0.1');
  const { port } = (app.getHttpServer() as { address(): AddressInfo }).address();
  return { app, port, log };
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  json: Record<string, unknown>;
}

interface Message {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string;
}

let service: Awaited<ReturnType<typeof start>>;
let agent: Agent;
beforeAll(async () => {
  service = await start();
  agent = new Agent({ keepAlive: true });
});
afterAll(async () => {
  agent.destroy();
  await service.app.close();
});

function send(
  path: string,
  { method = 'GET', headers = {}, body = '' }: Message = {},
  port = service.port,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ agent, host: '127.0.0.1', port, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = text !== '' && response.headers['content-type']?.includes('json');
        const json = (isJson ? JSON.parse(text) : {}) as Record<string, unknown>;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Makes a route throw. Returns the answer and the log lines of its request id. */
async function fail(thrown: unknown): Promise<Answer & { logged: LogLine[] }> {
  stage.thrown = thrown;
  const answer = await send('/v1/things/1/fail', { method: 'POST' });
  return { ...answer, logged: service.log.filter((line) => line['request_id'] === answer.headers['x-request-id']) };
}

describe('a path or method that is not there', () => {
  it('answers 404 to an unknown path', async () => {
    const { status, json, headers } = await send('/v1/nothing');
    expect(status).toBe(404);
    expect(json).toEqual({
      detail: 'There is nothing at this path.',
      code: 'not_found',
      request_id: headers['x-request-id'],
    });
    expect((await send('/')).status).toBe(404);
  });

  it('answers 405 to a wrong method and says which ones there are', async () => {
    const { status, json, headers } = await send('/v1/things/1', { method: 'DELETE' });
    expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'GET, HEAD' });
    expect(json).toMatchObject({ code: 'method_not_allowed', request_id: headers['x-request-id'] });
    expect((await send('/v1/things/1/fail', { method: 'PUT' })).headers.allow).toBe('HEAD, POST');
    expect((await send('/healthz', { method: 'POST' })).headers.allow).toBe('GET, HEAD');
  });

  it('answers OPTIONS with the methods of the path', async () => {
    const { status, headers, text } = await send('/v1/things/1', { method: 'OPTIONS' });
    expect({ status, allow: headers.allow, text }).toEqual({ status: 204, allow: 'GET, HEAD', text: '' });
    expect(headers['x-request-id']).toBeTruthy();
    expect((await send('/v1/things/1/fail', { method: 'OPTIONS' })).headers.allow).toBe('HEAD, POST');
    expect((await send('/v1/any/1', { method: 'OPTIONS' })).text).toBe('any');
    expect((await send('/v1/nothing', { method: 'OPTIONS' })).status).toBe(404);
  });

  it.each(['TRACE', 'PROPFIND', 'MKCOL', 'LINK', 'QUERY', 'FOO', 'get', 'CONNECT'])(
    'answers 501 to the method %s',
    async (method) => {
      const socket = connect(service.port, '127.0.0.1');
      socket.write(`${method} /v1/things/1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      const chunks: Buffer[] = [];
      for await (const chunk of socket) chunks.push(chunk as Buffer);
      const answer = Buffer.concat(chunks).toString();
      expect(answer).toMatch(/^HTTP\/1\.1 501 Not Implemented\r\n/);
      expect(answer).toMatch(/X-Request-Id: \S+[^]*"code":"not_implemented"/);
    },
  );

  it.each(['\x16\x03\x01\x02\0\x01', 'SSH-2.0-OpenSSH_9.6\r\n', 'EHLO a\r\n'])(
    'answers 400 to another protocol: %j',
    async (greeting) => {
      const socket = connect(service.port, '127.0.0.1');
      socket.write(greeting);
      const chunks: Buffer[] = [];
      for await (const chunk of socket) chunks.push(chunk as Buffer);
      expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 400 /);
    },
  );

  it('answers HEAD like GET, without the body', async () => {
    const get = await send('/v1/things/1');
    const head = await send('/v1/things/1', { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
    expect((await send('/v1/nothing', { method: 'HEAD' })).status).toBe(404);
  });

  it.each(['/v1/things/%', '/v1/things/%E0%A4%A', '/v1/things/%zz', '/v1/things/%ff/slow', '/v1/things/%c0%80'])(
    'answers 400 to a path that is not well encoded: %s',
    async (path) => {
      const { status, json, headers } = await send(path);
      expect(status).toBe(400);
      expect(json).toEqual({
        detail: 'The request is malformed.',
        code: 'malformed_request',
        request_id: headers['x-request-id'],
      });
    },
  );

  it('does not stumble over a query that is not well encoded', async () => {
    expect((await send('/v1/things/1?a=%zz&%ff=%')).status).toBe(200);
  });
});

describe('a proxy in front', () => {
  /** Status lines of the answers. `isKept` is true if the connection stays open. */
  async function exchange(message: string): Promise<{ answers: string[]; isKept: boolean }> {
    const socket = connect(service.port, '127.0.0.1');
    const ended = once(socket, 'end').then(() => true);
    const pieces: string[] = [];
    socket.on('data', (piece: Buffer) => pieces.push(String(piece)));
    socket.write(message);
    await until(() => pieces.join('').includes('}'));
    socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await ended;
    socket.destroy();
    const answers = pieces.join('').match(/HTTP\/1\.1 \d+/g) ?? [];
    return { answers: answers.slice(0, 1), isKept: answers.length === 2 };
  }

  it.each([
    ['nginx with lines for WebSockets', 'HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\n', true],
    ['the same in other letters', 'HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\n', true],
    ['nginx with HTTP/1.0', 'HTTP/1.0\r\nHost: platform_panel\r\nConnection: close\r\n', false],
    [
      'one that keeps connections',
      'HTTP/1.1\r\nHost: a:443\r\nConnection: keep-alive, Upgrade\r\nKeep-Alive: timeout=5, max=100\r\n',
      true,
    ],
    ['one that sends the header empty', 'HTTP/1.1\r\nHost: a\r\nConnection:\r\n', true],
    [
      'a browser that asks for WebSocket',
      'HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n',
      false,
    ],
    [
      "Java's client",
      'HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n',
      false,
    ],
    [
      'one that names what it adds',
      'HTTP/1.1\r\nHost: a\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Host: a\r\nVia: 1.1 b\r\n',
      true,
    ],
    ['headers with underscores', 'HTTP/1.1\r\nHost: a\r\nX_Custom_Header: 1\r\n', true],
    ['a health check without Host', 'HTTP/1.0\r\n', false],
  ])('is answered: %s', async (_what, lines, isKept) => {
    expect(await exchange(`GET /healthz ${lines}\r\n`)).toEqual({ answers: ['HTTP/1.1 200'], isKept });
  });

  it('may not have what others rely on left out', async () => {
    for (const named of ['X-Forwarded-For', 'upgrade, content-length', 'upgrade-insecure-requests']) {
      expect((await send('/healthz', { headers: { Connection: named } })).json).toMatchObject({
        code: 'connection_option',
      });
    }
  });
});

describe('the request id', () => {
  it.each(['a', 'from-the-Edge_1.2', 'x'.repeat(64)])('is taken over when it is well formed: %s', async (id) => {
    expect((await send('/v1/things/1', { headers: { 'X-Request-Id': id } })).headers['x-request-id']).toBe(id);
  });

  it.each(['', 'x'.repeat(65), 'a b', 'a,b', '<script>', 'ä', ['one', 'two']].map((id) => [id]))(
    'is replaced when it is %j',
    async (id) => {
      const { headers } = await send('/v1/things/1', { headers: { 'X-Request-Id': id } });
      expect(headers['x-request-id']).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    },
  );

  it.each([
    ['404', '/v1/nothing', {}],
    ['405', '/v1/things/1', { method: 'POST' }],
    ['400', '/v1/things/%', {}],
    ['415', '/v1/things/1/fail', { method: 'POST', body: 'x', headers: { 'Content-Type': 'text/plain' } }],
    ['422', '/v1/things/%00', {}],
  ])('stands on a %s too', async (status, path, message: Message) => {
    const answer = await send(path, { ...message, headers: { ...message.headers, 'X-Request-Id': 'mine' } });
    expect(String(answer.status)).toBe(status);
    expect(answer.headers['x-request-id']).toBe('mine');
    expect(answer.json['request_id']).toBe('mine');
  });
});

describe('an exception', () => {
  it('that nobody expected answers 500, and tells the log everything and the caller nothing', async () => {
    const { status, json, text, headers, logged } = await fail(new TypeError('the secret of the house'));
    expect(status).toBe(500);
    expect(json).toEqual({
      detail: 'Something went wrong on our side. Quote the request id when you report it.',
      code: 'internal_error',
      request_id: headers['x-request-id'],
    });
    expect(text).not.toMatch(/secret of the house|service\.spec|TypeError/);
    expect(logged).toContainEqual(
      expect.objectContaining({
        level: 'error',
        msg: 'unexpected error',
        err: expect.objectContaining({
          type: 'TypeError',
          message: 'the secret of the house',
          stack: expect.stringContaining('service.spec.ts'),
        }),
      }),
    );
  });

  it.each([['a string'], [null], [undefined], [{ status: 200, message: 'pretends' }]])(
    'may be anything: %j',
    async (thrown) => {
      expect(await fail(thrown)).toMatchObject({ status: 500, json: { code: 'internal_error' } });
    },
  );

  it('that is ours answers with its own status, code, text, headers and details', async () => {
    const error = new AppError(409, 'thing.taken', 'It is taken.', {
      details: { by: 'ada' },
      headers: { 'X-Extra': 'yes' },
    });
    const { status, json, headers } = await fail(error);
    expect(status).toBe(409);
    expect(json).toEqual({
      detail: 'It is taken.',
      code: 'thing.taken',
      by: 'ada',
      request_id: headers['x-request-id'],
    });
    expect(headers['x-extra']).toBe('yes');
  });

  it('that is ours logs its cause and does not show it', async () => {
    const { text, logged } = await fail(Errors.unavailable(new Error('the hash queue is full')));
    expect(text).not.toContain('hash queue');
    expect(JSON.stringify(logged)).toContain('the hash queue is full');
  });

  it('about a rate limit says when to come back, in whole seconds', async () => {
    expect((await fail(Errors.rateLimited(0.2))).headers['retry-after']).toBe('1');
    expect(await fail(Errors.rateLimited(59.1))).toMatchObject({ status: 429, headers: { 'retry-after': '60' } });
  });

  it('about a database that is gone answers 503 with Retry-After', async () => {
    const lost = Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' });
    const { status, json, headers, logged } = await fail(new QueryFailedError('SELECT 1', [], lost));
    expect(status).toBe(503);
    expect(headers['retry-after']).toBe('1');
    expect(json).toMatchObject({ code: 'unavailable' });
    expect(JSON.stringify(logged)).toContain('terminating connection');
  });

  it('of the database leaves neither its parameters nor the values of a row in the log', async () => {
    const violation = Object.assign(new Error('duplicate key value violates unique constraint "users_email_key"'), {
      code: '23505',
      constraint: 'users_email_key',
      detail: 'Key (email)=(ada@example.com) already exists.',
    });
    const { logged } = await fail(
      new QueryFailedError('INSERT INTO users VALUES ($1, $2)', ['ada@example.com', 'hunter2'], violation),
    );
    const text = JSON.stringify(logged);
    expect(text).toContain('users_email_key');
    expect(text).toContain('service.spec.ts');
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain('ada@example.com');
  });
});

describe('headers', () => {
  it.each(['/v1/things/1', '/v1/nothing', '/v1/things/%', '/healthz'])('protect every answer: %s', async (path) => {
    const { headers } = await send(path);
    expect(headers).toMatchObject({
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      pragma: 'no-cache',
      vary: 'Authorization',
    });
    for (const name of ['x-powered-by', 'server', 'strict-transport-security', 'access-control-allow-origin']) {
      expect(headers).not.toHaveProperty(name);
    }
  });
});

describe('the log', () => {
  const lineOf = (id: unknown) =>
    service.log.find((line) => line['request_id'] === id && line['duration_ms'] !== undefined);

  it('has one line per request: path without query, caller, status and duration, and no secret', async () => {
    const { headers } = await send('/v1/things/ada?token=hunter2', {
      headers: {
        Authorization: 'Bearer hunter2',
        Cookie: 'session=hunter2',
        'X-Service-Token': 'hunter2',
        'X-Api-Key': 'hunter2',
      },
    });
    const line = lineOf(headers['x-request-id']);
    expect(line).toMatchObject({
      level: 'info',
      service: 'things',
      msg: 'GET 200',
      req: { method: 'GET', path: '/v1/things/ada' },
      res: { status: 200 },
      caller: 'user:ada',
      duration_ms: expect.any(Number),
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    expect(service.log.filter((other) => other['request_id'] === headers['x-request-id'])).toHaveLength(1);
    expect(JSON.stringify(service.log)).not.toContain('hunter2');
  });

  it('keeps the callers of one connection apart', async () => {
    const answers = [await send('/v1/things/ada'), await send('/v1/things/grace'), await send('/v1/nothing')];
    const callers = answers.map(({ headers }) => lineOf(headers['x-request-id'])?.['caller']);
    expect(callers).toEqual(['user:ada', 'user:grace', undefined]);
  });

  it('calls an error what it is', async () => {
    const { headers } = await fail(new Error('broken'));
    expect(lineOf(headers['x-request-id'])).toMatchObject({ level: 'error', msg: 'POST 500', res: { status: 500 } });
    const refused = await send('/v1/nothing');
    expect(lineOf(refused.headers['x-request-id'])).toMatchObject({ level: 'info', msg: 'GET 404' });
  });

  it('says little of what is routine and went well', async () => {
    const [well, failed] = [await send('/v1/internal/things'), await send('/v1/internal/things?fails=1')];
    expect(lineOf(well.headers['x-request-id'])).toMatchObject({ level: 'debug', msg: 'GET 200' });
    expect(lineOf(failed.headers['x-request-id'])).toMatchObject({ level: 'info', msg: 'GET 404' });
  });

  it('says little of what is no request, and nothing of connections that are lost, which the metrics count', async () => {
    const { port, app } = service;
    const lines = () => service.log.filter(({ msg }) => msg === 'not a request');
    const counted = async (code: string) => {
      const { values } = (await app.get(Registry).getSingleMetric('http_connection_errors_total')?.get()) ?? {
        values: [],
      };
      return values.find(({ labels }) => labels['code'] === code)?.value ?? 0;
    };
    const [before, malformed, lost] = [
      lines().length,
      await counted('malformed_request'),
      await counted('connection_lost'),
    ];

    const mail = connect(port, '127.0.0.1').end('EHLO mail.example.org\r\n\r\n');
    let answer = '';
    for await (const piece of mail) answer += String(piece);
    const id = /^X-Request-Id: (.*)\r$/m.exec(answer)?.[1];
    expect(lines().slice(before)).toMatchObject([{ level: 'debug', request_id: id, res: { status: 400 } }]);
    expect(await counted('malformed_request')).toBe(malformed + 1);

    const arrival = once(app.getHttpServer() as Server, 'connection');
    const gone = connect(port, '127.0.0.1');
    const [arrived] = (await arrival) as [Socket];
    gone.write('GET /v1/things/1');
    // A reset before all data is sent would look like a normal end.
    while (!arrived.bytesRead) await new Promise(setImmediate);
    gone.resetAndDestroy();
    await once(arrived, 'close').catch(() => undefined); // it closes with an error
    expect(await counted('connection_lost')).toBe(lost + 1);
    expect(lines()).toHaveLength(before + 1);
  });

  it.each([
    [
      'the PROXY protocol',
      'PROXY TCP4 203.0.113.7 192.0.2.1 50123 4003\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n',
      400,
      'proxy_protocol',
    ],
    ['version 2 of it', '\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c', 400, 'proxy_protocol'],
    ['TLS', '\x16\x03\x01\0\x05\x01\0\0\x01\0', 400, 'tls_to_http'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505, 'http_version'],
  ])('says once that a proxy speaks %s, and so does the answer', async (_what, message, status, code) => {
    const other = await start();
    for (let at = 0; at < 3; at++) {
      const socket = connect(other.port, '127.0.0.1');
      socket.end(Buffer.from(message, 'latin1'));
      let answer = '';
      for await (const piece of socket) answer += String(piece);
      expect(answer).toContain(`HTTP/1.1 ${status} `);
      expect(answer).toContain(`"code":"${code}"`);
    }
    expect(other.log.filter(({ level }) => level === 'warn')).toEqual([
      expect.objectContaining({
        code,
        msg: expect.stringMatching(/^a connection was refused: This port .* Have the proxy in front .*\.$/),
      }),
    ]);
    await other.app.close();
  });

  it('says nothing of probes', async () => {
    const { headers } = await send('/healthz');
    expect(lineOf(headers['x-request-id'])).toBeUndefined();
  });
});

describe('health', () => {
  it('is alive whatever it depends on, and ready only with all of it', async () => {
    const other = await start();
    const readiness = other.app.get(ReadinessService);
    let failing = false;
    readiness.addCheck({ name: 'queue', check: () => Promise.resolve() });
    readiness.addCheck({
      name: 'database',
      check: () => (failing ? Promise.reject(new Error('password of ada is wrong')) : Promise.resolve()),
    });
    const ready = () => send('/readyz', {}, other.port);
    expect(await ready()).toMatchObject({
      status: 200,
      json: { status: 'ok', checks: { queue: 'ok', database: 'ok' } },
    });

    failing = true;
    readiness.addCheck({ name: 'another', check: () => Promise.resolve() }); // disables the cached answer
    const { status, json, text, headers } = await ready();
    expect(status).toBe(503);
    expect(json).toMatchObject({ code: 'not_ready', checks: { database: 'unavailable' } });
    expect(text).not.toMatch(/queue|password/);
    expect(headers['retry-after']).toBe('1');
    expect(await send('/healthz', {}, other.port)).toMatchObject({ status: 200, json: { status: 'ok' } });

    failing = false;
    readiness.drain();
    expect(await ready()).toMatchObject({ status: 503, json: { checks: { shutdown: 'in progress' } } });
    expect((await send('/healthz', {}, other.port)).status).toBe(200);
    await other.app.close();
  });
});

it('a hundred who ask at once whether the service is ready cost one look', async () => {
  const other = await start();
  let looks = 0;
  const look = async () => {
    looks++;
    await new Promise(setImmediate);
  };
  other.app.get(ReadinessService).addCheck({ name: 'database', check: look });
  other.app.get(ReadinessService).addNote({ name: 'apps', read: () => look().then(() => 0) });
  const answers = await Promise.all(Array.from({ length: 100 }, () => send('/readyz', {}, other.port)));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(
    new Set(['200 {"status":"ok","checks":{"database":"ok"},"notes":{"apps":0}}']),
  );
  expect(looks).toBe(2);
  await other.app.close();
});

describe('metrics', () => {
  it('count requests by the pattern of their route', async () => {
    const registry = service.app.get(Registry);
    registry.resetMetrics();
    for (const id of ['1', '2', '3']) await send(`/v1/things/${id}`);
    await send('/v1/things/1', { method: 'DELETE' });
    await send('/v1/nothing/at/all');
    await fail(new Error('broken'));
    const text = await registry.metrics();
    const counts = text.split('\n').filter((line) => line.startsWith('http_request_duration_seconds_count'));
    const count = (method: string, route: string, status: number) =>
      counts
        .find((line) =>
          [`method="${method}"`, `route="${route}"`, `status="${status}"`].every((label) => line.includes(label)),
        )
        ?.split(' ')
        .pop();
    expect(count('GET', '/v1/things/:id', 200)).toBe('3');
    expect(count('DELETE', 'unmatched', 405)).toBe('1');
    expect(count('GET', 'unmatched', 404)).toBe('1');
    expect(count('POST', '/v1/things/:id/fail', 500)).toBe('1');
    expect(text).not.toContain('/v1/things/1');
    expect(text).toContain('process_cpu_seconds_total');
  });

  it('leave out what cannot be read, and stand beside what says that the process is alive', async () => {
    const registry = createMetrics('things');
    const collect = (): Promise<void> => Promise.reject(new Error('the database is away'));
    new Gauge({ name: 'things_in_database', help: 'Things', registers: [registry], collect });
    const server = await serveMetrics(registry, '127.0.0.1', 0);
    const get = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
      return [answer.status, await answer.text()];
    };
    const [status, text] = await get('/metrics');
    expect([status, text]).toEqual([200, expect.stringContaining('process_cpu_seconds_total')]);
    expect(text).toContain('metrics_unread{service="things"} 1');
    expect(text).not.toContain('things_in_database');
    expect(await get('/healthz')).toEqual([200, '{"status":"ok"}']);
    expect(await get('/readyz')).toEqual([404, '']);
    server.closeAllConnections();
    server.close();
  });
});

describe('the documentation', () => {
  it.each(['/v1/openapi.json', '/openapi/things.json'])('is at %s, for every origin', async (path) => {
    const { status, json, headers } = await send(path);
    expect(status).toBe(200);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['cache-control']).toBe('public, max-age=300');
    expect(json).toMatchObject({ openapi: '3.1.0', info: { title: 'Things' } });
    expect(Object.keys(json['paths'] as object)).toContain('/v1/things/{id}');
    expect(Object.keys(json['paths'] as object)).not.toContain('/v1/internal/things');
  });

  it.each(['/v1/openapi.json', '/openapi/things.json'])('is sent once to who keeps it: %s', async (path) => {
    const { headers } = await send(path);
    const tag = headers['etag'] as string;
    const again = await send(path, { headers: { 'If-None-Match': tag } });
    expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', tag]);
    expect((await send(path, { headers: { 'If-None-Match': '"another"' } })).status).toBe(200);
  });

  it('has a page that loads only what this service serves, as its policy demands', async () => {
    const page = await send('/docs');
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.headers['content-security-policy']).toContain("script-src 'self';");
    expect(page.text).not.toMatch(/(src|href)=["'](https?:)?\/\//);
    expect(page.text).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>/); // the policy forbids inline scripts
    const files = [...page.text.matchAll(/<(?:script|link)\b[^>]*?(?:src|href)="([^"]+)"/g)].map(
      ([, file]) => file ?? '',
    );
    expect(files.filter((file) => file.endsWith('.js')).length).toBeGreaterThanOrEqual(2);
    for (const file of files) {
      const { pathname } = new URL(file, 'http://things/docs');
      const { status, headers, text } = await send(pathname);
      expect({ pathname, status }).toEqual({ pathname, status: 200 });
      if (pathname.endsWith('.js')) expect(headers['content-type']).toContain('javascript');
      if (pathname.endsWith('init.js')) expect(text).not.toMatch(/url": *"https?:/);
    }
  });
});

describe('shutdown', () => {
  const LONG_MS = 600_000;
  let other: Awaited<ReturnType<typeof start>>;
  beforeEach(async () => {
    other = await start();
    // The server's own timeouts are longer than the test, so that only the shutdown closes
    // connections.
    Object.assign(other.app.getHttpServer() as Server, {
      keepAliveTimeout: LONG_MS,
      headersTimeout: LONG_MS,
      requestTimeout: LONG_MS,
    });
  });

  it('gives a request in flight its answer, then ends without waiting for idle connections', async () => {
    let leave: () => void = () => undefined;
    const entered = new Promise<void>((resolve) => (stage.entered = resolve));
    stage.leave = new Promise((resolve) => (leave = resolve));
    await send('/v1/things/1', {}, other.port); // leaves an idle connection
    const answer = send('/v1/things/1/slow', {}, other.port);
    await entered;
    let closed = false;
    const closing = other.app.close().then(() => (closed = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(closed).toBe(false);
    leave();
    expect(await answer).toMatchObject({ status: 200, json: { done: true }, headers: { connection: 'close' } });
    await closing;
    await expect(send('/v1/things/1', {}, other.port)).rejects.toThrow();
  });

  it('takes requests while it drains, and each answer ends its connection, also one that was under way', async () => {
    let leave: () => void = () => undefined;
    const entered = new Promise<void>((resolve) => (stage.entered = resolve));
    stage.leave = new Promise((resolve) => (leave = resolve));
    expect((await send('/v1/things/1', {}, other.port)).headers.connection).toBe('keep-alive');
    const underWay = send('/v1/things/1/slow', {}, other.port);
    await entered;
    (other.app.getHttpAdapter() as ServiceAdapter).drain();
    for (const path of ['/v1/things/1', '/v1/nothing', '/healthz'])
      expect((await send(path, {}, other.port)).headers.connection).toBe('close');
    leave();
    expect(await underWay).toMatchObject({ status: 200, headers: { connection: 'close' } });
    await other.app.close();
  });

  it('does not wait for a connection that nothing was sent on', async () => {
    const silent = connect(other.port, '127.0.0.1');
    await once(silent, 'connect');
    await send('/v1/things/1', {}, other.port); // the server knows the connection now
    await other.app.close();
    await once(silent, 'close');
  });
});
