import { exchangeRaw, framingAttacks, sendAndClose, TEST_SERVICE_TOKEN, TestService, until } from '@platform/testing';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { loadConfig } from '../config.js';
import { panel } from '../service.js';

const IN = '/v1/ext/app/webhook/in';
const HIDDEN = '/v1/ext/app/webhook/hidden';
const NEXT = '/v1/ext/app/webhook/next';
const FOLLOW_UP = Buffer.from(`GET ${NEXT} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);

interface Seen {
  method: string | undefined;
  url: string | undefined;
  body: string;
}

let folder: string;
let service: TestService;
/** Server behind the panel. It echoes each request that it receives. */
let decoy: Server;
/** Complete requests, in order of their completion. */
let seen: Seen[] = [];
const connections = new Set<Socket>();

const start = (url: string, beside?: TestService) =>
  TestService.start((env) => panel(loadConfig(env), { web: folder, packages: resolve('dist/packages') }), {
    ...(beside && { sharedWith: beside }),
    env: { GATEWAY_SERVICE_TOKEN: TEST_SERVICE_TOKEN, EXT_WEBHOOK_HOST_URL: url },
  });
const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'panel-framing-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  writeFileSync(join(folder, 'pay.html'), '<!doctype html>');
  decoy = createServer(({ method, url }, response) => {
    const { req: request } = response;
    const chunks: Buffer[] = [];
    request.on('error', () => undefined); // the connection was lost
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const whole = { method, url, body: Buffer.concat(chunks).toString() };
      seen.push(whole);
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(whole));
    });
  }).listen(0, '127.0.0.1');
  decoy.on('connection', (socket: Socket) => connections.add(socket));
  await once(decoy, 'listening');
  service = await start(`http://127.0.0.1:${portOf(decoy)}`);
});
beforeEach(() => {
  seen = [];
  connections.clear();
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
  decoy.closeAllConnections();
  await new Promise((done) => decoy.close(done));
});

let honest = 0;

/** Sends the request of another client over the existing connections to the host. */
async function somebodyElse(): Promise<Seen> {
  const secret = `secret ${++honest}`;
  const theirs = { method: 'POST', url: `${IN}/${honest}`, body: secret };
  const { status, body } = await service.client().post<Seen>(theirs.url, undefined, { raw: secret });
  expect({ status, body }).toEqual({ status: 200, body: theirs });
  return theirs;
}

const attacks = framingAttacks({ path: IN, hidden: HIDDEN });
const named = (...outcomes: string[]) =>
  attacks
    .filter(({ outcome }) => outcomes.includes(outcome))
    .map((attack) => [`${attack.family}: ${attack.name}`, attack] as const);

describe('what stands behind the panel', () => {
  it.each(named('refused', 'broken'))('sees nothing of what could be two requests: %s', async (_name, { message }) => {
    const { answers, ended } = await exchangeRaw(service.url, Buffer.concat([message, FOLLOW_UP]));
    expect({ answers: answers.length, ended }).toEqual({ answers: 1, ended: true });
    expect([400, 413, 431, 505]).toContain(answers[0]?.status);
    expect(seen).toEqual([await somebodyElse()]);
  });

  it.each(named('one'))('sees one request where one was sent: %s', async (_name, { message, method, body }) => {
    const first = await somebodyElse();
    const { answers } = await exchangeRaw(service.url, Buffer.concat([message, FOLLOW_UP]));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [attack, next] = [
      { method, url: IN, body },
      { method: 'GET', url: NEXT, body: '' },
    ];
    const others = [first, await somebodyElse()];
    expect(seen).toHaveLength(4);
    expect(seen).toEqual(expect.arrayContaining([attack, next, ...others]));
    if (method !== 'HEAD') expect(answers[0]?.body).toContain(JSON.stringify(attack));
    expect(answers[1]?.body).toContain(JSON.stringify(next));
  });

  it.each(named('last'))(
    'sees one request, and nothing of what follows it: %s',
    async (_name, { message, method, body }) => {
      const { answers, ended } = await exchangeRaw(service.url, Buffer.concat([message, FOLLOW_UP]));
      expect({ status: answers.map(({ status }) => status), ended }).toEqual({ status: [200], ended: true });
      expect(seen).toEqual([{ method, url: IN, body }, await somebodyElse()]);
    },
  );

  it('sees nothing of what is cut in two behind a request for another protocol', async () => {
    const asked = `POST ${IN} HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: h2c\r\nContent-Length: 2\r\n\r\n{}`;
    const inner = `GET ${HIDDEN} HTTP/1.1\r\nHost: a\r\n\r\n`;
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.setNoDelay();
    const closed = once(socket, 'close');
    socket.on('error', () => undefined); // the panel can have closed it already
    let answered = '';
    socket.on('data', (piece: Buffer) => (answered += String(piece)));
    socket.write(`${asked}POST ${NEXT} HTTP/1.1\r\nHost: a\r\nContent-Length: ${inner.length}\r\n\r\n`);
    await until(() => seen.length === 1); // the panel has read the first packet
    socket.write(inner);
    await closed;
    expect(answered.match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
    expect(seen).toEqual([{ method: 'POST', url: IN, body: '{}' }, await somebodyElse()]);
  });

  it('sees nothing of a body in far more pieces than anybody sends', async () => {
    const message = `POST ${IN} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(6_000)}0\r\n\r\n`;
    const { answers, ended } = await exchangeRaw(service.url, Buffer.concat([Buffer.from(message), FOLLOW_UP]));
    expect({ answers, ended }).toEqual({ answers: [{ status: 400, body: '' }], ended: true });
    expect(seen).toEqual([await somebodyElse()]);
  });

  it.each(named('unfinished'))('sees no request in what is left unfinished: %s', async (_name, { message }) => {
    await sendAndClose(service.url, message);
    expect(seen).toEqual([await somebodyElse()]);
  });

  it('sees as many requests as were sent at once on one connection, each with its own body', async () => {
    const sent = Array.from({ length: 20 }, (_, n) => {
      const body = `GET ${HIDDEN} HTTP/1.1\r\nX: ${n}\r\n\r\n`;
      const head = `Host: a\r\nContent-Type: text/plain\r\n${n === 19 ? 'Connection: close\r\n' : ''}`;
      const framed =
        n % 2
          ? `Content-Length: ${body.length}\r\n\r\n${body}`
          : `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
      return {
        request: { method: 'PUT', url: `${IN}/${n}`, body },
        message: `PUT ${IN}/${n} HTTP/1.1\r\n${head}${framed}`,
      };
    });
    const { answers } = await exchangeRaw(service.url, sent.map(({ message }) => message).join(''));
    expect(answers.map(({ status }) => status)).toEqual(sent.map(() => 200));
    for (const [at, { request }] of sent.entries()) expect(answers[at]?.body).toContain(JSON.stringify(request));
    const byUrl = (one: Seen, other: Seen) => String(one.url).localeCompare(String(other.url));
    expect([...seen].sort(byUrl)).toEqual(sent.map(({ request }) => request).sort(byUrl));
  });

  it('sees the requests of many who attack and many who do not, each as it was sent', async () => {
    const broken = named('refused', 'broken').map(([, { message }]) => exchangeRaw(service.url, message, 1));
    const others = await Promise.all(Array.from({ length: 100 }, () => somebodyElse()));
    await Promise.all(broken);
    expect(new Set(seen.map(({ url }) => url))).toEqual(new Set(others.map(({ url }) => url)));
    expect(seen).toHaveLength(others.length);
  });

  it('gets each request on a connection that is kept, and nothing of one that breaks off', async () => {
    for (let n = 0; n < 5; n++) await somebodyElse();
    expect(connections.size).toBeLessThan(3);
    const kept = [...connections];
    await sendAndClose(service.url, `POST ${IN} HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf`);
    await somebodyElse();
    expect([...connections]).toEqual(kept);
    expect(kept.filter(({ destroyed }) => destroyed)).toEqual([]);
  });
});

describe('what the host answers', () => {
  const OK = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\nmine';
  const STOLEN = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 6\r\n\r\nstolen';

  /**
   * Starts a panel with a host that answers with exactly these bytes. A second client's request
   * gets `OK`.
   */
  async function behind(answer: string, { close = false } = {}) {
    let connectionCount = 0;
    const host = createTcpServer((socket) => {
      connectionCount++;
      socket.on('error', () => undefined);
      socket.on('data', (chunk: Buffer) => {
        if (!/^[A-Z]+ \//.test(chunk.toString())) return;
        const isFirst = chunk.toString().includes(`${IN}?first`);
        socket.write(isFirst ? answer : OK, () => isFirst && close && socket.destroy());
      });
    }).listen(0, '127.0.0.1');
    await once(host, 'listening');
    const front = await start(`http://127.0.0.1:${portOf(host)}`, service);
    const get = (query: string) =>
      exchangeRaw(front.url, `GET ${IN}?${query} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    const [first] = (await get('first')).answers;
    const others = [];
    for (let n = 0; n < 3; n++) others.push((await get('other')).answers);
    await front.app.close();
    await new Promise((done) => host.close(done));
    return { first, others, connectionCount };
  }
  const OWN = [expect.objectContaining({ status: 200, body: 'mine' })];

  it.each([
    ['a second answer behind the first', `${OK}${STOLEN}`],
    ['more bytes than it has announced', OK.replace('mine', 'mine and more')],
    ['two lengths', OK.replace('Content-Length: 4', 'Content-Length: 4\r\nContent-Length: 40')],
    ['a length and an encoding', OK.replace('Content-Length: 4', 'Content-Length: 4\r\nTransfer-Encoding: chunked')],
    ['chunks that are none', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nmine\r\n${STOLEN}`],
    ['a folded header', OK.replace('text/plain', 'text/plain\r\n ;a=b')],
    ['a bare line feed', OK.replace('OK\r\n', 'OK\n')],
    ['no status', `mine\r\n\r\n${STOLEN}`],
    ['a body on a status without one', `HTTP/1.1 204 No Content\r\nContent-Length: ${STOLEN.length}\r\n\r\n${STOLEN}`],
    ['a switch of protocols', `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n${STOLEN}`],
  ])('is of one request, and the next has its own: %s', async (_what, answer) => {
    const { first, others } = await behind(answer);
    expect(others).toEqual([OWN, OWN, OWN]);
    expect(first?.body ?? '').not.toContain('stolen');
  });

  it('ends with the connection where it breaks off, and is not taken for whole', async () => {
    const cut = OK.replace('Content-Length: 4', 'Content-Length: 40');
    const { first, others } = await behind(cut, { close: true });
    expect(others).toEqual([OWN, OWN, OWN]);
    if (first?.status === 200) expect(first.body).toBe('mine'); // shorter than announced, then the connection ends
  });
});

it('is not stopped by a client that leaves while its answer comes', async () => {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.write(`POST ${IN} HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nwhole`);
  await until(() => seen.length === 1);
  socket.destroy();
  const other = await somebodyElse();
  expect(seen).toEqual([{ method: 'POST', url: IN, body: 'whole' }, other]);
});
