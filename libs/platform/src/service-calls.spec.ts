import { ApiError, ConnectionError } from '@platform/client';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { ServiceCalls } from './service-calls.js';
import { ServiceUnavailable } from './service-unavailable.js';

/** Longer than any test. */
const WHILE_MS = 3_600_000;

/** Numbers of answered health checks and calls. */
let isReady: boolean;
let answers: number;
/** While true, the service accepts no connections but keeps its port. */
let isAway: boolean;
let port: number;
let server: Server;
let received: string[];
/** Number of failed readiness checks. */
let looksInVain: number;
let calls: ServiceCalls;
const start = (): void => {
  isAway = false;
};
const stop = (): void => {
  isAway = true;
  server.closeAllConnections();
};
const ask = async (path: string): Promise<string> => {
  const { status } = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } }).catch(
    (cause: unknown) => {
      throw new ConnectionError('unreachable', 'It is not there.', { cause });
    },
  );
  if (status >= 500) throw new ApiError(`It answered ${status}.`, { status, code: `http_${status}` });
  return 'done';
};
const call = () => calls.callOnce('call', () => ask('/call')).catch((error: unknown) => error);
const made = () => received.filter((url) => url === '/call').length;
/** Waits for one more failed readiness check. */
async function lookedInVain(): Promise<void> {
  const before = looksInVain;
  while (looksInVain === before) await delay(10);
}
/** Fails calls until the circuit opens. */
async function openCircuit(): Promise<void> {
  for (let failed = 0; failed < 5; failed++) expect(await call()).toBeInstanceOf(ServiceUnavailable);
}
/** Calls until one succeeds. */
async function untilDone(): Promise<void> {
  while ((await call()) !== 'done') await delay(10);
}
const looks = () => received.filter((url) => url === '/readyz').length;
/** Waits for this number of further readiness checks. */
async function lookedAgain(times: number): Promise<void> {
  const before = looks();
  while (looks() < before + times) await delay(10);
}

beforeEach(async () => {
  [isReady, answers, isAway, received, looksInVain] = [true, 200, false, [], 0];
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
  server = createServer((request, response) => {
    received.push(request.url ?? '');
    response.writeHead(request.url === '/readyz' ? (isReady ? 200 : 503) : answers).end();
  });
  server.on('connection', (socket) => {
    if (isAway) socket.destroy();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  ({ port } = server.address() as AddressInfo);
});
afterEach(async () => {
  calls.close();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

describe('calls of a service that was away', () => {
  it('are made again as soon as it is ready, long before the while is over', async () => {
    expect(await call()).toBe('done');
    stop();
    await openCircuit();
    await lookedInVain();
    expect(await call()).toBeInstanceOf(ServiceUnavailable);
    start();
    await untilDone();
    expect(await Promise.all(Array.from({ length: 20 }, call))).toEqual(Array.from({ length: 20 }, () => 'done'));
  });

  it('are not made while it is there and not ready yet', async () => {
    stop();
    await openCircuit();
    isReady = false;
    start();
    for (let looks = 0; looks < 3; looks++) await lookedInVain();
    expect(await call()).toBeInstanceOf(ServiceUnavailable);
    expect(made()).toBe(0);
    isReady = true;
    await untilDone();
  });

  it('are refused for a while again when the first one fails, and made once it was away and is back', async () => {
    stop();
    await openCircuit();
    await lookedInVain();
    answers = 500;
    start();
    for (let calls = 0; !made(); calls++) {
      expect(calls).toBeLessThan(6_000); // a minute
      await call();
      await delay(10);
    }
    for (let time = 0; time < 3; time++) {
      expect(await call()).toBeInstanceOf(ServiceUnavailable);
      await lookedAgain(1);
    }
    expect(await call()).toBeInstanceOf(ServiceUnavailable);
    expect(made()).toBe(1);
    stop();
    await lookedInVain();
    answers = 200;
    start();
    await untilDone();
  });
});

it('calls of a service that is ready and fails are refused for the whole while', async () => {
  answers = 500;
  await openCircuit();
  expect(made()).toBe(5);
  answers = 200;
  await lookedAgain(4);
  expect(await call()).toBeInstanceOf(ServiceUnavailable);
  expect(made()).toBe(5);
});

it('nobody looks any more once it is closed, nor while all is well', async () => {
  jest.useFakeTimers();
  const isReadyNow = jest.fn(() => Promise.resolve());
  const own = new ServiceCalls({
    service: 'registry',
    metrics: new Registry(),
    probeAfterMs: WHILE_MS,
    isReady: isReadyNow,
  });
  const attempt = (work: () => Promise<unknown>) => own.callOnce('call', work).catch((error: unknown) => error);
  await attempt(() => Promise.resolve());
  await jest.advanceTimersByTimeAsync(60_000);
  expect(isReadyNow).not.toHaveBeenCalled();
  for (let failed = 0; failed < 5; failed++)
    await attempt(() => Promise.reject(new ConnectionError('unreachable', 'It is not there.')));
  await jest.advanceTimersByTimeAsync(1_000);
  const before = isReadyNow.mock.calls.length;
  expect(before).toBeGreaterThan(1);
  own.close();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(isReadyNow).toHaveBeenCalledTimes(before);
  jest.useRealTimers();
});
