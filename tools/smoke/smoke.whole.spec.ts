import { QueueEngine } from '@platform/messaging';
import { createTestDatabase, FakeStripe, until, type TestDatabase } from '@platform/testing';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { runTour } from '../tour/tour.js';
import { expireLocks } from './expired-locks.js';
import { freePorts, productionEnv, ServiceProcess } from './service-process.js';

/** Index in `services`, `httpPorts` and `metricsPorts`. */
const REGISTRY = 1;

/** Output of `npm run build` as processes: native ES modules, real ports, real signals. */
describe('the built platform', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platform-smoke-'));
  const administrator = { email: 'admin@example.com', password: randomBytes(12).toString('base64url') };
  let database: TestDatabase;
  let mailbox: ServiceProcess;
  let stripe: FakeStripe;
  let services: ServiceProcess[];
  let gateway: ServiceProcess;
  let panel: ServiceProcess;
  let gatewayEnv: NodeJS.ProcessEnv;
  let worker: ServiceProcess;
  let hostWorker: ServiceProcess;
  let workerEnv: NodeJS.ProcessEnv;
  let metricsPorts: number[];
  let youngAtStart: number;

  beforeAll(async () => {
    database = await createTestDatabase();
    const serviceToken = randomBytes(24).toString('base64url');
    const shared = productionEnv(database.url, serviceToken);
    const seeded = {
      DATABASE_URL: database.url,
      SECRET_KEYS: shared.SECRET_KEYS,
      ADMIN_EMAIL: administrator.email,
      ADMIN_PASSWORD: administrator.password,
    };
    expect(await ServiceProcess.run('tools/migrate.js', seeded)).toBe(0);
    const ports = await freePorts(12);
    metricsPorts = ports.slice(6);
    const [smtpPort, webPort, ...httpPorts] = ports.map(String);
    const env = (at: number) => ({ ...shared, PORT: httpPorts[at], METRICS_PORT: String(metricsPorts[at]) });
    const url = `http://127.0.0.1:${httpPorts[0]}`;
    const panelUrl = `http://127.0.0.1:${httpPorts[3]}`;
    stripe = await FakeStripe.start();
    Object.assign(stripe.webhooks.settings, {
      url: `${url}/v1/webhooks/stripe`,
      secrets: [shared.STRIPE_WEBHOOK_SECRETS],
    });
    gatewayEnv = {
      ...env(0),
      STRIPE_API_URL: stripe.url,
      PUBLIC_URL: url,
      PANEL_URL: panelUrl,
      SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
      REGISTRY_URL: `http://127.0.0.1:${httpPorts[REGISTRY]}`,
      REGISTRY_SERVICE_TOKEN: serviceToken,
      EXT_WEBHOOK_HOST_URL: `http://127.0.0.1:${httpPorts[2]}`,
      EXT_WEBHOOK_HOST_SERVICE_TOKEN: serviceToken,
    };
    const hostEnv = { ...env(2), AUTH_GATEWAY_URL: url, AUTH_GATEWAY_SERVICE_TOKEN: serviceToken, PANEL_URL: panelUrl };
    mailbox = await ServiceProcess.start('tools/mailbox/main.js', {
      MAILBOX_SMTP_PORT: smtpPort,
      MAILBOX_WEB_PORT: webPort,
      MAILBOX_FILE: join(folder, 'mailbox.jsonl'),
    });
    // Starts first, because requests of other services would grow its young generation.
    const registry = ServiceProcess.start('apps/registry/src/main.js', { ...env(REGISTRY), AUTH_GATEWAY_URL: url });
    await registry;
    youngAtStart = await youngGeneration();
    services = await Promise.all([
      ServiceProcess.start('apps/auth-gateway/src/main.js', gatewayEnv),
      registry,
      ServiceProcess.start('apps/ext-webhook-host/src/main.js', hostEnv),
      ServiceProcess.start('apps/panel/src/main.js', {
        ...env(3),
        PUBLIC_URL: panelUrl,
        AUTH_GATEWAY_URL: url,
        EXT_WEBHOOK_HOST_URL: `http://127.0.0.1:${env(2).PORT}`,
        GATEWAY_SERVICE_TOKEN: serviceToken,
      }),
    ]);
    [gateway, , , panel] = services as [ServiceProcess, ServiceProcess, ServiceProcess, ServiceProcess];
    // Without WORKERS=inline, as in production, the jobs of gateway and host run in separate
    // processes.
    workerEnv = { ...gatewayEnv, METRICS_PORT: String(metricsPorts[4]) };
    [worker, hostWorker] = await Promise.all([
      ServiceProcess.start('apps/auth-gateway/src/worker.js', workerEnv),
      ServiceProcess.start('apps/ext-webhook-host/src/worker.js', {
        ...hostEnv,
        METRICS_PORT: String(metricsPorts[5]),
      }),
    ]);
  }, 90_000);

  afterAll(async () => {
    await mailbox.stop();
    await stripe.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  /**
   * Size of the Registry's young generation in MB. Other services run jobs, which grow it at once.
   */
  const youngGeneration = async (): Promise<number> => {
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPorts[REGISTRY]}/metrics`)).text();
    return Number(/^nodejs_heap_space_size_total_bytes\{space="new".*\} (\d+)$/m.exec(metrics)?.[1]) / 1024 ** 2;
  };

  it('takes little memory for its start, and more for its work', async () => {
    expect(youngAtStart).toBeLessThanOrEqual(2);
    const describe = () => fetch(`${services[REGISTRY]?.url}/v1/openapi.json`).then((answer) => answer.text());
    await until(async () => {
      await Promise.all(Array.from({ length: 20 }, describe));
      return (await youngGeneration()) > 2;
    });
  });

  it('is alive, ready, described and measured', async () => {
    for (const [at, service] of services.entries()) {
      const paths =
        service === panel ? ['/healthz', '/readyz', '/'] : ['/healthz', '/readyz', '/v1/openapi.json', '/docs'];
      for (const path of paths) {
        expect([path, (await fetch(`${service.url}${path}`)).status]).toEqual([path, 200]);
      }
      const metrics = await fetch(`http://127.0.0.1:${metricsPorts[at]}/metrics`);
      expect(await metrics.text()).toContain('http_request_duration_seconds_bucket');
    }
    expect((await fetch(`${gateway.url}/openapi/registry.json`)).status).toBe(200);
    for (const [at, name] of ['auth-gateway', 'registry', 'ext-webhook-host'].entries()) {
      const served: unknown = await (await fetch(`${services[at]?.url}/openapi/${name}.json`)).json();
      const exported = JSON.parse(readFileSync(join('docs', 'openapi', `${name}.json`), 'utf8')) as object;
      expect(served).toEqual({ ...exported, servers: [expect.objectContaining({ url: '/' })] }); // the serving process
    }
  });

  it('plays the tour', async () => {
    const lines: string[] = [];
    const moved: Promise<void>[] = [];
    await runTour({
      gatewayUrl: gateway.url,
      panelUrl: panel.url,
      administrator,
      mailboxUrl: mailbox.url,
      // Starts without a movable clock, because production mode has none.
      paymentsUrl: stripe.url,
      print: (line) => {
        lines.push(line);
        if (line.includes('waiting for the run of the schedule at its time'))
          moved.push(bringForwardSchedules(database.url));
      },
    });
    await Promise.all(moved);
    expect(lines.at(-1)).toContain('everything worked');
  }, 180_000);

  it('loses nothing to kill -9: a request for a new password is answered, and its mail is sent by the next worker', async () => {
    const { email } = administrator;
    const mails = () =>
      fetch(`${mailbox.url}/api/messages?to=${email}`).then((response) => response.json() as Promise<unknown[]>);
    const before = (await mails()).length;
    await lockMailTokens(database.url, async () => {
      const response = await fetch(`${gateway.url}/v1/auth/forgot-password`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email }),
      });
      expect(response.status).toBe(200);
      for (const process of [gateway, worker]) process.kill('SIGKILL');
      await Promise.all([gateway.exited, worker.exited]);
    });
    await findAtOnce(database.url);
    gateway = await ServiceProcess.start('apps/auth-gateway/src/main.js', gatewayEnv);
    services[0] = gateway;
    worker = await ServiceProcess.start('apps/auth-gateway/src/worker.js', workerEnv);
    await until(async () => (await mails()).length > before);
  });

  it('stops on SIGTERM with exit code 0, having drained', async () => {
    expect(await Promise.all([...services, worker, hostWorker].map((process) => process.stop()))).toEqual([
      0, 0, 0, 0, 0, 0,
    ]);
  });
});

async function withClient(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** Makes all schedules due now. */
const bringForwardSchedules = (url: string) =>
  withClient(url, (client) => client.query('UPDATE ext_host.schedules SET due_at = now()'));

/**
 * Lets other processes take over the work of killed ones now. `faults.engines.whole.spec.ts` waits
 * for the real time.
 */
const findAtOnce = (url: string) =>
  withClient(url, async (client) => {
    const engine = new QueueEngine(
      { schema: 'gateway', databaseUrl: url, redisUrl: process.env['REDIS_URL'] ?? '' },
      () => undefined,
    );
    const { rows: queues } = await client.query<{ queue: string }>('SELECT DISTINCT queue FROM gateway.outbox');
    await expireLocks(
      client,
      engine,
      'gateway',
      queues.map(({ queue }) => queue),
    );
    await client.query("UPDATE gateway.outbox SET dispatched_at = dispatched_at - interval '1 hour'");
    await engine.close();
  });

/** Keeps mail jobs from finishing while `work` runs. */
const lockMailTokens = (url: string, work: () => Promise<void>) =>
  withClient(url, async (client) => {
    await client.query('BEGIN; LOCK TABLE gateway.mail_tokens IN ACCESS EXCLUSIVE MODE');
    await work();
  });
