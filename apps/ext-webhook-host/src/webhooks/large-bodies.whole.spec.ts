import { sha256 } from '@platform/platform';
import { TestService, until } from '@platform/testing';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { loadConfig } from '../config.js';
import { extWebhookHost } from '../service.js';
import { TestApps } from '../testing/test-apps.js';

let service: TestService;
let apps: TestApps;
beforeAll(async () => {
  service = await TestService.start((env) => extWebhookHost(loadConfig(env)));
  apps = new TestApps(service);
  apps.deploy('app', [{ path: 'hash', handler: (_event, { body }) => ({ body: sha256(body).toString('hex') }) }]);
});
afterAll(() => service.stop());

const at = (path: string, app = 'app') => `/v1/ext/${app}/webhook/${path}`;
const hashOf = (body: Uint8Array | string) => sha256(Buffer.from(body)).toString('hex');

/**
 * Runs in its own thread, so that sending does not slow the service. Retries until it succeeds,
 * like a provider.
 */
const SENDER = `
  const { parentPort, workerData: { url, count, bytes } } = require('node:worker_threads');
  const { createHash, randomBytes } = require('node:crypto');
  const body = randomBytes(bytes);
  const send = async () => {
    const answer = await fetch(url, { method: 'POST', body }).then(
      async (response) => ({ status: response.status, text: await response.text() }),
      () => null, // a connection that took too long on a busy machine
    );
    return answer?.status === 200 ? answer.text : send();
  };
  Promise.all(Array.from({ length: count }, send)).then((hashes) =>
    parentPort.postMessage({ hashes, expected: createHash('sha256').update(body).digest('hex') }));
`;

describe('the body of a request', () => {
  it.each([
    ['announced', 'Content-Length: 10485760', ''],
    ['in chunks', 'Transfer-Encoding: chunked', '500000\r\n'],
  ])('that many send slowly to one app leaves room for the large ones of others: %s', async (_how, framing, chunk) => {
    apps.deploy('other', [{ path: 'hash', handler: (_event, { body }) => ({ body: sha256(body).toString('hex') }) }]);
    const sockets = Array.from({ length: 60 }, () => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(`POST ${at('hash')} HTTP/1.1\r\nHost: a\r\n${framing}\r\n\r\n${chunk}${'x'.repeat(600 * 1024)}`);
      return socket;
    });
    const answers: string[] = [];
    for (const socket of sockets) socket.on('data', (answer) => answers.push(answer.toString()));
    const raw = randomBytes(10 * 1024 * 1024);
    const sent = await service.client().post(at('hash', 'other'), undefined, { raw });
    expect({ status: sent.status, body: sent.body }).toEqual({ status: 200, body: hashOf(raw) });
    // The service soon disconnects a client that stops sending.
    await until(() => answers.some((answer) => answer.startsWith('HTTP/1.1 408 ')));
    for (const socket of sockets) socket.destroy();
  });

  it('of 10 MiB, fifty at once, leave the health of the service to be had', async () => {
    const sender = new Worker(SENDER, {
      eval: true,
      workerData: { url: `${service.url}${at('hash')}`, count: 50, bytes: 10 * 1024 * 1024 },
    });
    const healths: number[] = [];
    let answers: { hashes: string[]; expected: string } | undefined;
    let failure: unknown;
    sender.once('message', (message: typeof answers) => (answers = message));
    sender.once('error', (error) => (failure = error));
    // `npm run bench` measures how soon the service has capacity again.
    await until(async () => {
      healths.push((await service.client().get('/healthz')).status);
      return answers ?? failure;
    });
    expect(failure).toBeUndefined();
    expect(answers?.hashes).toEqual(Array.from({ length: 50 }, () => answers?.expected));
    expect(healths.length).toBeGreaterThan(1);
    expect(new Set(healths)).toEqual(new Set([200]));
  });
});
