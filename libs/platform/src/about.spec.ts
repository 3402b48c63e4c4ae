import { Module, type INestApplication } from '@nestjs/common';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseConfig, serviceConfig, servicePorts } from './config.js';
import { serveWaiting } from './http/waiting-server.js';
import { createLogger } from './logging.js';
import { createService } from './service.js';

@Module({})
class NothingModule {}

const config = parseConfig(
  { ...serviceConfig, ...servicePorts(4000) },
  { DATABASE_URL: 'postgres://a:b@c/d', SERVICE_TOKENS: `a:${'x'.repeat(24)}` },
);
const about = { name: 'A <platform>', description: 'For programs.', panel: 'https://panel.example.com/?a=1&b="' };
let app: INestApplication | undefined;
afterEach(() => app?.close());

async function start(definition: object): Promise<string> {
  app = await createService({ name: 'a', config, module: NothingModule, ...definition }, createLogger('a', 'silent'));
  await app.listen(0, '127.0.0.1');
  return `http://127.0.0.1:${((app.getHttpServer() as Server).address() as AddressInfo).port}/`;
}

it('GET / says what a service is: to programs as JSON, to browsers as a page in which nothing is markup', async () => {
  const url = await start({ about });
  const answer = await fetch(url);
  expect([answer.status, await answer.json()]).toEqual([200, about]);
  const page = await fetch(url, { headers: { Accept: 'text/html,*/*;q=0.8' } });
  expect(page.headers.get('content-type')).toContain('text/html');
  const text = await page.text();
  expect(text).toContain('A &#60;platform&#62;');
  expect(text).toContain('href="https://panel.example.com/?a=1&#38;b=&#34;"');
});

it('GET / of a service that says nothing is no route', async () => {
  expect((await fetch(await start({}))).status).toBe(404);
});

it('a service that waits is alive, and says to everything else what it waits for', async () => {
  const server: Server = await serveWaiting(
    '127.0.0.1',
    0,
    () => 'The database lacks 3 migrations. Run npm run migrate.',
  );
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    for (const path of ['/readyz', '/v1/auth/me', '/']) {
      const answer = await fetch(`${url}${path}`, { method: path === '/' ? 'POST' : 'GET' });
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
      expect(await answer.json()).toMatchObject({
        code: 'not_ready',
        request_id: answer.headers.get('x-request-id'),
        detail: 'The database lacks 3 migrations. Run npm run migrate.',
      });
    }
  } finally {
    server.close();
  }
});
