import { QueueEngine } from '@platform/messaging';
import { createDataSource } from '@platform/persistence';
import { parseKeyring, type Keyring } from '@platform/platform';
import { createTestDatabase, SmtpSink, STRIPE_SECRET_KEY, until, type TestDatabase } from '@platform/testing';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { CommandProcess } from '../../terminal/command-process.js';
import { expireLocks } from '../expired-locks.js';
import { freePorts, NO_REGISTRY, productionEnv, ServiceProcess } from '../service-process.js';

export interface Answer {
  /** 0 if the connection broke. */
  status: number;
  body: Record<string, unknown>;
  /** Seconds of the header `Retry-After`; null without it. */
  retryAfter: number | null;
}

type Process = 'gateway' | 'worker';
const PROGRAMS: Readonly<Record<Process, string>> = {
  gateway: 'apps/auth-gateway/src/main.js',
  worker: 'apps/auth-gateway/src/worker.js',
};
const FAKE_STRIPE = 'tools/payments/main.js';
/** Queues with jobs that move money. */
const QUEUES = ['payments', 'refunds', 'auto-topups', 'renewals'];
/** Longest restart of PostgreSQL. */
const LONGEST_AWAY_MS = 30_000;
/** Longer than all attempts of the gateway for a request. */
const ANSWER_TIMEOUT_MS = 60_000;

/**
 * The built gateway, its worker and the fake of Stripe, each in a process of its own, on a separate
 * database.
 */
export class PayingPlatform {
  readonly processes: Partial<Record<Process, ServiceProcess>> = {};
  /** Resolves when no process is being restarted. */
  up: Promise<unknown> = Promise.resolve();
  /** Output of all processes of each program, including killed ones. */
  private readonly outputs: Record<Process, string[][]> = { gateway: [], worker: [] };

  private constructor(
    readonly database: Pick<TestDatabase, 'url' | 'drop'>,
    readonly dataSource: DataSource,
    private fakeStripe: ServiceProcess,
    private readonly stripeEnv: NodeJS.ProcessEnv,
    private readonly engine: QueueEngine,
    private readonly smtp: SmtpSink,
    private readonly serviceToken: string,
    private readonly env: NodeJS.ProcessEnv,
    private readonly metricsPorts: Readonly<Record<Process, number>>,
  ) {}

  /**
   * @param given a migrated database; by default a new one
   * @param options.paymentsFile file of the fake's data, so that it can be restarted; by default
   *   the data is only in memory
   */
  static async start(
    given?: Pick<TestDatabase, 'url' | 'drop'>,
    { paymentsFile = '' }: { paymentsFile?: string } = {},
  ): Promise<PayingPlatform> {
    const [port = 0, stripePort = 0, gatewayMetrics = 0, workerMetrics = 0] = await freePorts(4);
    const [database, smtp] = await Promise.all([given ?? createTestDatabase(), SmtpSink.start()]);
    const url = `http://127.0.0.1:${port}`;
    const stripeEnv = {
      PAYMENTS_PORT: String(stripePort),
      PAYMENTS_FILE: paymentsFile,
      PAYMENTS_WEBHOOK_URL: `${url}/v1/webhooks/stripe`,
    };
    const stripe = await ServiceProcess.start(FAKE_STRIPE, stripeEnv);
    const serviceToken = randomBytes(24).toString('base64url');
    const dataSource = await createDataSource({
      url: database.url,
      schema: 'gateway',
      poolSize: 6,
      entities: [],
      migrations: [],
    }).initialize();
    const engine = new QueueEngine(
      { schema: 'gateway', databaseUrl: database.url, redisUrl: process.env['REDIS_URL'] ?? '' },
      () => undefined,
    );
    const env = {
      ...productionEnv(database.url, serviceToken),
      NODE_ENV: 'development', // in production the billing clock cannot be moved
      STRIPE_WEBHOOK_SECRETS: 'whsec_stand_in', // default of the fake as a program
      LOG_LEVEL: 'error',
      RATE_LIMIT_SCALE: '1000000',
      PORT: String(port),
      PUBLIC_URL: url,
      PANEL_URL: url,
      ...NO_REGISTRY,
      AUTH_GATEWAY_URL: url,
      STRIPE_API_URL: stripe.url,
      SMTP_URL: smtp.url,
    };
    const metricsPorts = { gateway: gatewayMetrics, worker: workerMetrics };
    const platform = new PayingPlatform(
      database,
      dataSource,
      stripe,
      stripeEnv,
      engine,
      smtp,
      serviceToken,
      env,
      metricsPorts,
    );
    await Promise.all([platform.run('gateway'), platform.run('worker')]);
    return platform;
  }

  get stripe(): ServiceProcess {
    return this.fakeStripe;
  }

  async stopStripe(): Promise<void> {
    await this.fakeStripe.stop();
  }

  async startStripe(): Promise<void> {
    this.fakeStripe = await ServiceProcess.start(FAKE_STRIPE, this.stripeEnv);
  }

  get keyring(): Keyring {
    return parseKeyring(this.env['SECRET_KEYS'] ?? '');
  }

  /** Runs a query; waits while the database is down. */
  async query<Row = Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<Row[]> {
    const end = performance.now() + LONGEST_AWAY_MS;
    for (;;) {
      try {
        return await this.dataSource.query<Row[]>(sql, values);
      } catch (error) {
        // PostgreSQL's own errors, for which a retry does not help.
        if (/^(22|23|42|P0)/.test((error as { code?: string }).code ?? '') || performance.now() > end) throw error;
        await delay(100);
      }
    }
  }

  /**
   * Kills a process and restarts it. With `expiresLocks` its jobs are taken up at once, not after
   * their locks expire.
   */
  kill(name: Process, options: { expiresLocks?: boolean } = {}): Promise<void> {
    const restarted = this.restart(name, options);
    this.up = restarted.catch(() => undefined); // the caller of `kill` gets the error
    return restarted;
  }

  private async restart(name: Process, { expiresLocks = false }: { expiresLocks?: boolean }): Promise<void> {
    const running = this.processes[name];
    running?.kill('SIGKILL');
    await running?.exited;
    if (expiresLocks) await this.expireLocks();
    await this.run(name);
  }

  /**
   * Calls the gateway as a trusted backend, optionally for a user. With a key the request can be
   * repeated safely.
   */
  ask(
    method: string,
    path: string,
    body: object | undefined,
    { userId, key }: { userId?: string; key?: string } = {},
  ): Promise<Answer> {
    return answerOf(`${this.env['PUBLIC_URL']}${path}`, {
      method,
      headers: {
        'Content-Type': 'application/json',
        'X-Service-Token': this.serviceToken,
        ...(userId !== undefined && { 'X-Acting-User': userId }),
        ...(key !== undefined && { 'Idempotency-Key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  /**
   * Calls the fake like a seller in the dashboard; with a `client_secret` like a customer's
   * browser.
   */
  askStripe(method: 'GET' | 'POST', path: string, parameters: Record<string, string> = {}): Promise<Answer> {
    const form = new URLSearchParams(parameters).toString();
    return answerOf(`${this.stripe.url}/v1/${path}${method === 'GET' && form ? `?${form}` : ''}`, {
      method,
      headers: { Authorization: `Bearer ${STRIPE_SECRET_KEY}`, 'Content-Type': 'application/x-www-form-urlencoded' },
      ...(method === 'POST' && { body: form }),
    });
  }

  /** All objects of a kind at the fake. */
  async allOfStripe<One extends { id: string }>(path: string): Promise<One[]> {
    const all: One[] = [];
    for (;;) {
      const last = all.at(-1);
      const { status, body } = await this.askStripe('GET', path, {
        limit: '100',
        ...(last && { starting_after: last.id }),
      });
      if (status !== 200) throw new Error(`The fake of Stripe answered ${status} for ${path}.`);
      const page = body as unknown as { data: One[]; has_more: boolean };
      all.push(...page.data);
      if (!page.has_more) return all;
    }
  }

  /** Controls the fake beside its API: faults, the webhook address, decisions of banks. */
  control(operation: string, body?: object, method: 'POST' | 'DELETE' = 'POST'): Promise<Answer> {
    return answerOf(`${this.stripe.url}/_control/${operation}`, {
      method,
      headers: { Authorization: `Bearer ${STRIPE_SECRET_KEY}` },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  /** Number of requests to the fake that will still fail. */
  async faultsLeft(): Promise<number> {
    const answer = await fetch(`${this.stripe.url}/_control`, {
      headers: { Authorization: `Bearer ${STRIPE_SECRET_KEY}` },
    });
    const { faults } = (await answer.json()) as { faults: { times: number }[] };
    return faults.reduce((sum, { times }) => sum + times, 0);
  }

  /** Log lines of a program, in order. */
  logLines(name: Process): string[] {
    return this.outputs[name].flatMap((output) => output.join('').split('\n'));
  }

  /**
   * Waits, after the last request, until running processes have finished the work of killed ones.
   * Ignores jobs whose regular attempts all failed: the provider repeats an error for a day, and so
   * do they.
   */
  async drain(): Promise<void> {
    await this.query("UPDATE payments SET created_at = created_at - interval '1 minute' WHERE status = 'created'"); // no request works on them any more
    await this.expireLocks();
    await until(async () => {
      for (const process of Object.values(this.processes)) process.assertRunning();
      await this.query('UPDATE outbox SET due_at = now() WHERE queue = ANY ($1) AND due_at > now() AND error IS NULL', [
        QUEUES,
      ]); // does not wait for the next attempt
      return !(
        await this.query('SELECT FROM outbox WHERE queue = ANY ($1) AND failed_at IS NULL AND error IS NULL', [QUEUES])
      ).length;
    });
  }

  /** Runs an operator command, such as `billing reconcile`. */
  async operator(command: string): Promise<{ exitCode: unknown; output: string }> {
    const program = CommandProcess.start([command], { ...this.env, METRICS_PORT: '1' }, 'dist/tools/billing.js');
    const exitCode = await program.exited;
    return { exitCode, output: program.stdout + program.stderr };
  }

  async stopServices(): Promise<(number | null)[]> {
    return Promise.all(Object.values(this.processes).map((process) => process.stop()));
  }

  async stop(): Promise<void> {
    for (const process of [...Object.values(this.processes), this.stripe]) process.kill('SIGKILL');
    await Promise.all([...Object.values(this.processes), this.stripe].map(({ exited }) => exited));
    await this.engine.close();
    await this.dataSource.destroy();
    await this.smtp.stop();
    await this.database.drop();
  }

  private async expireLocks(): Promise<void> {
    const client = new Client({ connectionString: this.database.url, options: '-c search_path=gateway' });
    await client.connect();
    await expireLocks(client, this.engine, 'gateway', QUEUES).finally(() => client.end());
  }

  private async run(name: Process): Promise<void> {
    const process = await ServiceProcess.start(PROGRAMS[name], {
      ...this.env,
      WORKERS: 'off',
      METRICS_PORT: String(this.metricsPorts[name]),
    });
    this.processes[name] = process;
    this.outputs[name].push(process.output);
  }
}

async function answerOf(url: string, init: RequestInit): Promise<Answer> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    const text = await response.text();
    const retryAfter = response.headers.get('Retry-After');
    return {
      status: response.status,
      body: (text ? JSON.parse(text) : {}) as Record<string, unknown>,
      retryAfter: retryAfter === null ? null : Number(retryAfter),
    };
  } catch (error) {
    if ((error as Error).name === 'TimeoutError')
      throw new Error(`${init.method} ${url} had no answer.`, { cause: error });
    return { status: 0, body: {}, retryAfter: null };
  }
}
