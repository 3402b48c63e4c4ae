import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  request as sendRequest,
  type RequestListener,
  type Server,
} from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { sha256 } from '../../hashing.js';
import { AppError } from '../../errors.js';
import { MAX_WEBHOOK_BYTES, BodyReceiver, type BodyLimits } from './body-receiver.js';
import { until } from '../../testing/until.js';

/** This library is below `@platform/testing` and cannot use its server. */
class LocalServer {
  connections = 0;
  readonly requests: IncomingMessage[] = [];

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(listener: RequestListener): Promise<LocalServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const local = new LocalServer(server, (server.address() as AddressInfo).port);
    server.on('connection', () => local.connections++);
    server.on('request', (request, response) => {
      local.requests.push(request);
      listener(request, response);
    });
    return local;
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }
}

/** Limits that no body reaches on a slow machine; single tests use shorter ones. */
const PATIENT: Partial<BodyLimits> = { waitMs: 80_000, firstStepMs: 80_000, stepMs: 80_000 };

const servers: LocalServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

/** Answers with the SHA-256 of the body, or with the status of the refusal. */
async function serve(
  bodies = new BodyReceiver(PATIENT),
  work = (body: Buffer) => Promise.resolve(sha256(body).toString('hex')),
) {
  const refusals: number[] = [];
  const server = await LocalServer.start((request, response) => {
    const { 'x-app': app = 'a', 'x-sender': sender = 's' } = request.headers as Record<string, string>;
    bodies.withBody({ app, sender }, request, work).then(
      (answer) => response.end(answer),
      (error: unknown) => {
        const { status } = error as AppError;
        refusals.push(status);
        response.writeHead(status).end();
      },
    );
  });
  servers.push(server);
  const url = `http://127.0.0.1:${server.port}/`;
  const send = (body: Uint8Array | string, headers: Record<string, string> = {}) =>
    fetch(url, { method: 'POST', body: body as string, headers });
  return { server, url, send, refusals };
}

const asRequest = (body: Readable): IncomingMessage =>
  Object.assign(body, { headers: {} }) as unknown as IncomingMessage;
const hashOf = (body: Uint8Array | string) => sha256(Buffer.from(body)).toString('hex');

describe('a body', () => {
  it.each<[string, Uint8Array | string, string?]>([
    ['line ends', 'a\r\nb\nc\r'],
    ['a byte order mark', '\ufeff{}'],
    ['NUL', 'a\0b'],
    ['a lone surrogate', Buffer.from([0xed, 0xa0, 0x80])],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00, 0x80])],
    ['every byte', Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
    ['nothing', ''],
    ['malformed JSON', '{"a":'],
    ['a form', 'a=1&b=%zz&a=2', 'application/x-www-form-urlencoded'],
    [
      'multipart',
      '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n',
      'multipart/form-data; boundary=x',
    ],
    ['another charset', Buffer.from([0x9e]), 'text/plain; charset=windows-1250'],
  ])('arrives as it was sent: %s', async (_what, body, type = 'application/json') => {
    const { send } = await serve();
    const response = await send(body, { 'Content-Type': type });
    expect(await response.text()).toBe(hashOf(body));
  });

  it('stays compressed', async () => {
    const [{ send }, body] = [await serve(), gzipSync('text')];
    expect(await (await send(body, { 'Content-Encoding': 'gzip' })).text()).toBe(hashOf(body));
  });

  it('may come in chunks', async () => {
    const { url } = await serve();
    const request = sendRequest(url, { method: 'POST' });
    const answered = once(request, 'response');
    for (const chunk of ['a', 'bc', '']) request.write(chunk);
    request.end('d');
    const [response] = (await answered) as [AsyncIterable<Buffer>];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe(hashOf('abcd'));
  });

  it('may come in pieces of one byte, which take no more than as many bytes', async () => {
    const { server } = await serve();
    const body = randomBytes(300 * 1024);
    const chunk = (at: number) => Buffer.from([0x31, 0x0d, 0x0a, body[at] as number, 0x0d, 0x0a]);
    const chunks = Buffer.concat([...Array.from(body, (_, at) => chunk(at)), Buffer.from('0\r\n\r\n')]);
    const reserved = [jest.spyOn(Buffer, 'allocUnsafe'), jest.spyOn(Buffer, 'allocUnsafeSlow')];
    const socket = connect(server.port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n');
    socket.write(chunks);
    let answer = '';
    for await (const piece of socket) answer += String(piece);
    expect(answer).toContain(hashOf(body));
    const bytes = reserved.flatMap((spy) => spy.mock.calls.map(([size]) => size));
    for (const spy of reserved) spy.mockRestore();
    expect(bytes.length).toBeLessThan(20);
    const all = bytes.reduce((sum, size) => sum + size, 0);
    expect(all).toBeGreaterThanOrEqual(body.length);
    // Twice the size, because joining the parts needs a second copy.
    expect(all).toBeLessThan(2 * body.length + 64 * 1024);
  });

  it('may have 10 MiB, and not one byte more', async () => {
    const { send, refusals } = await serve();
    const body = randomBytes(MAX_WEBHOOK_BYTES + 1);
    const allowed = body.subarray(0, -1);
    expect(await (await send(allowed)).text()).toBe(hashOf(allowed));
    const refused = await send(body);
    expect([refused.status, refusals]).toEqual([413, [413]]);
  });

  it.each([
    ['says how large it is', { 'Content-Length': 3 * 1024 * 1024 }],
    ['does not', { 'Transfer-Encoding': 'chunked' }],
  ])(
    'that is too large is read to its end, so that its sender reads the answer and goes on: it %s',
    async (_what, headers) => {
      const { url, server } = await serve(new BodyReceiver({ bytes: 1_024 }));
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const post = async (body: Buffer, more: object) => {
        const request = sendRequest(url, { method: 'POST', agent, headers: { ...more } });
        const answered = once(request, 'response');
        request.end(body);
        const [response] = (await answered) as [{ statusCode: number; resume: () => void }];
        response.resume();
        return response.statusCode;
      };
      expect(await post(Buffer.alloc(3 * 1024 * 1024), headers)).toBe(413);
      expect(await post(Buffer.from('small'), {})).toBe(200);
      expect(server.connections).toBe(1);
      agent.destroy();
    },
  );

  it('that comes at once is taken a part at a time, and others have their turn in between', async () => {
    const piece = Buffer.alloc(64 * 1024, 'x');
    let left = MAX_WEBHOOK_BYTES / piece.length;
    let ofThisTurn = 0;
    let most = 0;
    const request = new Readable({
      read() {
        most = Math.max(most, ++ofThisTurn);
        this.push(left-- > 0 ? piece : null);
      },
    });
    let turns: NodeJS.Immediate | undefined;
    const turn = (): void => {
      ofThisTurn = 0;
      turns = setImmediate(turn);
    };
    turn();
    const length = await new BodyReceiver().withBody({ app: 'a', sender: 's' }, asRequest(request), (body) =>
      Promise.resolve(body.length),
    );
    clearImmediate(turns);
    expect(length).toBe(MAX_WEBHOOK_BYTES);
    expect(most).toBeLessThanOrEqual(18); // pieces in 1 MiB, plus those that are read ahead
  });

  it('without end is cut off', async () => {
    const { server } = await serve(new BodyReceiver({ bytes: 1_024 }));
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${1024 ** 4}\r\n\r\n`);
    const more = (): void => {
      while (socket.writable && socket.write(Buffer.alloc(1024 * 1024)));
    };
    socket.on('drain', more);
    more();
    await new Promise((resolve) => socket.once('close', resolve));
    expect(socket.bytesWritten).toBeLessThan(100 * 1024 * 1024);
  });

  it('that does not arrive whole is not worked on', async () => {
    let worked = 0;
    const { server, refusals } = await serve(new BodyReceiver(PATIENT), () => Promise.resolve(`${++worked}`));
    const socket = connect(server.port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf', () => socket.destroy());
    expect(await until(() => refusals[0])).toBe(400);
    expect(worked).toBe(0);
  });
});

describe('small bodies at the same time', () => {
  const SMALL = 64 * 1024;
  const small = (total: number, perApp = total, perSender = perApp): Partial<BodyLimits> => ({
    ...PATIENT,
    waitMs: 50,
    small: {
      total: 4 * total * SMALL,
      perApp: 4 * perApp * SMALL,
      perSender: 4 * total * SMALL,
      perSenderToApp: 4 * perSender * SMALL,
    },
  });

  it('have room for so many bytes, of a sender, an app and in all, however few each of them has', async () => {
    const held: (() => void)[] = [];
    const bodies = new BodyReceiver(small(3, 2, 1));
    const { send } = await serve(bodies, () => new Promise((resolve) => held.push(() => resolve('done'))));
    const from = async (app: string, sender: string) =>
      (await send(Buffer.alloc(SMALL), { 'X-App': app, 'X-Sender': sender })).status;
    const answers: Promise<number>[] = [];
    // The oldest body has a reserved 256 KiB.
    const fill = async (app: string, sender: string) => {
      answers.push(from(app, sender));
      await until(() => held.length === answers.length);
    };
    await fill('a', 's');
    expect(await from('a', 's')).toBe(503);
    await fill('a', 't');
    for (let n = 0; n < 3; n++) await fill('a', `u ${n}`);
    expect(await from('a', 'v')).toBe(503);
    for (let n = 0; n < 4; n++) await fill('b', `u ${n}`);
    expect(await from('c', 's')).toBe(503);
    for (const done of held.splice(0)) done();
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
    const next = from('a', 's');
    await until(() => held.length);
    held.splice(0).forEach((done) => done());
    expect(await next).toBe(200);
  });

  it('wait a while for room, and then go on', async () => {
    const held: (() => void)[] = [];
    const { send, server } = await serve(
      new BodyReceiver({ ...small(1), ...PATIENT }),
      (body) => new Promise((resolve) => held.push(() => resolve(hashOf(body)))),
    );
    const first = send(Buffer.alloc(256 * 1024));
    await until(() => held.length === 1);
    const body = randomBytes(200 * 1024);
    const second = send(body);
    await until(() => server.requests.length === 2);
    held.splice(0).forEach((done) => done());
    await until(() => held.length === 1);
    held.splice(0).forEach((done) => done());
    expect([(await first).status, await (await second).text()]).toEqual([200, hashOf(body)]);
  });

  it('that do not go on are ended, also when nothing of them comes', async () => {
    const { server, refusals } = await serve(new BodyReceiver({ firstStepMs: 100 }));
    const sockets = ['', 'x'].map((sent) => {
      const socket = connect(server.port, '127.0.0.1');
      socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n${sent}`);
      return socket;
    });
    await until(() => refusals.length === 2);
    expect(refusals).toEqual([408, 408]);
    for (const socket of sockets) socket.destroy();
  });
});

describe('large bodies at the same time', () => {
  const STEP = 256 * 1024;
  const LARGE = 2 * STEP;
  const large = () => Buffer.alloc(LARGE);
  /** Limits for this number of large bodies. */
  const roomFor = (total: number, app = total, sender = app): Partial<BodyLimits> => ({
    bytes: LARGE,
    large: { total: total * STEP, perApp: app * STEP, perSender: total * STEP, perSenderToApp: sender * STEP },
  });

  /** Serves bodies. Their work runs until the test ends it. */
  async function serveHeld(limits: Partial<BodyLimits>) {
    const held: (() => void)[] = [];
    const served = await serve(
      new BodyReceiver({ ...PATIENT, ...limits }),
      () => new Promise((resolve) => held.push(() => resolve('done'))),
    );
    const letGo = (): void => {
      for (const done of held.splice(0)) done();
    };
    return { ...served, held, letGo };
  }

  /** Waits until all sent bytes have arrived: then the body has its memory, or waits for it. */
  const hasCome = (server: LocalServer, request: number, { bytesWritten }: Socket) =>
    until(() => server.requests[request]?.socket.bytesRead === bytesWritten);

  /** Announces `announced` bytes (null: no length), and sends `sent` of them. */
  const sendSlowly = (port: number, sent: number, announced: number | null = MAX_WEBHOOK_BYTES) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    const length = announced === null ? 'Transfer-Encoding: chunked' : `Content-Length: ${announced}`;
    const body =
      announced === null ? `${(MAX_WEBHOOK_BYTES / 2).toString(16)}\r\n${'x'.repeat(sent)}` : 'x'.repeat(sent);
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\n${length}\r\n\r\n${body}`);
    return socket;
  };

  it('wait for each other, and small ones for nobody', async () => {
    const { send, held, letGo } = await serveHeld(roomFor(2));
    const answers = [send(large()), send(large())];
    await until(() => held.length === 2);
    answers.push(send(large()), send(large()), send(large()));
    answers.push(send(Buffer.alloc(STEP)));
    await until(() => held.length === 3);
    for (const admitted of [2, 1]) {
      letGo();
      await until(() => held.length === admitted);
    }
    letGo();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  });

  it('are told to come back when it takes too long', async () => {
    const { send, held, letGo } = await serveHeld({ ...roomFor(1), waitMs: 50 });
    const first = send(large());
    await until(() => held.length);
    expect((await send(large())).status).toBe(503);
    letGo();
    expect((await first).status).toBe(200);
    const next = send(large());
    await until(() => held.length);
    letGo();
    expect((await next).status).toBe(200);
  });

  it('do not wait for one whose sender has gone', async () => {
    const { server, send, held, letGo, refusals } = await serveHeld(roomFor(1));
    const first = send(large());
    await until(() => held.length);
    const socket = sendSlowly(server.port, STEP + 1, LARGE);
    await hasCome(server, 1, socket);
    const third = send(large());
    await until(() => server.requests.length === 3);
    socket.destroy();
    expect(await until(() => refusals[0])).toBe(400);
    letGo();
    await until(() => held.length);
    letGo();
    expect([(await first).status, (await third).status]).toEqual([200, 200]);
  });

  it('that fail let go of what they held', async () => {
    const bodies = new BodyReceiver({ ...roomFor(1), waitMs: 50 });
    const { send } = await serve(bodies, () => Promise.reject(new AppError(500, 'webhook.failed', 'failed')));
    for (let n = 0; n < 3; n++) expect((await send(large())).status).toBe(500);
  });

  it('of one app leave room for those of others, and those of one sender for those of others to the same app', async () => {
    const { send, held, letGo } = await serveHeld({ ...roomFor(3, 2, 1), waitMs: 50 });
    const from = async (app: string, sender: string) =>
      (await send(large(), { 'X-App': app, 'X-Sender': sender })).status;
    const answers = [from('a', 's')];
    await until(() => held.length === 1);
    expect(await from('a', 's')).toBe(503);
    answers.push(from('a', 't'));
    await until(() => held.length === 2);
    expect(await from('a', 'u')).toBe(503);
    answers.push(from('b', 's'));
    await until(() => held.length === 3);
    expect(await from('c', 's')).toBe(503);
    letGo();
    expect(await Promise.all(answers)).toEqual([200, 200, 200]);
  });

  it.each([
    ['with a length', MAX_WEBHOOK_BYTES],
    ['in chunks', null],
  ])('hold what has come of them, not what may come: %s', async (_how, announced) => {
    const { server, send } = await serve();
    const sockets = Array.from({ length: 40 }, () => sendSlowly(server.port, 1_000, announced));
    await until(() => server.requests.length === sockets.length);
    expect((await send(Buffer.alloc(MAX_WEBHOOK_BYTES))).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  it('that do not go on are ended, and others take their place', async () => {
    const { server, send, refusals } = await serve(new BodyReceiver({ ...roomFor(1), ...PATIENT, stepMs: 3_000 }));
    const socket = sendSlowly(server.port, STEP + 1, LARGE);
    await hasCome(server, 0, socket);
    expect((await send(large())).status).toBe(200);
    expect(refusals).toEqual([408]);
    socket.destroy();
  });
});
