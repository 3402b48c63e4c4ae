import { Body, Controller, Module, Post, type INestApplication } from '@nestjs/common';
import { once } from 'node:events';
import { request as sendRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseConfig, serviceConfig, servicePorts } from '../../config.js';
import { createLogger } from '../../logging.js';
import { runInContext } from '../../request-context.js';
import { createService } from '../../service.js';
import { until } from '../../testing/until.js';
import { senderOf } from './body-reader.js';

const MEBIBYTE = 1024 * 1024;
/**
 * Bodies of 1 MiB that fit into one sender's share: 16 MiB beyond the first 256 KiB of each body.
 */
const HELD = 21;

/** Running requests. */
let held: { of: string; done: () => void }[] = [];

@Controller('v1')
class Things {
  /** Runs until the test ends it. */
  @Post('slow') async slow(@Body() { of }: { of: string }) {
    await new Promise<void>((done) => held.push({ of, done }));
    return { of };
  }
}

@Module({ controllers: [Things] })
class ThingsModule {}

let app: INestApplication;
let port: number;
beforeAll(async () => {
  const env = {
    NODE_ENV: 'test',
    DATABASE_URL: 'postgres://unused',
    SERVICE_TOKENS: 'test:test-service-token-0123456789',
  };
  const definition = {
    name: 'things',
    config: parseConfig({ ...serviceConfig, ...servicePorts(0) }, env),
    module: ThingsModule,
  };
  app = await createService(definition, createLogger('things', 'silent'));
  await app.listen(0, '127.0.0.1');
  port = ((app.getHttpServer() as Server).address() as AddressInfo).port;
});
beforeEach(() => (held = []));
afterAll(() => app.close());

/** Sends a body of this size from an address. Returns the status. */
async function send(localAddress: string, bytes: number): Promise<number | undefined> {
  const start = `{"of":"${localAddress}","x":"`;
  const body = `${start}${'x'.repeat(bytes - start.length - 2)}"}`;
  const request = sendRequest({
    port,
    host: '127.0.0.1',
    localAddress,
    path: '/v1/slow',
    method: 'POST',
    agent: false,
    headers: JSON_TYPE,
  });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}
const JSON_TYPE = { 'Content-Type': 'application/json' };

it('bodies of one address take a share of the memory until they are answered, and leave room for others', async () => {
  const answers: Promise<number | undefined>[] = [];
  for (let sent = 1; sent <= HELD; sent++) {
    answers.push(send('127.0.0.1', MEBIBYTE));
    await until(() => held.length === sent);
  }
  answers.push(send('127.0.0.1', MEBIBYTE), send('127.0.0.2', MEBIBYTE));
  await until(() => held.length > HELD);
  expect(held.map(({ of }) => of)).toEqual([...Array<string>(HELD).fill('127.0.0.1'), '127.0.0.2']);
  held[0]?.done();
  await until(() => held.length > HELD + 1);
  for (const { done } of held) done();
  expect(await Promise.all(answers)).toEqual(Array(answers.length).fill(201));
});

it.each([
  ['user:usr_1', 'user:usr_1'],
  ['user:usr_1/key:key_1', 'user:usr_1'],
  ['user:usr_1/key:key_2', 'user:usr_1'],
  ['service:assistant/user:usr_1', 'service:assistant/user:usr_1 req_1'],
  [undefined, '192.0.2.1'],
])('the sender of a body by %s is %s', (caller, sender) => {
  const context = {
    requestId: 'req_1',
    log: createLogger('things', 'silent'),
    ...(caller !== undefined && { caller }),
  };
  expect(runInContext(context, () => senderOf({ ip: '192.0.2.1' }))).toBe(sender);
});

it('small bodies are many at once', async () => {
  const answers = Array.from({ length: 200 }, () => send('127.0.0.1', 1_000));
  await until(() => held.length === answers.length);
  for (const { done } of held) done();
  expect(await Promise.all(answers)).toEqual(Array(answers.length).fill(201));
});
