import { until } from '@platform/testing';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { freePorts, productionEnv } from '../smoke/service-process.js';
import type { TourOptions } from '../tour/tour.js';
import { memoryOf, type ImageRunner, type Memory } from './image-runner.js';
import { readTargets } from './targets.js';

interface Running {
  target: string;
  child: ChildProcess;
  output: string[];
  readyMs: number;
  /** Memory when the process became ready. */
  readyMemory: Memory;
}

/** Upper limit of resident memory when a process becomes ready. */
const MOST_READY_MEGABYTES = 150;

/** A platform with each process started from its image, on the network of this machine. */
export class ImagesPlatform {
  private readonly running: Running[] = [];
  private readonly targets = readTargets();
  addresses!: Omit<TourOptions, 'print'>;

  /** @param folder folder in the containers for the files of the mailbox and the test payments */
  constructor(
    private readonly runner: ImageRunner,
    private readonly folder: string,
  ) {}

  /**
   * Starts all processes.
   * @param redisUrl Redis for the queues; without it they are on PostgreSQL
   * @throws Error if a process does not become ready.
   */
  async start(databaseUrl: string, redisUrl?: string): Promise<void> {
    const ports = (await freePorts(15)).map(String);
    const [gatewayPort, registryPort, hostPort, panelPort, smtpPort, mailboxPort, paymentsPort, ...metricsPorts] =
      ports;
    const address = (port?: string) => `http://127.0.0.1:${port}`;
    const token = randomBytes(24).toString('base64url');
    const administrator = { email: 'admin@example.com', password: randomBytes(12).toString('base64url') };
    const shared = { ...productionEnv(databaseUrl, token), REDIS_URL: redisUrl, TRUSTED_PROXIES: 'loopback' };
    await this.run('operator', {
      DATABASE_URL: databaseUrl,
      SECRET_KEYS: shared.SECRET_KEYS,
      ADMIN_EMAIL: administrator.email,
      ADMIN_PASSWORD: administrator.password,
    });
    const mailboxEnv = {
      MAILBOX_SMTP_PORT: smtpPort,
      MAILBOX_WEB_PORT: mailboxPort,
      MAILBOX_FILE: `${this.folder}/mailbox.jsonl`,
    };
    await this.open('development', mailboxEnv, `${address(mailboxPort)}/`);
    const paymentsEnv = {
      PAYMENTS_PORT: paymentsPort,
      PAYMENTS_FILE: `${this.folder}/payments.jsonl`,
      PAYMENTS_WEBHOOK_URL: `${address(gatewayPort)}/v1/webhooks/stripe`,
      PAYMENTS_WEBHOOK_SECRET: shared.STRIPE_WEBHOOK_SECRETS,
    };
    await this.open('development', paymentsEnv, `${address(paymentsPort)}/`, ['dist/tools/payments/main.js']);
    const service = async (
      target: string,
      port: string | undefined,
      env: NodeJS.ProcessEnv,
      path = '/readyz',
    ): Promise<void> => {
      const metricsPort = metricsPorts.shift();
      const ready = port ? `${address(port)}${path}` : `${address(metricsPort)}/metrics`;
      await this.open(target, { ...shared, ...env, PORT: port, METRICS_PORT: metricsPort }, ready);
    };
    const gatewayEnv = {
      PUBLIC_URL: address(gatewayPort),
      PANEL_URL: address(panelPort),
      SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
      STRIPE_API_URL: address(paymentsPort),
      REGISTRY_URL: address(registryPort),
      REGISTRY_SERVICE_TOKEN: token,
      EXT_WEBHOOK_HOST_URL: address(hostPort),
      EXT_WEBHOOK_HOST_SERVICE_TOKEN: token,
    };
    const peers = { AUTH_GATEWAY_URL: address(gatewayPort), PANEL_URL: address(panelPort) };
    await service('registry', registryPort, peers);
    await service('auth-gateway', gatewayPort, gatewayEnv);
    await service('ext-webhook-host', hostPort, peers);
    await service('panel', panelPort, {
      ...peers,
      PUBLIC_URL: address(panelPort),
      EXT_WEBHOOK_HOST_URL: address(hostPort),
      GATEWAY_SERVICE_TOKEN: token,
    });
    await service('auth-gateway-worker', undefined, gatewayEnv);
    await service('ext-webhook-host-worker', undefined, peers);
    this.addresses = {
      gatewayUrl: address(gatewayPort),
      panelUrl: address(panelPort),
      mailboxUrl: address(mailboxPort),
      paymentsUrl: address(paymentsPort),
      administrator,
    };
  }

  /** @throws Error if a process used more than 150 MB when it became ready. */
  requireSmallMemory(): void {
    const large = this.running.filter(({ readyMemory }) => readyMemory.resident > MOST_READY_MEGABYTES);
    if (large.length)
      throw new Error(
        `More than ${MOST_READY_MEGABYTES} MB once ready: ${large.map(({ target }) => target).join(', ')}.`,
      );
  }

  /** A line for each process: the time until it was ready, and its memory. */
  figures(): string[] {
    return this.running.map(({ target, child, readyMs, readyMemory }) => {
      const said = ({ resident, own }: Memory) =>
        `${resident.toFixed(0).padStart(4)} MB (${own.toFixed(0).padStart(3)} MB its own)`;
      const seconds = (readyMs / 1_000).toFixed(2);
      return `${target.padEnd(24)} ready after ${seconds} s with ${said(readyMemory)}, ${said(memoryOf(child))} after the tour`;
    });
  }

  /** Last output of each process. */
  lastOutput(): string {
    return this.running.map(({ target, output }) => `── ${target}\n${output.join('').slice(-2_000)}`).join('\n');
  }

  /**
   * Sends SIGTERM to all processes. @throws Error if one does not stop by itself with exit code 0.
   */
  async stop(): Promise<void> {
    const codes = await Promise.all(
      this.running.splice(0).map(async ({ target, child }) => {
        if (hasEnded(child)) return [target, child.exitCode] as const;
        const closed = once(child, 'close');
        this.runner.end(child);
        const [code] = (await closed) as [number | null];
        return [target, code] as const;
      }),
    );
    const failed = codes.filter(([target, code]) => code !== 0 && target !== 'development');
    if (failed.length)
      throw new Error(
        `Not stopped with exit code 0: ${failed.map(([target, code]) => `${target} (${code})`).join(', ')}`,
      );
  }

  /** Runs the image until its program ends. @throws Error for an exit code other than 0. */
  private async run(target: string, env: NodeJS.ProcessEnv): Promise<void> {
    const { child, output } = await this.begin(target, env);
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`${target} ended with ${code}:\n${output.join('')}`);
  }

  private async open(
    target: string,
    env: NodeJS.ProcessEnv,
    readyUrl: string,
    command?: readonly string[],
  ): Promise<void> {
    const started = performance.now();
    const { child, output } = await this.begin(target, env, command);
    const one: Running = { target, child, output, readyMs: 0, readyMemory: { resident: 0, own: 0 } };
    this.running.push(one);
    await until(() => {
      if (hasEnded(child))
        throw new Error(`${target} ended with ${child.exitCode ?? child.signalCode}:\n${output.join('')}`);
      return fetch(readyUrl).then(
        ({ status }) => status < 500, // the test payments answer 401 to a request without a key
        () => false,
      );
    });
    one.readyMs = performance.now() - started;
    one.readyMemory = memoryOf(child);
  }

  private async begin(
    name: string,
    env: NodeJS.ProcessEnv,
    command?: readonly string[],
  ): Promise<{ child: ChildProcess; output: string[] }> {
    const target = this.targets.find((one) => one.name === name);
    if (!target) throw new Error(`There is no image ${name}.`);
    const child = await this.runner.start(target, env, command);
    const output: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => output.push(chunk.toString()));
    return { child, output };
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;
