import { INTERNAL_PERMISSIONS } from '@platform/contracts';
import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { resolve } from 'node:path';
import { PRODUCTION_TEST_KEYS } from '../../libs/testing/src/stripe/keys.js';

const START_TIMEOUT_MS = 80_000;
/** Longer than a service takes to stop by itself, and shorter than Jest's limit. */
const STOP_TIMEOUT_MS = 80_000;

/** Forks without the test runner's Node.js options, such as `--inspect`. */
const forked = (program: string, env: NodeJS.ProcessEnv): ChildProcess =>
  fork(resolve('dist', program), { env: { PATH: process.env['PATH'], ...env }, silent: true, execArgv: [] });

/** A built program in a process of its own, as in production. */
export class ServiceProcess {
  readonly output: string[] = [];
  private hasExited = false;

  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
    /**
     * Resolves with the exit code, or null if a signal ended it, after all of its output was read.
     */
    readonly exited: Promise<number | null>,
  ) {
    void exited.then(() => (this.hasExited = true));
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => this.output.push(chunk.toString()));
  }

  /**
   * Starts a process and waits until it says that it listens.
   * @throws Error with its output if it ends, or takes too long and is killed.
   */
  static async start(program: string, env: NodeJS.ProcessEnv): Promise<ServiceProcess> {
    const port = Number(env['PORT'] ?? env['MAILBOX_WEB_PORT'] ?? env['PAYMENTS_PORT']);
    const child = forked(program, env);
    const exited = new Promise<number | null>((done) => child.once('close', (code) => done(code)));
    const service = new ServiceProcess(child, port, exited);
    const listening = new Promise<void>((done) => child.once('message', () => done()));
    const timer = setTimeout(() => service.kill('SIGKILL'), START_TIMEOUT_MS);
    await Promise.race([
      listening,
      exited.then((code) => {
        throw new Error(`${program} exited with ${code}:\n${service.output.join('')}`);
      }),
    ]).finally(() => clearTimeout(timer));
    return service;
  }

  /** Runs a program to its end and returns its exit code. */
  static async run(program: string, env: NodeJS.ProcessEnv): Promise<number | null> {
    const child = forked(program, env);
    return new Promise((done) => child.once('exit', (code) => done(code)));
  }

  get pid(): number {
    return this.child.pid as number;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** @throws Error with its last output if the process has ended. */
  assertRunning(): void {
    if (this.hasExited) throw new Error(`The service ended: ${this.output.join('').slice(-3_000)}`);
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Sends SIGTERM and returns the exit code; null if the process had to be killed. */
  async stop(): Promise<number | null> {
    this.kill('SIGTERM');
    const timer = setTimeout(() => this.kill('SIGKILL'), STOP_TIMEOUT_MS);
    return this.exited.finally(() => clearTimeout(timer));
  }
}

/** Permissions of a backend that can call every route. */
export const ALL_PERMISSIONS = ['*', ...Object.keys(INTERNAL_PERMISSIONS)].join('+');

/** Keys that the fake of Stripe accepts, and an address where no server listens. */
export const NO_PAYMENTS = { ...PRODUCTION_TEST_KEYS, STRIPE_API_URL: 'http://127.0.0.1:9' };

/**
 * Environment variables that the services of one platform share. With the token each service can
 * call the others.
 */
export const productionEnv = (databaseUrl: string, serviceToken: string) => ({
  NODE_ENV: 'production',
  CODE_SANDBOX: 'permission', // bubblewrap is not installed everywhere
  HOST: '127.0.0.1',
  DATABASE_URL: databaseUrl,
  REDIS_URL: process.env['REDIS_URL'],
  SECRET_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  SERVICE_TOKENS: `smoke:${serviceToken}`,
  SERVICE_PERMISSIONS: `smoke:${ALL_PERMISSIONS}`,
  AUTH_GATEWAY_SERVICE_TOKEN: serviceToken,
  ...NO_PAYMENTS,
});

/** Variables for a gateway whose test needs no extension host: no server listens there. */
export const NO_EXTENSION_HOST = {
  EXT_WEBHOOK_HOST_URL: 'http://127.0.0.1:9',
  EXT_WEBHOOK_HOST_SERVICE_TOKEN: 'no-extension-host-no-extension-host',
};

/** The same for a test that needs no registry either. */
export const NO_REGISTRY = {
  REGISTRY_URL: 'http://127.0.0.1:9',
  REGISTRY_SERVICE_TOKEN: 'no-registry-no-registry-no-registry',
  ...NO_EXTENSION_HOST,
};

/**
 * Ports below the range that systems assign to outgoing connections: such a port could be taken
 * before the service listens.
 */
const [FIRST_PORT, LAST_PORT] = [18_000, 31_999];

/** Finds this many different free ports. */
export async function freePorts(count: number): Promise<number[]> {
  const servers: Server[] = [];
  while (servers.length < count) {
    const server = createServer();
    const listening = once(server, 'listening');
    server.listen(randomInt(FIRST_PORT, LAST_PORT + 1), '127.0.0.1');
    if (await listening.then(Boolean, () => false)) servers.push(server);
  }
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports;
}
