import { until } from '@platform/testing';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { AnswersToRead } from './answers-to-read.js';

const MEBIBYTE = 1024 * 1024;

let server: Server;
let answers: AnswersToRead;
const sockets = new Set<Socket>();

beforeAll(async () => {
  // Answers with as many MiB as the path says. The path also names the sender.
  server = createServer((request, response) => {
    const [, sender = '', mebibytes] = request.url?.split('/') ?? [];
    response.writeHead(200);
    answers.write(sender, response, Buffer.alloc(Number(mebibytes) * MEBIBYTE));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

const portOf = () => (server.address() as AddressInfo).port;

/** Sends a request, and does not read the answer. */
async function ask(path: string): Promise<Socket> {
  const socket = connect(portOf(), '127.0.0.1');
  sockets.add(socket);
  socket.on('error', () => undefined);
  socket.pause();
  const came = once(server, 'request');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  await came;
  return socket;
}

async function bytesReadFrom(socket: Socket): Promise<number> {
  let bytes = 0;
  socket.on('data', (piece: Buffer) => (bytes += piece.length));
  socket.resume();
  await once(socket, 'close');
  return bytes;
}

const open = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));

describe('answers that are to be read', () => {
  it('come whole to who reads them late', async () => {
    answers = new AnswersToRead({ ms: 20_000 });
    const socket = await ask('/slow/16');
    expect(await bytesReadFrom(socket)).toBeGreaterThan(16 * MEBIBYTE);
  });

  it('end with their connection when they are not read in time, and take nothing then', async () => {
    answers = new AnswersToRead({ ms: 3_000, bytesPerSender: 20 * MEBIBYTE });
    const unread = await ask('/slow/16');
    await until(async () => (await open()) === 0);
    expect(await bytesReadFrom(unread)).toBeLessThan(16 * MEBIBYTE);
    expect(await bytesReadFrom(await ask('/slow/16'))).toBeGreaterThan(16 * MEBIBYTE);
  });

  it('are no more of one sender, and in all, than there is memory for', async () => {
    answers = new AnswersToRead({ ms: 20_000, bytesPerSender: 40 * MEBIBYTE, bytes: 60 * MEBIBYTE });
    await ask('/one/32');
    expect(await bytesReadFrom(await ask('/one/16'))).toBeLessThan(16 * MEBIBYTE);
    expect(await bytesReadFrom(await ask('/one/0.0625'))).toBeGreaterThan(0.0625 * MEBIBYTE); // the system buffers this much at once
    const other = await ask('/other/24');
    expect(await bytesReadFrom(await ask('/third/16'))).toBeLessThan(16 * MEBIBYTE);
    expect(await bytesReadFrom(other)).toBeGreaterThan(24 * MEBIBYTE);
    expect(await bytesReadFrom(await ask('/third/16'))).toBeGreaterThan(16 * MEBIBYTE);
  });

  it('are no more of one sender than so many, however little there is of each', async () => {
    answers = new AnswersToRead({ ms: 20_000, bytesPerSender: 128 * MEBIBYTE, answersPerSender: 2 });
    const first = await ask('/one/16');
    await ask('/one/16');
    expect(await bytesReadFrom(await ask('/one/16'))).toBeLessThan(16 * MEBIBYTE);
    expect(await bytesReadFrom(await ask('/other/16'))).toBeGreaterThan(16 * MEBIBYTE);
    expect(await bytesReadFrom(first)).toBeGreaterThan(16 * MEBIBYTE);
    expect(await bytesReadFrom(await ask('/one/16'))).toBeGreaterThan(16 * MEBIBYTE);
  });
});
