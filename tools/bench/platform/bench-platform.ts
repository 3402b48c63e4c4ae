import { parseKeyring } from '@platform/platform';
import { randomBytes } from 'node:crypto';
import { createRefreshToken } from '../../../apps/auth-gateway/src/identity/sessions/refresh-token.js';
import { ALL_PERMISSIONS, freePorts, NO_PAYMENTS, NO_REGISTRY, ServiceProcess } from '../../smoke/service-process.js';
import type { Databases } from './databases.js';
import { populate, type Population } from './population.js';
import type { Size } from './size.js';

export const SERVICES = ['auth-gateway', 'registry', 'ext-webhook-host'] as const;
export type Service = (typeof SERVICES)[number];

/** Default of production; a baseline on the database gets the same number of connections. */
export const POOL_SIZE = 10;

/**
 * A separate database with users, and services on it that run as in production: built and bundled,
 * each in its own process, with quiet logs. Without Redis, so each counter of a rate limit is a
 * row, too.
 */
export class BenchPlatform {
  /**
   * Current refresh token of each session. Take the first and append its successor, so that no
   * session is refreshed too often.
   */
  readonly refreshTokens: string[];
  private readonly running = new Set<ServiceProcess>();
  private sharedGateway: Started | null = null;
  /** Services that measurements share in a tiny run. */
  private readonly kept = new Map<string, readonly Started[]>();

  private constructor(
    readonly size: Size,
    private readonly databases: Databases,
    readonly databaseUrl: string,
    readonly population: Population,
    private readonly secretKeys: string,
    readonly serviceToken = randomBytes(24).toString('base64url'),
  ) {
    const keyring = parseKeyring(secretKeys);
    this.refreshTokens = population.sessionIds.map((sessionId) =>
      createRefreshToken(keyring, { sessionId, counter: 0 }),
    );
  }

  /** Starts a platform on the databases; `stop` also stops these. */
  static async start(size: Size, databases: Databases): Promise<BenchPlatform> {
    try {
      const databaseUrl = await databases.create('platform');
      const population = await populate(databaseUrl, size);
      return new BenchPlatform(size, databases, databaseUrl, population, `k1:${randomBytes(32).toString('base64')}`);
    } catch (error) {
      await databases.stop();
      throw error;
    }
  }

  /** Creates another migrated database. Returns its URL. */
  createDatabase(name: string): Promise<string> {
    return this.databases.create(name);
  }

  /** A gateway for measurements that need no other service. */
  async gateway(): Promise<RunningService> {
    if (!this.sharedGateway || !this.running.has(this.sharedGateway.process)) {
      // In a tiny run this gateway keeps running during other measurements, so it must not take
      // their jobs.
      this.sharedGateway = await this.run(
        'apps/auth-gateway/src/main.js',
        this.size === 'tiny' ? { env: { WORKERS: 'off' } } : {},
      );
    }
    return this.sharedGateway;
  }

  /**
   * Services that several measurements need. Each measurement starts its own, but in a tiny run
   * they share them, until another gateway starts on the same database: the shared gateway would
   * take its jobs.
   */
  async inCommon<Services extends readonly RunningService[]>(
    name: string,
    start: () => Promise<Services>,
  ): Promise<Services> {
    if (this.size !== 'tiny') return start();
    const known = this.kept.get(name);
    const isRunning = known?.every(({ process }) => this.running.has(process));
    const services = known && isRunning ? known : ((await start()) as unknown as readonly Started[]);
    this.kept.set(name, services);
    return services.map((service) => ({ ...service, stop: () => Promise.resolve() })) as unknown as Services;
  }

  /**
   * Starts a service and waits until it listens. A second process of the same service needs the
   * `publicUrl` of the first.
   */
  async startService(service: Service, changes: ServiceChanges = {}): Promise<Started> {
    if (service === 'auth-gateway') await this.endKept(changes.databaseUrl ?? this.databaseUrl);
    return this.run(`apps/${service}/src/main.js`, changes);
  }

  /** Baseline of the catalog. */
  startMemoryCatalog(registryUrl: string): Promise<RunningService> {
    return this.run('tools/bench/bare/memory-catalog.js', { env: { REGISTRY_URL: registryUrl } });
  }

  /**
   * Baseline of a call: two Express services. `documentKey` is the document that the second one
   * reads each time.
   */
  async startBareCall(documentKey: readonly string[]): Promise<RunningService> {
    const back = await this.run('tools/bench/bare/call-back.js', {
      env: { DOCUMENT_KEY: JSON.stringify(documentKey) },
    });
    const front = await this.run('tools/bench/bare/call-front.js', { env: { BACK_URL: back.url } });
    return { url: front.url, metricsUrl: front.metricsUrl, stop: () => Promise.all([front.stop(), back.stop()]) };
  }

  /** Baseline of an event stream. */
  startBareStream(): Promise<RunningService> {
    return this.run('tools/bench/bare/stream.js', {});
  }

  /** Baseline of a webhook: an Express service. */
  startBareWebhook(secret: string): Promise<RunningService> {
    return this.run('tools/bench/bare/webhook.js', { env: { SECRET: secret } });
  }

  /**
   * Baseline of an event of the payment provider: an Express service with as many database
   * connections as a gateway.
   */
  startBarePaymentWebhook(databaseUrl: string, secret: string): Promise<RunningService> {
    return this.run('tools/bench/bare/payment-webhook.js', { databaseUrl, env: { SECRET: secret } });
  }

  private async run(program: string, changes: ServiceChanges): Promise<Started> {
    const { publicUrl, databaseUrl = this.databaseUrl, port: givenPort, env } = changes;
    const [freePort, metricsPort] = (await freePorts(2)).map(String);
    const port = givenPort?.toString() ?? freePort;
    const url = `http://127.0.0.1:${port}`;
    const process = await ServiceProcess.start(program, {
      ...this.environment(url, databaseUrl),
      PORT: port,
      METRICS_PORT: metricsPort,
      PUBLIC_URL: publicUrl ?? url,
      ...env,
    });
    this.running.add(process);
    void process.exited.then(() => this.running.delete(process));
    return {
      url,
      metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
      stop: () => process.stop(),
      process,
      databaseUrl,
    };
  }

  /** Environment variables of a service at `url`. */
  environment(url: string, databaseUrl = this.databaseUrl): NodeJS.ProcessEnv {
    return {
      NODE_ENV: 'production',
      CODE_SANDBOX: 'permission',
      LOG_LEVEL: 'warn',
      HOST: '127.0.0.1',
      WORKERS: 'inline',
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_SIZE: String(POOL_SIZE),
      SECRET_KEYS: this.secretKeys,
      SERVICE_TOKENS: `bench:${this.serviceToken}`,
      SERVICE_PERMISSIONS: `bench:${ALL_PERMISSIONS}`,
      TRUSTED_PROXIES: 'loopback',
      RATE_LIMIT_SCALE: '1000000', // counted as usual, but never reached
      PUBLIC_URL: url,
      PANEL_URL: url,
      ...NO_REGISTRY,
      ...NO_PAYMENTS,
      AUTH_GATEWAY_URL: url,
      AUTH_GATEWAY_SERVICE_TOKEN: this.serviceToken,
      SMTP_URL: 'smtp://127.0.0.1:9', // nobody listens; no measured route sends mail
    };
  }

  private async endKept(databaseUrl: string): Promise<void> {
    const ended = [...this.kept.values()].flat().filter((service) => service.databaseUrl === databaseUrl);
    await Promise.all(ended.map((service) => service.stop()));
  }

  /** Stops the services that a measurement left running. In a tiny run shared services stay. */
  async clear(): Promise<void> {
    const shared = this.size === 'tiny' && this.sharedGateway ? [this.sharedGateway] : [];
    const kept = [...shared, ...[...this.kept.values()].flat()].map(({ process }) => process);
    await Promise.all([...this.running].filter((process) => !kept.includes(process)).map((process) => process.stop()));
  }

  async stop(): Promise<void> {
    await Promise.all([...this.running].map((process) => process.stop()));
    await this.databases.stop();
  }
}

export interface ServiceChanges {
  /** Port to listen on, if another process has to know it before the start. */
  port?: number;
  publicUrl?: string;
  databaseUrl?: string;
  env?: NodeJS.ProcessEnv;
}

export interface RunningService {
  url: string;
  metricsUrl: string;
  stop(): Promise<unknown>;
}

export interface Started extends RunningService {
  process: ServiceProcess;
  databaseUrl: string;
}
