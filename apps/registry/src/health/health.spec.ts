import { createTestDatabase, TestService, until, TestProxy, type TestDatabase } from '@platform/testing';
import { loadConfig } from '../config.js';
import { registry } from '../service.js';

let database: TestDatabase;
let wire: TestProxy;
let service: TestService;
beforeAll(async () => {
  database = await createTestDatabase();
  wire = await TestProxy.start(database.url);
  service = await TestService.start((env) => registry(loadConfig(env)), { env: { DATABASE_URL: wire.url } });
});
afterAll(async () => {
  await service.stop();
  await wire.cut();
  await database.drop();
});

describe.each(['/v1/health', '/health'])('GET %s', (path) => {
  it('says whether the database is there', async () => {
    const client = service.client();
    expect(await client.get(path)).toMatchObject({ status: 200, body: { status: 'ok', database: 'ok' } });
    await wire.cut();
    // Retries, because the answer is cached for a second.
    const away = await until(async () => {
      const answer = await client.get(path);
      return answer.status !== 200 && answer;
    });
    expect(away).toMatchObject({ status: 503, body: { code: 'not_ready', checks: { database: 'unavailable' } } });
    await wire.restore();
    await until(async () => (await client.get(path)).status === 200);
  });
});
