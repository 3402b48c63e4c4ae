import type { CallResponse } from '@platform/contracts';
import { QueueEngine } from '@platform/messaging';
import { createTestDatabase, until, type TestDatabase } from '@platform/testing';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { expireLocks } from './expired-locks.js';
import { freePorts, productionEnv, ServiceProcess } from './service-process.js';

const APP = 'kills';
const DEVELOPER = 'usr_ada';

/** Each handler writes its effect, then waits while a document `held` exists. */
const MAIN = `
  const effect = async (ctx, by) => {
    await ctx.store.create('effects', { by });
    await ctx.extensions.emit('${APP}.done', { by });
    while (await ctx.store.count('held')) await new Promise((resolve) => setTimeout(resolve, 500));
  };
  export const start = (params, ctx) => ctx.extensions.emit('${APP}.started', {});
  export const call = (params, ctx) => effect(ctx, 'call');
  export async function event(event, ctx) {
    if (await ctx.once(event.event_id)) await effect(ctx, 'event');
  }
  export async function schedule(event, ctx) {
    if (await ctx.once('nightly ' + event.scheduled_for)) await effect(ctx, 'schedule');
  }
`;

const code = (entry: string) => ({ code: { module: 'main', entry } });
const functionNamed = (name: string) => ({
  id: name,
  kind: 'function',
  action: name,
  params: {
    description: `Does ${name} as it is told.`,
    action_type: 'write',
    params_schema: { type: 'object' },
    ...code(name),
  },
});
const DOCUMENT = {
  app_id: APP,
  version: '1.0.0',
  name: 'Kills',
  modules: { main: MAIN },
  events: { emits: [`${APP}.started`, `${APP}.done`] },
  steps: [
    functionNamed('start'),
    functionNamed('call'),
    { id: 'on', kind: 'event', action: `${APP}.started`, params: code('event') },
    { id: 'nightly', kind: 'schedule', action: 'nightly', params: { cron: '0 3 1 1 *', ...code('schedule') } },
  ],
};

/**
 * The built services as processes. The extension host is killed with SIGKILL while a handler runs.
 */
describe('a host that is killed in the middle of a handler', () => {
  let database: TestDatabase;
  let client: Client;
  let engine: QueueEngine;
  let registry: ServiceProcess;
  let gateway: ServiceProcess;
  let host: ServiceProcess;
  let hostEnv: NodeJS.ProcessEnv;
  const serviceToken = randomBytes(24).toString('base64url');

  const startHost = async () => {
    host = await ServiceProcess.start('apps/ext-webhook-host/src/main.js', hostEnv);
  };

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new Client({ connectionString: database.url, options: '-c search_path=gateway,ext_host' }); // triggers need this search path
    await client.connect();
    engine = new QueueEngine(
      { schema: 'ext_host', databaseUrl: database.url, redisUrl: process.env['REDIS_URL'] ?? '' },
      () => undefined,
    );
    const ports = (await freePorts(6)).map(String);
    const urls = ports.map((port) => `http://127.0.0.1:${port}`);
    const shared = productionEnv(database.url, serviceToken);
    const env = (at: number) => ({
      ...shared,
      WORKERS: 'inline',
      AUTH_GATEWAY_URL: urls[0],
      PANEL_URL: 'http://panel.example.com',
      PORT: ports[at],
      METRICS_PORT: ports[at + 3],
    });
    hostEnv = env(2);
    [gateway, registry] = await Promise.all([
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
      startHost(),
    ]);
    await client.query(
      `INSERT INTO gateway.users (id, tenant_id, email, email_canonical)
       VALUES ($1, 'default', 'ada@example.com', 'ada@example.com')`,
      [DEVELOPER],
    );
    await client.query("INSERT INTO gateway.developers (user_id, display_name) VALUES ($1, 'Ada')", [DEVELOPER]);
    await client.query("INSERT INTO gateway.apps (app_id, developer_id, display_name) VALUES ($1, $2, 'Kills')", [
      APP,
      DEVELOPER,
    ]);
    expect((await post(`/v1/developer/apps/${APP}/deploys`, { ir_dict: DOCUMENT })).status).toBe(201);
    const followed =
      'SELECT FROM ext_host.schedules WHERE app_id = $1 AND EXISTS (SELECT FROM ext_host.event_subscriptions WHERE app_id = $1)';
    await until(async () => (await client.query(followed, [APP])).rowCount);
  }, 120_000);

  afterEach(async () => {
    await release();
    await client.query('DELETE FROM ext_host.documents');
    await client.query("DELETE FROM ext_host.events WHERE type = 'kills.done'");
  });

  afterAll(async () => {
    await Promise.all([host, gateway, registry].map((service) => service.stop()));
    await engine.close();
    await client.end();
    await database.drop();
  });

  function post(path: string, body: object): Promise<Response> {
    return fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Service-Token': serviceToken, 'X-Acting-User': DEVELOPER },
      body: JSON.stringify(body),
    });
  }

  const call = (name: string) => post(`/v1/extensions/${APP}/call`, { user_id: DEVELOPER, function: name, params: {} });

  const hold = () =>
    client.query(
      `INSERT INTO ext_host.documents (tenant_id, app_id, collection, user_id, id, data, bytes, etag)
       SELECT 'default', $1, 'held', user_id, 'held', '{}', 2, 'etag' FROM unnest($2::text[]) AS user_id`,
      [APP, [DEVELOPER, '__system__']],
    );
  const release = () => client.query("DELETE FROM ext_host.documents WHERE collection = 'held'");

  /** Documents and events of the handlers. */
  const effects = async () => {
    const { rows: documents } = await client.query<{ by: string }>(
      "SELECT data ->> 'by' AS by FROM ext_host.documents WHERE collection = 'effects'",
    );
    const { rows: events } = await client.query<{ by: string }>(
      "SELECT data ->> 'by' AS by FROM ext_host.events WHERE type = 'kills.done'",
    );
    return { documents: documents.map(({ by }) => by), events: events.map(({ by }) => by) };
  };

  /**
   * Kills the host after a handler has written its effect. Expects that none of its processes
   * survive.
   */
  async function killHost(): Promise<void> {
    await until(async () => (await effects()).events.length);
    const sandboxes = descendants(host.pid);
    expect(sandboxes.length).toBeGreaterThan(0);
    host.kill('SIGKILL');
    await host.exited;
    await until(() => !sandboxes.some(isRunning));
  }

  it('has an event handled again, with its effects once', async () => {
    await hold();
    expect(await (await call('start')).json()).toMatchObject({ status: 'success' });
    await killHost();
    await release();
    expect(await expireLocks(client, engine, 'ext_host', ['event-deliveries'])).toBe(1);
    await startHost();
    const delivery = async () =>
      (
        await client.query<{ status: string; attempts: number; error: string | null }>(
          "SELECT status, attempts, error FROM ext_host.event_deliveries WHERE app_id = $1 AND status <> 'running'",
          [APP],
        )
      ).rows[0];
    expect(await until(delivery)).toEqual({ status: 'succeeded', attempts: 2, error: null });
    expect(await effects()).toEqual({ documents: ['event'], events: ['event'] });
  }, 90_000);

  it('has a schedule run again, with its effects once', async () => {
    await hold();
    expect((await post(`/v1/developer/apps/${APP}/schedules/nightly/run`, {})).status).toBe(202);
    await killHost();
    await release();
    expect(await expireLocks(client, engine, 'ext_host', ['schedules'])).toBe(1);
    await startHost();
    const run = async () =>
      (
        await client.query<{ status: string; attempts: number; error: string | null }>(
          "SELECT status, attempts, error FROM ext_host.schedule_runs WHERE app_id = $1 AND status NOT IN ('pending', 'running')",
          [APP],
        )
      ).rows[0];
    expect(await until(run)).toEqual({ status: 'succeeded', attempts: 2, error: null });
    expect(await effects()).toEqual({ documents: ['schedule'], events: ['schedule'] });
  }, 90_000);

  it('answers the caller of a function with a clear error, and the next call as ever', async () => {
    await hold();
    const pending = call('call');
    await killHost();
    const answer = await pending;
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      {
        status: 'error',
        error_code: 'BACKEND_5XX',
        retryable: true,
        error: expect.stringContaining('Try again') as string,
      },
    ]);
    expect(await effects()).toEqual({ documents: ['call'], events: ['call'] });
    await release();
    await startHost();
    await until(async () => ((await (await call('call')).json()) as CallResponse).status === 'success');
  }, 90_000);
});

/** All descendants of a process. */
function descendants(of: number): number[] {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as [pid: number, parent: number]);
  const found = [of];
  for (const parent of found) found.push(...processes.filter(([, of]) => of === parent).map(([pid]) => pid));
  return found.slice(1);
}

/** False also for a zombie. */
function isRunning(pid: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z');
  } catch {
    return false;
  }
}
