import { ApiError, ConnectionError } from '@platform/client';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { ServiceCalls } from './service-calls.js';
import { ServiceUnavailable } from './service-unavailable.js';

const WHILE_MS = 30_000;

/** What the service answers: to whether it is ready, and to calls. Null: it is not there. */
let isReady: boolean;
let answers: number;
let port: number;
let server: Server | null;
let received: string[];
/** How often it was seen that it is away, or not ready. */
let looksInVain: number;
let calls: ServiceCalls;
const start = async (): Promise<void> => {
  server = createServer((request, response) => {
    received.push(request.url ?? '');
    response.writeHead(request.url === '/readyz' ? (isReady ? 200 : 503) : answers).end();
  });
  await new Promise<void>((done) => server?.listen(port, '127.0.0.1', done));
  ({ port } = server.address() as AddressInfo);
};
const stop = async (): Promise<void> => {
  const stopped = new Promise((done) => (server ? server.close(done) : done(null)));
  server?.closeAllConnections();
  server = null;
  await stopped;
};
const ask = async (path: string): Promise<string> => {
  const { status } = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } }).catch((cause: unknown) => {
    throw new ConnectionError('unreachable', 'It is not there.', { cause });
  });
  if (status >= 500) throw new ApiError(`It answered ${status}.`, { status, code: `http_${status}` });
  return 'done';
};
const call = () => calls.once('call', () => ask('/call')).catch((error: unknown) => error);
const made = () => received.filter((url) => url === '/call').length;
/** Until it was seen once more that it is away, or not ready. */
async function lookedInVain(): Promise<void> {
  const before = looksInVain;
  while (looksInVain === before) await delay(10);
}
/** Until calls are refused without being made. */
async function openCircuit(): Promise<void> {
  for (let failed = 0; failed < 5; failed++) expect(await call()).toBeInstanceOf(ServiceUnavailable);
}
/** Calls until one succeeds; the milliseconds that took. */
async function untilDone(): Promise<number> {
  const began = performance.now();
  while ((await call()) !== 'done') {
    if (performance.now() - began > 10_000) throw new Error('It did not come back.');
    await delay(10);
  }
  return performance.now() - began;
}

beforeEach(async () => {
  [isReady, answers, port, received, looksInVain] = [true, 200, 0, [], 0];
  calls = new ServiceCalls({
    service: 'registry',
    metrics: new Registry(),
    probeAfterMs: WHILE_MS,
    isReady: () =>
      ask('/readyz').catch((error: unknown) => {
        looksInVain++;
        throw error;
      }),
  });
  await start();
});
afterEach(async () => {
  calls.close();
  await stop();
});

describe('calls of a service that was away', () => {
  it('are made again as soon as it is ready, long before the while is over', async () => {
    expect(await call()).toBe('done');
    await stop();
    await openCircuit();
    await lookedInVain();
    expect(await call()).toBeInstanceOf(ServiceUnavailable);
    await start();
    expect(await untilDone()).toBeLessThan(5_000);
    expect(await Promise.all(Array.from({ length: 20 }, call))).toEqual(Array.from({ length: 20 }, () => 'done'));
  });

  it('are not made while it is there and not ready yet', async () => {
    await stop();
    await openCircuit();
    isReady = false;
    await start();
    for (let looks = 0; looks < 3; looks++) await lookedInVain();
    expect(await call()).toBeInstanceOf(ServiceUnavailable);
    expect(made()).toBe(0);
    isReady = true;
    await untilDone();
  });

  it('are refused for a while again when the first one fails, and made once it was away and is back', async () => {
    await stop();
    await openCircuit();
    answers = 500;
    await start();
    while (!made()) {
      await call();
      await delay(10);
    }
    for (let time = 0; time < 30; time++) {
      expect(await call()).toBeInstanceOf(ServiceUnavailable);
      await delay(10);
    }
    expect(made()).toBe(1);
    await stop();
    await lookedInVain();
    answers = 200;
    await start();
    await untilDone();
  });
});

it('calls of a service that is ready and fails are refused for the whole while', async () => {
  answers = 500;
  await openCircuit();
  expect(made()).toBe(5);
  answers = 200;
  await delay(500);
  expect(await call()).toBeInstanceOf(ServiceUnavailable);
  expect(made()).toBe(5);
});

it('nobody looks any more once it is closed, nor while all is well', async () => {
  const looks = () => received.filter((url) => url === '/readyz').length;
  await call();
  answers = 500;
  await openCircuit();
  while (!looks()) await delay(10);
  calls.close();
  await delay(100);
  const before = looks();
  await delay(300);
  expect(looks()).toBe(before);
});
