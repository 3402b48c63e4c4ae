import { EmbeddedPostgres } from '@platform/persistence';
import { until } from '@platform/testing';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, NO_REGISTRY, productionEnv, ServiceProcess } from './service-process.js';

/** A built gateway that starts before its database is migrated. */
describe('an unmigrated database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platform-unmigrated-'));
  let postgres: EmbeddedPostgres;
  let url: string;
  beforeAll(async () => {
    postgres = await EmbeddedPostgres.start({ directory: folder });
    await postgres.ensureDatabase('platform');
    url = postgres.url('platform');
  });
  afterAll(async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is said by /readyz, and the service goes on when it is migrated', async () => {
    const [port, metricsPort] = await freePorts(2);
    const address = `http://127.0.0.1:${port}`;
    const starting = ServiceProcess.start('apps/auth-gateway/src/main.js', {
      ...productionEnv(url, randomBytes(24).toString('base64url')),
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      PUBLIC_URL: address,
      PANEL_URL: 'https://panel.example.com',
      SMTP_URL: 'smtp://127.0.0.1:1',
      ...NO_REGISTRY,
    });
    const readiness = async () => {
      const answer = await fetch(`${address}/readyz`).catch(() => null);
      return answer && { status: answer.status, body: (await answer.json()) as { detail?: string } };
    };
    expect(await until(readiness)).toMatchObject({
      status: 503,
      body: {
        code: 'not_ready',
        detail: expect.stringMatching(/^The database lacks one migration\. Run npm run migrate\.$/),
      },
    });
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    expect(await ServiceProcess.run('tools/migrate.js', { DATABASE_URL: url })).toBe(0);
    const service = await starting;
    expect(await readiness()).toMatchObject({ status: 200 });
    expect(await (await fetch(address)).json()).toMatchObject({
      name: 'Cloud Platform',
      panel: 'https://panel.example.com',
    });
    expect(service.output.join('')).not.toMatch(/^ {4}at /m);
    expect(await service.stop()).toBe(0);
  }, 120_000);
});
