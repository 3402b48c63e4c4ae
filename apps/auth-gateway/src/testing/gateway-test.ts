import {
  PASSWORD,
  SmtpSink,
  type SmtpSinkOptions,
  TEST_SERVICE_TOKEN,
  TestService,
  until,
  removeTimeLimit,
  type TestClient,
  type TestDatabase,
} from '@platform/testing';
import type { SignupResponse, TokenResponse } from '@platform/contracts';
import { hash } from '@node-rs/argon2';
import { RateLimiter } from '@platform/guards';
import { JobsService, maintenanceQueue, BroadcastService, QueueEngine } from '@platform/messaging';
import { newId } from '@platform/platform';
import { DocumentCheckService } from '../apps/deploys/documents/document-check.service.js';
import { loadConfig } from '../config.js';
import { ARGON2 } from '../identity/passwords/passwords.service.js';
import { authGateway } from '../service.js';
import { JobRunner } from './job-runner.js';
import { assertEventsMatchCatalogue } from './event-catalogue-check.js';

export { PASSWORD };

/** Schedules with this interval or a longer one run only when a spec calls `runScheduledJob`. */
const HELD_FROM_MS = 10_000;
/** A topic that only `waitForNotifications` publishes. */
const PROBE = 'test-probe';
const YEAR_MS = 365 * 86_400_000;
const { scheduleJob } = JobsService.prototype as {
  scheduleJob: (this: JobsService, ...parameters: Parameters<JobsService['scheduleJob']>) => void;
};

export interface TestUser {
  id: string;
  email: string;
  /** Default: `default`, the platform's own tenant. */
  tenant_id?: string;
}

/** `RATE_LIMIT_SCALE` for specs that do not test limits. Specs of limits set 1. */
const NO_LIMITS = '1000';
/**
 * Time of all rate limits, in seconds. It stands still, so that slow tests meet the same limits as
 * fast ones. `resetRateLimits` resets the limits.
 */
export const LIMITS_TIME = Date.now() / 1_000;

/** The gateway with a mail server, and helpers for users and clients. */
export class GatewayTest {
  private constructor(
    readonly service: TestService,
    readonly smtp: SmtpSink,
    /** Null if the gateway runs its own workers. */
    private readonly jobs: JobRunner | null,
  ) {}

  /**
   * Starts a gateway. Its jobs run only while the spec waits in `runJobs`, `runScheduledJob`,
   * `until` or `withJobs`. `WORKERS: 'inline'` starts workers and short schedules, as in
   * production, for specs that test these.
   */
  static async start(env: NodeJS.ProcessEnv = {}, mailServer: SmtpSinkOptions = {}): Promise<GatewayTest> {
    holdSchedules();
    const smtp = await SmtpSink.start(mailServer);
    const service = await TestService.start((complete) => authGateway(loadConfig(complete)), {
      env: { SMTP_URL: smtp.url, RATE_LIMIT_SCALE: NO_LIMITS, WORKERS: 'off', ...env },
      prepare: (database) => (env['SECRET_KEYS'] ? Promise.resolve() : addSigningKeys(database)),
    });
    return new GatewayTest(
      withoutTimeLimits(service),
      smtp,
      service.env['WORKERS'] === 'off' ? new JobRunner(service) : null,
    );
  }

  /**
   * Starts a second process of the same gateway. Each process receives the notifications of the
   * other.
   */
  async startSecondProcess(env: NodeJS.ProcessEnv = {}): Promise<TestService> {
    holdSchedules();
    const service = await TestService.start((complete) => authGateway(loadConfig(complete)), {
      sharedWith: this.service,
      env,
    });
    await waitForNotifications(service, this.service);
    await waitForNotifications(this.service, service);
    return withoutTimeLimits(service);
  }

  client(): TestClient {
    return this.service.client();
  }

  /** A client with the service token. */
  backend(): TestClient {
    return this.client().withHeaders({ 'X-Service-Token': TEST_SERVICE_TOKEN });
  }

  /** A backend that acts for a user, as the panel does. */
  actingFor(userId: string): TestClient {
    return this.backend().withHeaders({ 'X-Acting-User': userId });
  }

  /** Resets all rate limits. */
  async resetRateLimits(): Promise<void> {
    const { redis, prefix } = this.service.app.get(QueueEngine);
    if (!redis) await this.service.query('DELETE FROM rate_limits');
    else for (const key of await redis.keys(`${prefix}:rate:*`)) await redis.del(key);
  }

  /**
   * Extends blocks after wrong passwords by an hour. The first block lasts 2 s, less than a slow
   * test.
   */
  async extendLoginBlocks(): Promise<void> {
    await this.service.query("UPDATE login_throttles SET blocked_until = blocked_until + interval '1 hour'");
  }

  /** Runs all due jobs, one after the other, and those that they enqueue. */
  async runJobs(): Promise<void> {
    if (!this.jobs) throw new Error('This gateway runs workers: wait for what they do.');
    await this.jobs.runDueJobs();
  }

  /** Allows jobs of this queue to fail. Any other failed job makes `stop` reject. */
  expectFailures(queue: string): void {
    this.jobs?.expectFailures(queue);
  }

  /**
   * Runs a scheduled job now, by default a task of `MaintenanceTasksService`. Rejects with the
   * error of the handler. If the gateway runs workers, a worker takes the job soon after this
   * resolves; see `holdSchedules`.
   */
  async runScheduledJob(task: string, queueName = maintenanceQueue().name): Promise<void> {
    if (this.jobs) return this.jobs.runScheduled(queueName, task);
    const queue = this.service.app.get(QueueEngine).queue(queueName);
    try {
      const promote = async () => {
        const scheduled = (await queue.getDelayed()).find(({ name }) => name === task);
        // A worker may have started the job just now; then the next one is promoted.
        return scheduled?.promote().then(() => true, isNotDelayed);
      };
      await until(promote);
    } finally {
      await queue.close();
    }
  }

  newEmail(): string {
    return `${newId('p').slice(2)}@example.com`;
  }

  /** Inserts a user into the database. */
  async user(changes: Record<string, unknown> = {}): Promise<TestUser> {
    const user = { id: newId('usr'), email: this.newEmail(), ...changes };
    const columns = { tenant_id: 'default', email_canonical: user.email, password_hash: await passwordHash(), ...user };
    const names = Object.keys(columns);
    await this.service.query(
      `INSERT INTO users (${names.join(', ')}) VALUES (${names.map((_name, at) => `$${at + 1}`).join(', ')})`,
      Object.values(columns),
    );
    return user;
  }

  /** Signs up a user without a confirmed address. */
  async signUp(request: Record<string, unknown> = {}): Promise<{ id: string; email: string; statusToken: string }> {
    const email = this.newEmail();
    const answer = await this.client().post<SignupResponse>('/v1/auth/signup', {
      email,
      password: PASSWORD,
      ...request,
    });
    if (answer.status !== 201) throw new Error(`signup answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    const { user_id: id, status_token: statusToken } = answer.body;
    return { id, email: (request['email'] as string | undefined) ?? email, statusToken };
  }

  async login({ email, tenant_id }: TestUser, client = this.client()): Promise<TokenResponse> {
    const { status, body } = await client.post<TokenResponse>('/v1/auth/login', {
      email,
      password: PASSWORD,
      tenant_id,
    });
    if (status !== 200) throw new Error(`login answered ${status}: ${JSON.stringify(body)}`);
    return body;
  }

  async signIn(user: TestUser): Promise<TestClient> {
    const client = this.client();
    return client.withToken((await this.login(user, client)).access_token);
  }

  /** Waits for the mail number `after` + 1 to the address and returns the token in its link. */
  async mailToken(email: string, after = 0): Promise<string> {
    const { text } = await this.smtp.waitForMail(email, after);
    const token = /#token=([\w-]+)/.exec(text)?.[1];
    if (!token) throw new Error(`no token in: ${text}`);
    return token;
  }

  /**
   * Waits until all mails are sent, except those deferred because their recipient got one recently.
   */
  async waitForMails(): Promise<void> {
    const onTheirWay = `SELECT FROM outbox WHERE queue = 'mail' AND failed_at IS NULL AND NOT payload @> '{"deferred": true}' LIMIT 1`;
    // The entry of a job is deleted when the job has ended.
    await until(async () => (await this.service.query(onTheirWay)).length === 0);
  }

  async stop(): Promise<void> {
    try {
      await this.jobs?.stop();
      await assertEventsMatchCatalogue(this.service);
    } finally {
      await this.service.stop();
      await this.smtp.stop();
    }
  }
}

/**
 * Holds back schedules of 10 s or more, and tasks of `MaintenanceTasksService` at the start.
 * Otherwise they would sometimes run in the middle of a test and do its work. Tests run them with
 * `runScheduledJob`. Jobs of other queues at the start (`atStart`) still run.
 */
function holdSchedules(): void {
  const maintenance = maintenanceQueue().name;
  jest.spyOn(JobsService.prototype, 'scheduleJob').mockImplementation(function (
    this: JobsService,
    definition,
    name,
    everyMs,
    options,
  ) {
    const isHeld = everyMs >= HELD_FROM_MS;
    scheduleJob.call(
      this,
      definition,
      name,
      isHeld ? YEAR_MS : everyMs,
      isHeld && definition.name === maintenance ? {} : options,
    );
  });
}

/**
 * Waits until one process receives the notifications of another. It connects shortly after its
 * start, and earlier messages are lost.
 */
async function waitForNotifications(listening: TestService, publishing: TestService): Promise<void> {
  let hasHeard = false;
  listening.app.get(BroadcastService).subscribe(PROBE, () => (hasHeard = true));
  await until(async () => {
    await publishing.app.get(BroadcastService).publish(PROBE, ['']);
    return hasHeard;
  });
}

/**
 * Stops the clock of rate limits and removes the time limit of document checks, so that slow tests
 * behave like fast ones.
 */
function withoutTimeLimits(service: TestService): TestService {
  service.app.get(RateLimiter).clock = () => LIMITS_TIME;
  removeTimeLimit(service.app.get(DocumentCheckService).tasks);
  return service;
}

/** False if the job had already started. Rethrows other errors. */
function isNotDelayed(error: Error): boolean {
  if (!error.message.includes('not in the delayed state')) throw error;
  return false;
}

/**
 * Inserts the signing keys that were made once for the test run, as if the gateway had just made
 * them.
 */
const addSigningKeys = (database: TestDatabase): Promise<void> =>
  database.query(
    `INSERT INTO gateway.signing_keys (kid, state, public_jwk, sealed_private_jwk, activated_at)
     SELECT kid, state, public_jwk, sealed_private_jwk, CASE WHEN state = 'current' THEN now() END
     FROM json_populate_recordset(NULL::gateway.signing_keys, $1)`,
    [process.env['TEST_SIGNING_KEYS']],
  );

/** Shared by all users, because hashing is slow. */
let shared: Promise<string> | undefined;
const passwordHash = (): Promise<string> => (shared ??= hash(PASSWORD, ARGON2));
