import { Body, Controller, Module, Post, type INestApplication } from '@nestjs/common';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { parseConfig, serviceConfig, servicePorts } from '../config.js';
import { createLogger } from '../logging.js';
import { createService } from '../service.js';
import { until } from '../testing/until.js';

let handled = 0;

@Controller('v1')
class Things {
  @Post('any') any(@Body() _body: unknown) {
    handled++;
    return {};
  }
}

@Module({ controllers: [Things] })
class ThingsModule {}

let app: INestApplication;
let server: Server;
beforeAll(async () => {
  const env = {
    NODE_ENV: 'test',
    DATABASE_URL: 'postgres://unused',
    SERVICE_TOKENS: 'test:test-service-token-0123456789',
  };
  const openApi = { service: 'things', title: 'Things', description: 'Things.' };
  const definition = {
    name: 'things',
    config: parseConfig({ ...serviceConfig, ...servicePorts(0) }, env),
    module: ThingsModule,
    openApi,
  };
  app = await createService(definition, createLogger('things', 'silent'));
  await app.listen(0, '127.0.0.1');
  server = app.getHttpServer() as Server;
});
afterAll(() => app.close());

/**
 * Sends `start` at once and then `drop` repeatedly. Returns the answer when the server has ended
 * the connection.
 */
async function trickle(start: string, drop: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  socket.on('error', () => undefined); // the server can have closed it
  socket.write(start);
  const dropping = setInterval(() => socket.write(drop), 100);
  await once(socket, 'close');
  clearInterval(dropping);
  return answer;
}

const HEAD = 'POST /v1/any HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

describe('a client that takes its time', () => {
  it('has 10 s for a whole request', () => {
    expect(server).toMatchObject({ requestTimeout: 10_000, headersTimeout: 10_000 });
  });

  it('is cut off however it keeps the connection busy, and reaches no route', async () => {
    const answers = await Promise.all([
      trickle(`${HEAD}Content-Length: 60000\r\n\r\n{"x":"`, 'x'),
      trickle(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`, '1\r\nx\r\n'),
      trickle(HEAD, 'X: x\r\n'),
      trickle('POST /v1/any', '/x'),
    ]);
    for (const answer of answers) expect(answer).toMatch(/^(HTTP\/1\.1 408 |$)/);
    expect(handled).toBe(0);
    await until(async () => (await connections()) === 0);
  });

  it('that sends nothing gets no answer: a process that is behind has not seen what it sent, and it may come again', async () => {
    const [silent, begun] = await Promise.all([trickle('', ''), trickle('G', '')]);
    expect(silent).toBe('');
    expect(begun).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('that announces 50 MB is refused before it sends them', async () => {
    const answer = await trickle(`${HEAD}Content-Length: ${50 * 1024 * 1024}\r\nConnection: close\r\n\r\n{"x":"`, 'x');
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(handled).toBe(0);
  });
});

const connections = (): Promise<number> =>
  new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))));
