import { createTestDatabase, until, type TestDatabase } from '@platform/testing';
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { freePorts, productionEnv, ServiceProcess } from '../../smoke/service-process.js';
import { TraceReceiver } from './trace-receiver.js';

export const APP = 'traced';
export const USER = 'usr_ada';

const DOCUMENT = {
  app_id: APP,
  version: '1.0.0',
  name: 'Traced',
  modules: {
    main: `
      export async function start(params, ctx) {
        await ctx.extensions.emit('${APP}.started', {});
        return { started: true };
      }
      export const event = (event, ctx) => ctx.store.create('effects', {});`,
  },
  events: { emits: [`${APP}.started`] },
  steps: [
    {
      id: 'start',
      kind: 'function',
      action: 'start',
      params: {
        description: 'Publishes an event.',
        action_type: 'write',
        params_schema: { type: 'object' },
        code: { module: 'main', entry: 'start' },
      },
    },
    { id: 'on', kind: 'event', action: `${APP}.started`, params: { code: { module: 'main', entry: 'event' } } },
  ],
};

/** The built services with a trace receiver, and an app whose function publishes an event. */
export class TracedPlatform {
  private constructor(
    readonly receiver: TraceReceiver,
    readonly services: Record<'gateway' | 'registry' | 'host' | 'panel', ServiceProcess>,
    readonly serviceToken: string,
    private readonly client: Client,
    private readonly database: TestDatabase,
    private readonly registryEnv: NodeJS.ProcessEnv,
  ) {}

  static async start(): Promise<TracedPlatform> {
    const [database, receiver, ports] = await Promise.all([createTestDatabase(), TraceReceiver.start(), freePorts(8)]);
    const client = new Client({ connectionString: database.url, options: '-c search_path=gateway,ext_host' });
    await client.connect();
    const urls = ports.map((port) => `http://127.0.0.1:${port}`);
    const serviceToken = randomBytes(24).toString('base64url');
    const env = (at: number): NodeJS.ProcessEnv => ({
      ...productionEnv(database.url, serviceToken),
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      WORKERS: 'inline',
      AUTH_GATEWAY_URL: urls[0],
      PANEL_URL: 'http://panel.example.com',
      PORT: String(ports[at]),
      METRICS_PORT: String(ports[at + 4]),
    });
    const [gateway, registry, host, panel] = await Promise.all([
      ServiceProcess.start('apps/auth-gateway/src/main.js', {
        ...env(0),
        PUBLIC_URL: urls[0],
        SMTP_URL: 'smtp://127.0.0.1:1',
        REGISTRY_URL: urls[1],
        REGISTRY_SERVICE_TOKEN: serviceToken,
        EXT_WEBHOOK_HOST_URL: urls[2],
        EXT_WEBHOOK_HOST_SERVICE_TOKEN: serviceToken,
      }),
      ServiceProcess.start('apps/registry/src/main.js', env(1)),
      ServiceProcess.start('apps/ext-webhook-host/src/main.js', env(2)),
      ServiceProcess.start('apps/panel/src/main.js', {
        ...env(3),
        PUBLIC_URL: urls[3],
        EXT_WEBHOOK_HOST_URL: urls[2],
        GATEWAY_SERVICE_TOKEN: serviceToken,
      }),
    ]);
    return new TracedPlatform(receiver, { gateway, registry, host, panel }, serviceToken, client, database, env(1));
  }

  /** Deploys the app and waits until it can be called and receives its own events. */
  async deploy(): Promise<void> {
    await this.client.query(
      `INSERT INTO gateway.users (id, tenant_id, email, email_canonical)
       VALUES ($1, 'default', 'ada@example.com', 'ada@example.com')`,
      [USER],
    );
    await this.client.query("INSERT INTO gateway.developers (user_id, display_name) VALUES ($1, 'Ada')", [USER]);
    await this.client.query("INSERT INTO gateway.apps (app_id, developer_id, display_name) VALUES ($1, $2, 'Traced')", [
      APP,
      USER,
    ]);
    const { status } = await this.post(`/v1/developer/apps/${APP}/deploys`, { ir_dict: DOCUMENT });
    if (status !== 201) throw new Error(`The deploy answered ${status}.`);
    await until(
      async () =>
        (await this.client.query('SELECT FROM ext_host.event_subscriptions WHERE app_id = $1', [APP])).rowCount,
    );
  }

  /** Environment variables of a second registry process. */
  async envOfAnotherRegistry(): Promise<NodeJS.ProcessEnv> {
    const [PORT, METRICS_PORT] = (await freePorts(2)).map(String);
    return { ...this.registryEnv, PORT, METRICS_PORT };
  }

  /** Calls the function for the user, as a trusted backend. */
  call(headers: Record<string, string> = {}): Promise<Response> {
    return this.post(`/v1/extensions/${APP}/call`, { user_id: USER, function: 'start', params: {} }, headers);
  }

  post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.services.gateway.url}${path}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Service-Token': this.serviceToken,
        'X-Acting-User': USER,
        ...headers,
      },
      body: JSON.stringify(body),
    });
  }

  async stop(): Promise<void> {
    const codes = await Promise.all(Object.values(this.services).map((service) => service.stop()));
    await this.client.end();
    await this.receiver.stop();
    await this.database.drop();
    expect(codes).toEqual([0, 0, 0, 0]);
  }
}
