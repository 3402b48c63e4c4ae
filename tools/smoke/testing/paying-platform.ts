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
  /** 0: the connection broke. */
  status: number;
  body: Record<string, unknown>;
  /** Seconds of `Retry-After`; null without it. */
  retryAfter: number | null;
}

type Process = 'gateway' | 'worker';
const PROGRAMS: Readonly<Record<Process, string>> = {
  gateway: 'apps/auth-gateway/src/main.js',
  worker: 'apps/auth-gateway/src/worker.js',
};
const STAND_IN = 'tools/payments/main.js';
/** Those whose jobs move money. */
const QUEUES = ['payments', 'refunds', 'auto-topups', 'renewals'];
/** Of a PostgreSQL that is restarted. */
const LONGEST_AWAY_MS = 30_000;
/** More than all tries that the gateway makes for a request. */
const ANSWER_TIMEOUT_MS = 60_000;

/** The built gateway, its worker and the stand-in of Stripe, each a process of its own, on a database of their own. */
export class PayingPlatform {
  readonly processes: Partial<Record<Process, ServiceProcess>> = {};
  /** Resolves when no process is being started again. */
  up: Promise<unknown> = Promise.resolve();
  /** Output of all processes of each program, of those that were killed too. */
  private readonly outputs: Record<Process, string[][]> = { gateway: [], worker: [] };

  private constructor(
    readonly database: Pick<TestDatabase, 'url' | 'drop'>,
    readonly dataSource: DataSource,
    private standIn: ServiceProcess,
    private readonly stripeEnv: NodeJS.ProcessEnv,
    private readonly engine: QueueEngine,
    private readonly smtp: SmtpSink,
    private readonly serviceToken: string,
    private readonly env: NodeJS.ProcessEnv,
    private readonly metricsPorts: Readonly<Record<Process, number>>,
  ) {}

  /**
   * @param given a migrated database; one of its own unless told
   * @param options.paymentsFile where the stand-in keeps what it has, so that it may be stopped; in memory unless told
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
    const stripe = await ServiceProcess.start(STAND_IN, stripeEnv);
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
      NODE_ENV: 'development', // in production the time of billing does not move
      STRIPE_WEBHOOK_SECRETS: 'whsec_stand_in', // of the stand-in as a program
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
    const platform = new PayingPlatform(database, dataSource, stripe, stripeEnv, engine, smtp, serviceToken, env, metricsPorts);
    await Promise.all([platform.run('gateway'), platform.run('worker')]);
    return platform;
  }

  get stripe(): ServiceProcess {
    return this.standIn;
  }

  async stopStripe(): Promise<void> {
    await this.standIn.stop();
  }

  async startStripe(): Promise<void> {
    this.standIn = await ServiceProcess.start(STAND_IN, this.stripeEnv);
  }

  get keyring(): Keyring {
    return parseKeyring(this.env['SECRET_KEYS'] ?? '');
  }

  /** Waits for a database that is away. */
  async query<Row = Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<Row[]> {
    const end = performance.now() + LONGEST_AWAY_MS;
    for (;;) {
      try {
        return await this.dataSource.query<Row[]>(sql, values);
      } catch (error) {
        // PostgreSQL's own refusals, which no retry mends.
        if (/^(22|23|42|P0)/.test((error as { code?: string }).code ?? '') || performance.now() > end) throw error;
        await delay(100);
      }
    }
  }

  /** Dies without another word, and starts again. With `expiresLocks` what it had in hand is taken up at once, and not after the while for which it is locked. */
  kill(name: Process, options: { expiresLocks?: boolean } = {}): Promise<void> {
    const restarted = this.restart(name, options);
    this.up = restarted.catch(() => undefined); // who kills is told
    return restarted;
  }

  private async restart(name: Process, { expiresLocks = false }: { expiresLocks?: boolean }): Promise<void> {
    const running = this.processes[name];
    running?.kill('SIGKILL');
    await running?.exited;
    if (expiresLocks) await this.expireLocks();
    await this.run(name);
  }

  /** A trusted backend asks the gateway, for a user where one is given. A key makes it safe to ask again. */
  ask(method: string, path: string, body: object | undefined, { userId, key }: { userId?: string; key?: string } = {}): Promise<Answer> {
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

  /** The stand-in is asked as a seller does in its dashboard; with a `client_secret` as the browser of a customer is. */
  askStripe(method: 'GET' | 'POST', path: string, parameters: Record<string, string> = {}): Promise<Answer> {
    const form = new URLSearchParams(parameters).toString();
    return answerOf(`${this.stripe.url}/v1/${path}${method === 'GET' && form ? `?${form}` : ''}`, {
      method,
      headers: { Authorization: `Bearer ${STRIPE_SECRET_KEY}`, 'Content-Type': 'application/x-www-form-urlencoded' },
      ...(method === 'POST' && { body: form }),
    });
  }

  /** Everything of a kind that the stand-in has. */
  async allOfStripe<One extends { id: string }>(path: string): Promise<One[]> {
    const all: One[] = [];
    for (;;) {
      const last = all.at(-1);
      const { status, body } = await this.askStripe('GET', path, { limit: '100', ...(last && { starting_after: last.id }) });
      if (status !== 200) throw new Error(`The stand-in answers ${status} for ${path}.`);
      const page = body as unknown as { data: One[]; has_more: boolean };
      all.push(...page.data);
      if (!page.has_more) return all;
    }
  }

  /** What the stand-in is told beside its API: faults, where webhooks go, what banks decide. */
  control(operation: string, body?: object, method: 'POST' | 'DELETE' = 'POST'): Promise<Answer> {
    return answerOf(`${this.stripe.url}/_control/${operation}`, {
      method,
      headers: { Authorization: `Bearer ${STRIPE_SECRET_KEY}` },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  /** How many more requests to the stand-in are to go wrong. */
  async faultsLeft(): Promise<number> {
    const answer = await fetch(`${this.stripe.url}/_control`, { headers: { Authorization: `Bearer ${STRIPE_SECRET_KEY}` } });
    const { faults } = (await answer.json()) as { faults: { times: number }[] };
    return faults.reduce((sum, { times }) => sum + times, 0);
  }

  /** Lines that a program has logged, in order. */
  logLines(name: Process): string[] {
    return this.outputs[name].flatMap((output) => output.join('').split('\n'));
  }

  /**
   * Waits, when nobody asks for anything any more, until running processes have taken up the work of killed ones. Jobs whose regular attempts all failed are left: the provider
   * repeats an error for a day, and those jobs with it.
   */
  async drain(): Promise<void> {
    await this.query("UPDATE payments SET created_at = created_at - interval '1 minute' WHERE status = 'created'"); // of which no request is at any more
    await this.expireLocks();
    await until(async () => {
      for (const process of Object.values(this.processes)) process.assertRunning();
      await this.query('UPDATE outbox SET due_at = now() WHERE queue = ANY ($1) AND due_at > now() AND error IS NULL', [QUEUES]); // no waiting for the next attempt
      return !(await this.query('SELECT FROM outbox WHERE queue = ANY ($1) AND failed_at IS NULL AND error IS NULL', [QUEUES])).length;
    });
  }

  /** One of the programs for operators: `billing reconcile`. */
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
    if ((error as Error).name === 'TimeoutError') throw new Error(`${init.method} ${url} had no answer.`, { cause: error });
    return { status: 0, body: {}, retryAfter: null };
  }
}
