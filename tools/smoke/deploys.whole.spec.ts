import { QueueEngine } from '@platform/messaging';
import { createTestDatabase, until, type TestDatabase } from '@platform/testing';
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { expireLocks } from './expired-locks.js';
import { Relay } from './relay.js';
import { freePorts, NO_EXTENSION_HOST, productionEnv, ServiceProcess } from './service-process.js';

const APP = 'notes';

interface Served {
  gateway: string | null;
  registry: string | null;
  /** True if gateway and Registry have the same functions of the served version. */
  isHeld: boolean;
}

/**
 * The built gateway, worker and Registry as processes. The worker is killed with SIGKILL between
 * two of its requests.
 */
describe('a worker that is killed while it deploys', () => {
  let database: TestDatabase;
  let client: Client;
  let engine: QueueEngine;
  let registry: ServiceProcess;
  let gateway: ServiceProcess;
  let relay: Relay;
  let workerEnv: NodeJS.ProcessEnv;
  let worker: ServiceProcess;
  const serviceToken = randomBytes(24).toString('base64url');

  const startWorker = async () => {
    worker = await ServiceProcess.start('apps/auth-gateway/src/worker.js', workerEnv);
  };

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new Client({ connectionString: database.url, options: '-c search_path=gateway' });
    await client.connect();
    engine = new QueueEngine(
      { schema: 'gateway', databaseUrl: database.url, redisUrl: process.env['REDIS_URL'] ?? '' },
      () => undefined,
    );
    const [gatewayPort, registryPort, ...metricsPorts] = (await freePorts(5)).map(String);
    const gatewayUrl = `http://127.0.0.1:${gatewayPort}`;
    const shared = productionEnv(database.url, serviceToken);
    const registryEnv = { ...shared, PORT: registryPort, METRICS_PORT: metricsPorts[0], AUTH_GATEWAY_URL: gatewayUrl };
    const gatewayEnv = {
      ...shared,
      PORT: gatewayPort,
      METRICS_PORT: metricsPorts[1],
      PUBLIC_URL: gatewayUrl,
      PANEL_URL: 'http://panel.example.com',
      SMTP_URL: 'smtp://127.0.0.1:1',
      REGISTRY_URL: `http://127.0.0.1:${registryPort}`,
      REGISTRY_SERVICE_TOKEN: serviceToken,
      ...NO_EXTENSION_HOST,
    };
    [registry, gateway] = await Promise.all([
      ServiceProcess.start('apps/registry/src/main.js', registryEnv),
      ServiceProcess.start('apps/auth-gateway/src/main.js', gatewayEnv),
    ]);
    relay = await Relay.start(registry.url);
    workerEnv = { ...gatewayEnv, METRICS_PORT: metricsPorts[2], REGISTRY_URL: relay.url };
    await client.query(
      `INSERT INTO users (id, tenant_id, email, email_canonical)
       VALUES ('usr_ada', 'default', 'ada@example.com', 'ada@example.com')`,
    );
    await client.query("INSERT INTO developers (user_id, display_name) VALUES ('usr_ada', 'Ada')");
    await client.query(`INSERT INTO apps (app_id, developer_id, display_name) VALUES ('${APP}', 'usr_ada', 'Notes')`);
    await startWorker();
    await deploy('1.0.0');
    await converged('1.0.0');
  }, 90_000);

  afterAll(async () => {
    await Promise.all([worker, gateway, registry].map((service) => service.stop()));
    await relay.stop();
    await engine.close();
    await client.end();
    await database.drop();
  });

  async function deploy(version: string): Promise<void> {
    const answer = await fetch(`${gateway.url}/v1/developer/apps/${APP}/deploys`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Service-Token': serviceToken },
      body: JSON.stringify({ ir_dict: documentOf(version) }),
    });
    expect(answer.status).toBe(201);
  }

  async function served(): Promise<Served> {
    const { rows } = await client.query<Served>(`
      SELECT a.served_version AS gateway, r.version AS registry, NOT EXISTS (
        SELECT FROM unnest(ARRAY[a.served_version, r.version]) AS served (version)
          LEFT JOIN app_versions g ON g.app_id = a.app_id AND g.version = served.version
          LEFT JOIN registry.manifests m ON m.app_id = a.app_id AND m.version = served.version
        WHERE served.version IS NOT NULL AND (g.manifest -> 'tools')::jsonb IS DISTINCT FROM m.tools::jsonb) AS "isHeld"
      FROM apps a LEFT JOIN registry.apps r USING (app_id) WHERE a.app_id = '${APP}'`);
    return rows[0] as Served;
  }

  async function unfinishedJobs(): Promise<{ id: string; queue: string }[]> {
    const { rows } = await client.query<{ id: string; queue: string }>(
      "SELECT id, queue FROM outbox WHERE queue IN ('deploys', 'app-sync')",
    );
    return rows;
  }

  async function converged(version: string): Promise<void> {
    await until(async () => {
      const now = await served();
      expect(now.isHeld).toBe(true);
      return now.gateway === version && now.registry === version && !(await unfinishedJobs()).length;
    });
  }

  const TOOLS = `/v1/apps/${APP}/tools`;
  const RECORD = `/v1/apps/${APP}`;

  it.each([
    ['the Registry holds the new version, and the gateway does not know', `PUT ${TOOLS}`, '1.1.0', '1.0.0', '1.0.0'],
    ['the gateway serves it, and the Registry has not been told', `GET ${RECORD}`, '1.2.0', '1.2.0', '1.1.0'],
    ['the Registry serves it, and the gateway does not know', `PUT ${RECORD}`, '1.3.0', '1.3.0', '1.3.0'],
  ])(
    'leaves versions served that both hold, and the next one finishes: %s',
    async (_when, last, version, gatewayServes, registryServes) => {
      relay.beforeAnswer = ({ method, path }) => {
        if (`${method} ${path}` !== last) return;
        relay.beforeAnswer = () => undefined;
        worker.kill('SIGKILL');
      };
      await deploy(version);
      await worker.exited;
      expect(await served()).toEqual({ gateway: gatewayServes, registry: registryServes, isHeld: true });
      expect(await expireLocks(client, engine, 'gateway', ['deploys', 'app-sync'])).toBeGreaterThan(0);
      await startWorker();
      await converged(version);
    },
  );
});

const documentOf = (version: string) => ({
  app_id: APP,
  version,
  name: 'Notes',
  steps: [
    {
      id: 'greet',
      kind: 'function',
      action: 'greet',
      params: {
        description: `Says hello, as of version ${version}.`,
        params_schema: { type: 'object', properties: { name: { type: 'string' } } },
        steps: [
          { id: 'answer', kind: 'control', action: 'return', params: { data: { text: 'Hello, {{event.name}}' } } },
        ],
      },
    },
  ],
});
