import type { INestApplication } from '@nestjs/common';
import { INTERNAL_PERMISSIONS } from '@platform/contracts';
import { createLogger, createService, type ServiceDefinition } from '@platform/platform';
import { Writable } from 'node:stream';
import { DataSource } from 'typeorm';
import { TestClient } from './test-client.js';
import { NestedConnections } from './nested-connections.js';
import { RecordedExamples } from './recorded-examples.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

/** Token of a backend with all permissions. */
export const TEST_SERVICE_TOKEN = 'test-service-token-0123456789';

/** Tokens of the platform's own services by name, and of a backend without permissions. */
export const TEST_SERVICE_TOKENS = {
  panel: 'test-token-of-the-panel-0123456789',
  gateway: 'test-token-of-the-gateway-0123456789',
  registry: 'test-token-of-the-registry-0123456789',
  'ext-webhook-host': 'test-token-of-the-host-0123456789',
  idle: 'test-token-of-nobody-0123456789',
};

export interface TestServiceOptions {
  /** Variables that override the test defaults. */
  env?: NodeJS.ProcessEnv;
  /** Another process of the same service. The new process shares its database and secrets. */
  sharedWith?: TestService;
  /** Prepares the new database before the service starts. */
  prepare?: (database: TestDatabase) => Promise<void>;
}

/** A real service on its own port and its own database. */
export class TestService {
  private constructor(
    readonly app: INestApplication,
    readonly url: string,
    readonly env: NodeJS.ProcessEnv,
    /** Log lines of the service. */
    readonly logLines: string[],
    private readonly nested: NestedConnections,
    private readonly drop: () => Promise<void>,
    /** Null unless RECORD_EXAMPLES is 1. */
    readonly examples: RecordedExamples | null,
  ) {}

  static async start(
    define: (env: NodeJS.ProcessEnv) => ServiceDefinition,
    { env = {}, sharedWith: beside, prepare }: TestServiceOptions = {},
  ): Promise<TestService> {
    const database = beside ? null : await createTestDatabase();
    const complete: NodeJS.ProcessEnv = beside
      ? { ...beside.env, ...env }
      : { ...defaults(), DATABASE_URL: database?.url, ...env };
    if (database) await prepare?.(database);
    const logLines: string[] = [];
    const definition = define(complete);
    const app = await createService(definition, createLogger(definition.name, 'debug', capture(logLines)));
    await definition.connect?.(app);
    await app.listen(0, '127.0.0.1');
    const nested = NestedConnections.watch(app.get(DataSource));
    const examples = RecordedExamples.forService(definition.openApi?.service);
    return new TestService(app, await app.getUrl(), complete, logLines, nested, async () => database?.drop(), examples);
  }

  /** A client with an address of its own. */
  client(): TestClient {
    const { examples } = this;
    return TestClient.create(this.url, examples ? (exchange) => examples.record(exchange) : undefined);
  }

  /**
   * Runs SQL and returns the rows, to inspect the database, or to change data that no route can
   * change, such as times.
   */
  query<Row = Record<string, unknown>>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return this.app.get(DataSource).query<Row[]>(sql, parameters);
  }

  /**
   * Stops the service.
   *
   * @throws Error if a transaction waited for a second connection, or if only the sweep found lost
   * jobs: that would hide a bug of the queues. `mayLoseJobs` allows lost jobs.
   */
  async stop({ mayLoseJobs = false } = {}): Promise<void> {
    this.examples?.save();
    await this.app.close();
    await this.drop();
    const lost = this.logLines.find((line) => line.includes('the queue lost a job'));
    if (lost !== undefined && !mayLoseJobs) throw new Error(`A job was lost: ${lost}`);
    this.nested.expectNone();
  }
}

/**
 * Address without a listener, so that a test cannot reach services that it did not start, such as
 * a developer's running platform.
 */
const UNUSED_ADDRESS = '127.0.0.1:9';

function defaults(): NodeJS.ProcessEnv {
  return {
    AUTH_GATEWAY_URL: `http://${UNUSED_ADDRESS}`,
    REGISTRY_URL: `http://${UNUSED_ADDRESS}`,
    EXT_WEBHOOK_HOST_URL: `http://${UNUSED_ADDRESS}`,
    SMTP_URL: `smtp://${UNUSED_ADDRESS}`,
    NODE_ENV: 'test',
    REDIS_URL: process.env['REDIS_URL'],
    SECRET_KEYS: process.env['TEST_SECRET_KEYS'],
    SERVICE_TOKENS: Object.entries({ test: TEST_SERVICE_TOKEN, ...TEST_SERVICE_TOKENS })
      .map(([name, token]) => `${name}:${token}`)
      .join(),
    SERVICE_PERMISSIONS: `test:${['*', ...Object.keys(INTERNAL_PERMISSIONS)].join('+')}`,
    TRUSTED_PROXIES: 'loopback',
    DATABASE_POOL_SIZE: '10',
  };
}

function capture(lines: string[]): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
}
