import type { INestApplication } from '@nestjs/common';
import { INTERNAL_PERMISSIONS } from '@platform/contracts';
import { createLogger, createService, type ServiceDefinition } from '@platform/platform';
import { Writable } from 'node:stream';
import { DataSource } from 'typeorm';
import { TestClient } from './http-client.js';
import { NestedConnections } from './nested-connections.js';
import { RecordedExamples } from './recorded-examples.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

/** Of a backend that may do everything. */
export const TEST_SERVICE_TOKEN = 'test-service-token-0123456789';

/** The tokens of the platform's own services, by their names, and of a backend that may do nothing. */
export const TEST_SERVICE_TOKENS = {
  panel: 'test-token-of-the-panel-0123456789',
  gateway: 'test-token-of-the-gateway-0123456789',
  registry: 'test-token-of-the-registry-0123456789',
  'ext-webhook-host': 'test-token-of-the-host-0123456789',
  idle: 'test-token-of-nobody-0123456789',
};

export interface TestServiceOptions {
  /** Beside the defaults of a test. */
  env?: NodeJS.ProcessEnv;
  /** Another process of the same service: shares this one's database and secrets. */
  beside?: TestService;
  /** Puts something into the new database before the service starts. */
  prepare?: (database: TestDatabase) => Promise<void>;
}

/** A service as it really runs, on a port of its own and a database of its own. */
export class TestService {
  private constructor(
    readonly app: INestApplication,
    readonly url: string,
    readonly env: NodeJS.ProcessEnv,
    /** What the service logged, line by line. */
    readonly logLines: string[],
    private readonly nested: NestedConnections,
    private readonly drop: () => Promise<void>,
    /** Null unless this run records. */
    readonly examples: RecordedExamples | null,
  ) {}

  static async start(
    define: (env: NodeJS.ProcessEnv) => ServiceDefinition,
    { env = {}, beside, prepare }: TestServiceOptions = {},
  ): Promise<TestService> {
    const database = beside ? null : await createTestDatabase();
    const complete: NodeJS.ProcessEnv = beside ? { ...beside.env, ...env } : { ...defaults(), DATABASE_URL: database?.url, ...env };
    if (database) await prepare?.(database);
    const logLines: string[] = [];
    const definition = define(complete);
    const app = await createService(definition, createLogger(definition.name, 'debug', capture(logLines)));
    await definition.connect?.(app);
    await app.listen(0, '127.0.0.1');
    const nested = NestedConnections.watch(app.get(DataSource));
    const examples = RecordedExamples.of(definition.openApi?.service);
    return new TestService(app, await app.getUrl(), complete, logLines, nested, async () => database?.drop(), examples);
  }

  /** A client with an address of its own. */
  client(): TestClient {
    const { examples } = this;
    return TestClient.at(this.url, examples ? (exchange) => examples.note(exchange) : undefined);
  }

  /** Looks into the database, or changes what no route can: time, mostly. */
  query<Row = Record<string, unknown>>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return this.app.get(DataSource).query<Row[]>(sql, parameters);
  }

  /**
   * @throws Error when jobs were lost and only the sweep found them, which would hide a fault of the queues, but not in a test that expects it; or when a transaction
   * waited for a second connection.
   */
  async stop({ mayLoseJobs = false } = {}): Promise<void> {
    this.examples?.write();
    await this.app.close();
    await this.drop();
    const lost = this.logLines.find((line) => line.includes('the queue lost a job'));
    if (lost !== undefined && !mayLoseJobs) throw new Error(`A job was lost: ${lost}`);
    this.nested.expectNone();
  }
}

/** Nobody listens here. What a test does not start itself it must not find, such as the platform that a developer has running. */
const NOBODY = '127.0.0.1:9';

function defaults(): NodeJS.ProcessEnv {
  return {
    AUTH_GATEWAY_URL: `http://${NOBODY}`,
    REGISTRY_URL: `http://${NOBODY}`,
    EXT_WEBHOOK_HOST_URL: `http://${NOBODY}`,
    SMTP_URL: `smtp://${NOBODY}`,
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
