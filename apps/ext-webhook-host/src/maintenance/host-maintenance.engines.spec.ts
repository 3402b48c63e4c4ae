import { JobsService } from '@platform/messaging';
import { SWEEP_BATCH } from '@platform/persistence';
import { Keyring, LOGGER } from '@platform/platform';
import { TestService, until } from '@platform/testing';
import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { ExtensionCache } from '../kernel/cache/extension-cache.js';
import { loadConfig } from '../config.js';
import { SecretVaultService } from '../kernel/secrets/secret-vault.service.js';
import { extWebhookHost } from '../service.js';
import { OnceEvents, ProcessedEventsRepository } from '../kernel/store/processed-events.repository.js';

const [OLD, NEW] = [randomBytes(32), randomBytes(32)];
const OWNER = { appId: 'app', identity: 'usr_1' };

let service: TestService;
beforeAll(async () => {
  const SECRET_KEYS = `k2:${NEW.toString('base64')},k1:${OLD.toString('base64')}`;
  service = await TestService.start((env) => extWebhookHost(loadConfig(env)), { env: { SECRET_KEYS } });
});
afterAll(() => service.stop());

it('starts, and is ready', async () => {
  const { status } = await service.client().get('/readyz');
  expect(status).toBe(200);
});

it('sweeps what has expired and moves secrets to the current key, by itself', async () => {
  const { app } = service;
  const scope = { tenantId: 'acme', appId: 'app', userId: 'usr_1' };
  await app.get(ExtensionCache).setValue(scope, 'key', 1);
  const run = new OnceEvents(app.get(ProcessedEventsRepository), {
    tenantId: 'acme',
    appId: 'app',
    runId: 'run_1',
    maxSeconds: 60,
    delivery: null,
  });
  await run.once('evt_1');
  await run.finishEvents(true);
  const before = new SecretVaultService(app.get(DataSource), new Keyring(new Map([['k1', OLD]])), app.get(LOGGER));
  await before.set(OWNER, 'token', 'value');
  await service.query('UPDATE cache_entries SET expires_at = now()');
  await service.query('UPDATE processed_events SET expires_at = now()');
  await service.query(
    "INSERT INTO cache_entries SELECT 'acme', 'app', 'usr_2', 'k' || n, '1', now() FROM generate_series(1, $1::int) n",
    [2 * SWEEP_BATCH],
  );

  // Starts the maintenance jobs now; their schedules would start them in a minute and in an hour.
  for (const name of ['sweep', 'reseal-secrets']) {
    await service.query(
      `INSERT INTO outbox (id, queue, name, payload) VALUES ('job_' || $1, 'maintenance', $1, '{}')`,
      [name],
    );
  }
  await app.get(JobsService).requeueLostJobs();
  const rows = () =>
    service.query<{ left: number }>(
      `SELECT (SELECT count(*) FROM cache_entries)::int + (SELECT count(*) FROM processed_events)::int
         + (SELECT count(*) FROM secrets WHERE key_id = 'k1')::int AS left`,
    );
  await until(async () => (await rows())[0]?.left === 0);
  expect(await app.get(SecretVaultService).find(OWNER, 'token')).toBe('value');
});
