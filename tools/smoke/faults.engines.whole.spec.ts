import { CONNECT_TIMEOUT_MS, DatabaseClient, EmbeddedPostgres, SESSION_LIMITS } from '@platform/persistence';
import { SmtpSink, until } from '@platform/testing';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, NO_REGISTRY, productionEnv, ServiceProcess } from './service-process.js';

interface Answer {
  email: string;
  /** HTTP status; 0: the connection was lost. */
  status: number;
  requestId: string;
}

const GATEWAY = 'apps/auth-gateway/src/main.js';
/** Longer than all time limits of the gateway for a request. */
const ANSWER_TIMEOUT_MS = 30_000;
/**
 * Recovery takes up to 45 s, until the work of a killed process is found; longer on a busy
 * machine.
 */
const STEP_TIMEOUT_MS = 110_000;
const TEST_TIMEOUT_MS = 240_000;

/**
 * A durable PostgreSQL (fsync on) and the built gateway. Either is killed with kill -9 during
 * signups.
 */
describe('under load', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platform-faults-'));
  /** Unique name, because on a shared Redis it also names the queues. */
  const databaseName = `platform_${randomBytes(4).toString('hex')}`;
  let database: EmbeddedPostgres;
  let databasePort: number;
  let smtp: SmtpSink;
  let gateway: ServiceProcess;
  let env: NodeJS.ProcessEnv;
  const output: string[][] = [];

  const startDatabase = async () => {
    database = await EmbeddedPostgres.start({ directory: join(folder, 'postgres'), port: databasePort });
  };
  const startGateway = async () => {
    gateway = await ServiceProcess.start(GATEWAY, env);
    output.push(gateway.output);
  };

  beforeAll(async () => {
    const [postgresPort = 0, port, metricsPort] = await freePorts(3);
    databasePort = postgresPort;
    smtp = await SmtpSink.start();
    await startDatabase();
    await database.ensureDatabase(databaseName);
    env = {
      ...productionEnv(database.url(databaseName), randomBytes(24).toString('base64url')),
      WORKERS: 'inline',
      TRUSTED_PROXIES: 'loopback',
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      PANEL_URL: `http://127.0.0.1:${port}`,
      ...NO_REGISTRY,
      SMTP_URL: smtp.url,
    };
    const migration = await ServiceProcess.run('tools/migrate.js', env);
    expect(migration).toBe(0);
    await startGateway();
  });

  afterAll(async () => {
    await gateway.stop();
    await smtp.stop();
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const unanswered: string[] = [];
  /** Status 0 if the connection was lost. Fails the test if there is no answer. */
  const request = async (
    path: string,
    init: RequestInit = {},
  ): Promise<{ status: number; body: { request_id?: string } }> => {
    try {
      const response = await fetch(`${gateway.url}${path}`, {
        ...init,
        signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      });
      return { status: response.status, body: (await response.json()) as { request_id?: string } };
    } catch (error) {
      if ((error as Error).name === 'TimeoutError') unanswered.push(`${init.method ?? 'GET'} ${path}`);
      return { status: 0, body: {} };
    }
  };

  /** Waits like `until`. The error names the condition, or the state of the gateway. */
  const waitFor = async (what: string, probe: () => Promise<boolean> | boolean): Promise<void> => {
    const deadline = Date.now() + STEP_TIMEOUT_MS;
    await until(() => {
      gateway.assertRunning();
      expect(unanswered).toEqual([]);
      if (Date.now() > deadline) throw new Error(`Waited in vain for ${what}.`);
      return probe();
    });
  };

  let signups = 0;
  const signUp = async (): Promise<Answer> => {
    const email = `user-${++signups}@example.com`;
    const { status, body } = await request('/v1/auth/signup', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `10.1.${signups >> 8}.${signups & 255}` },
      body: JSON.stringify({ email, password: 'correct horse battery' }),
    });
    return { email, status, requestId: body.request_id ?? '' };
  };

  /** Four clients sign up continuously during `fault`, until the gateway is ready again. */
  const signUpDuring = async (fault: () => Promise<void>): Promise<Answer[]> => {
    const answers: Answer[] = [];
    let over = false;
    const clients = Array.from({ length: 4 }, async () => {
      while (!over) answers.push(await signUp());
    });
    try {
      await waitFor('signups', () => answers.filter(({ status }) => status === 201).length >= 8);
      await fault();
      await waitFor('a gateway that is ready again', async () => (await request('/readyz')).status === 200);
      const before = answers.length;
      await waitFor('answers', () => answers.length > before + 8);
    } finally {
      over = true;
    }
    await Promise.all(clients);
    return answers;
  };

  const expectNothingLost = async (answers: Answer[]) => {
    const committed = answers.filter(({ status }) => status === 201).map(({ email }) => email);
    const client = new DatabaseClient({
      ...SESSION_LIMITS,
      connectionString: database.url(databaseName),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    await client.connect();
    const { rows } = await client.query<{ email: string }>(
      'SELECT email FROM gateway.pending_credentials WHERE email = ANY ($1)',
      [committed],
    );
    expect(rows.map(({ email }) => email).sort()).toEqual([...committed].sort());
    await waitFor('every mail', () => committed.every((email) => smtp.mails.some(({ to }) => to === email)));
    await waitFor(
      'an empty outbox',
      async () => (await client.query('SELECT 1 FROM gateway.outbox')).rows.length === 0,
    );
    await client.end();

    expect(unanswered).toEqual([]);
    const log = output.flat().join('');
    const unexpected = answers.filter(({ status }) => ![0, 201, 503].includes(status));
    const logged = ({ requestId }: Answer) => log.split('\n').filter((line) => line.includes(requestId));
    expect(unexpected.map((answer) => [answer.status, ...logged(answer)])).toEqual([]);
    for (const { status, requestId } of answers) if (status === 503) expect(log).toContain(requestId);
  };

  it(
    'a killed gateway loses no signup and no mail',
    async () => {
      const answers = await signUpDuring(async () => {
        gateway.kill('SIGKILL');
        await gateway.exited;
        await startGateway();
      });
      await expectNothingLost(answers);
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'a killed PostgreSQL loses nothing that was answered, and the gateway heals by itself',
    async () => {
      const answers = await signUpDuring(async () => {
        process.kill(database.pid as number, 'SIGKILL');
        await startDatabase();
      });
      await expectNothingLost(answers);
    },
    TEST_TIMEOUT_MS,
  );
});
