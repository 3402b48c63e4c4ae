import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, productionEnv, ServiceProcess } from '../smoke/service-process.js';
import type { TourOptions } from '../tour/tour.js';
import { RoundRobinProxy } from './round-robin-proxy.js';

const SERVICES = ['registry', 'auth-gateway', 'ext-webhook-host', 'panel'] as const;
const WORKERS = ['auth-gateway', 'ext-webhook-host'] as const;
type Service = (typeof SERVICES)[number];

/**
 * Longer than several health checks, so that the proxy notices the stop while the process still
 * accepts requests.
 */
const DRAIN_SECONDS = 1;

/** A process of the platform, from the build or from an image. */
export interface PlatformProcess {
  readonly url: string;
  readonly output: readonly string[];
  /** Sends SIGTERM and returns the exit code; null if the process had to be killed. */
  stop: () => Promise<number | null>;
}

/** Starts the programs of `dist/`. */
export interface ProcessStarter {
  /** Starts a process and waits until it serves requests. */
  start: (program: string, env: NodeJS.ProcessEnv) => Promise<PlatformProcess>;
  /** Runs a program to its end and returns its exit code. */
  run: (program: string, env: NodeJS.ProcessEnv) => Promise<number | null>;
}

interface Instance {
  service: Service;
  isWorker: boolean;
  process: PlatformProcess;
}

export interface ReplicationOptions {
  /** URL of an existing database, empty or migrated. */
  databaseUrl: string;
  /** Number of processes of each service and each worker. */
  replicas: number;
  /** Starter of the processes; by default `ServiceProcess`, from the build. */
  starter?: ProcessStarter;
}

/**
 * The built platform with several processes of each service and worker, as in production. Each
 * service has one address, its load balancer; the services also reach each other through it.
 */
export class ReplicatedPlatform {
  readonly serviceToken = randomBytes(24).toString('base64url');
  readonly administrator = { email: 'admin@example.com', password: randomBytes(12).toString('base64url') };
  readonly proxies: Record<Service, RoundRobinProxy>;
  addresses!: Omit<TourOptions, 'print'>;
  private instances: Instance[] = [];
  private readonly beside: PlatformProcess[] = [];
  private readonly folder = mkdtempSync(join(tmpdir(), 'platform-replicas-'));
  private env!: Record<Service, NodeJS.ProcessEnv>;

  private constructor(
    proxies: RoundRobinProxy[],
    private readonly starter: ProcessStarter,
  ) {
    this.proxies = Object.fromEntries(SERVICES.map((service, at) => [service, proxies[at]])) as Record<
      Service,
      RoundRobinProxy
    >;
  }

  /** Starts the platform and waits until all processes listen. */
  static async start({
    databaseUrl,
    replicas,
    starter = ServiceProcess,
  }: ReplicationOptions): Promise<ReplicatedPlatform> {
    const platform = new ReplicatedPlatform(await Promise.all(SERVICES.map(() => RoundRobinProxy.start())), starter);
    try {
      await platform.prepare(databaseUrl);
      const each = Array.from({ length: replicas });
      const wanted = [
        ...SERVICES.map((service) => [service, false] as const),
        ...WORKERS.map((service) => [service, true] as const),
      ];
      await Promise.all(wanted.flatMap(([service, isWorker]) => each.map(() => platform.begin(service, isWorker))));
      for (const service of SERVICES) platform.proxies[service].failures.length = 0; // failures from the start of the processes do not count
      return platform;
    } catch (error) {
      await platform.stop();
      throw error;
    }
  }

  /**
   * Replaces each process by a new one, one after the other within each service and worker. The new
   * process is ready before the old one is told to stop.
   * @throws Error if a process does not stop with exit code 0.
   */
  async replaceAll(): Promise<void> {
    const kinds = new Set(this.instances.map(nameOf));
    await Promise.all([...kinds].map((kind) => this.replace(this.instances.filter((one) => nameOf(one) === kind))));
  }

  /** Error answers of the proxies themselves, because no process answered. */
  get failures(): string[] {
    return SERVICES.flatMap((service) =>
      this.proxies[service].failures.map(({ status, method, path }) => `${service}: ${status} to ${method} ${path}`),
    );
  }

  /** Sends SIGTERM to all. Returns the exit codes of services and workers. */
  async stop(): Promise<(number | null)[]> {
    const codes = await Promise.all([...this.instances].map((instance) => this.end(instance)));
    await Promise.all(this.beside.map((process) => process.stop()));
    await Promise.all(SERVICES.map((service) => this.proxies[service].stop()));
    rmSync(this.folder, { recursive: true, force: true });
    return codes;
  }

  private async prepare(databaseUrl: string): Promise<void> {
    const [smtpPort, mailboxPort, paymentsPort] = (await freePorts(3)).map(String);
    const url = (service: Service) => this.proxies[service].url;
    const shared = {
      ...productionEnv(databaseUrl, this.serviceToken),
      TRUSTED_PROXIES: 'loopback',
      RATE_LIMIT_SCALE: '1000', // all test requests come from one address
      DRAIN_SECONDS: String(DRAIN_SECONDS),
      LOG_LEVEL: 'warn',
      AUTH_GATEWAY_URL: url('auth-gateway'),
      PANEL_URL: url('panel'),
    };
    const { email, password } = this.administrator;
    const migration = {
      DATABASE_URL: databaseUrl,
      SECRET_KEYS: shared.SECRET_KEYS,
      ADMIN_EMAIL: email,
      ADMIN_PASSWORD: password,
    };
    if ((await this.starter.run('tools/migrate.js', migration)) !== 0)
      throw new Error('The database was not migrated.');
    this.env = {
      registry: shared,
      'auth-gateway': {
        ...shared,
        PUBLIC_URL: url('auth-gateway'),
        SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
        STRIPE_API_URL: `http://127.0.0.1:${paymentsPort}`,
        REGISTRY_URL: url('registry'),
        REGISTRY_SERVICE_TOKEN: this.serviceToken,
        EXT_WEBHOOK_HOST_URL: url('ext-webhook-host'),
        EXT_WEBHOOK_HOST_SERVICE_TOKEN: this.serviceToken,
      },
      'ext-webhook-host': shared,
      panel: {
        ...shared,
        PUBLIC_URL: url('panel'),
        EXT_WEBHOOK_HOST_URL: url('ext-webhook-host'),
        GATEWAY_SERVICE_TOKEN: this.serviceToken,
      },
    };
    const mailbox = await this.starter.start('tools/mailbox/main.js', {
      MAILBOX_SMTP_PORT: smtpPort,
      MAILBOX_WEB_PORT: mailboxPort,
      MAILBOX_FILE: join(this.folder, 'mailbox.jsonl'),
    });
    this.beside.push(mailbox);
    const payments = await this.starter.start('tools/payments/main.js', {
      PAYMENTS_PORT: paymentsPort,
      PAYMENTS_FILE: join(this.folder, 'payments.jsonl'),
      PAYMENTS_WEBHOOK_URL: `${url('auth-gateway')}/v1/webhooks/stripe`,
      PAYMENTS_WEBHOOK_SECRET: shared.STRIPE_WEBHOOK_SECRETS,
    });
    this.beside.push(payments);
    this.addresses = {
      gatewayUrl: url('auth-gateway'),
      panelUrl: url('panel'),
      mailboxUrl: mailbox.url,
      paymentsUrl: payments.url,
      administrator: this.administrator,
    };
  }

  private async replace(instances: readonly Instance[]): Promise<void> {
    for (const instance of instances) {
      await this.begin(instance.service, instance.isWorker);
      const code = await this.end(instance);
      if (code !== 0)
        throw new Error(`${nameOf(instance)} ended with ${code}: ${instance.process.output.join('').slice(-3_000)}`);
    }
  }

  private async begin(service: Service, isWorker: boolean): Promise<void> {
    const [port, metricsPort] = (await freePorts(2)).map(String);
    const program = `apps/${service}/src/${isWorker ? 'worker' : 'main'}.js`;
    const process = await this.starter.start(program, { ...this.env[service], PORT: port, METRICS_PORT: metricsPort });
    this.instances.push({ service, isWorker, process });
    if (!isWorker) this.proxies[service].add(process.url);
  }

  /**
   * Stops a process without telling the proxy, which sees that the process is not ready. Returns
   * the exit code.
   */
  private async end(instance: Instance): Promise<number | null> {
    const code = await instance.process.stop();
    this.proxies[instance.service].remove(instance.process.url);
    this.instances = this.instances.filter((one) => one !== instance);
    return code;
  }
}

const nameOf = ({ service, isWorker }: Instance): string => (isWorker ? `the worker of ${service}` : service);
