import { call, createPlatformClient, toTokens } from '@platform/client';
import { challengeOf, newVerifier } from '@platform/client/pkce';
import { type FakeStripe, createTestDatabase, type TestDatabase } from '@platform/testing';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { CredentialStore } from '../../apps/cli/src/credentials/credential-store.js';
import { Interruption } from '../../apps/cli/src/interruption.js';
import { resolveSettings } from '../../apps/cli/src/settings.js';
import type { CommandProcess } from '../terminal/command-process.js';
import { Computer } from '../terminal/computer.js';
import { freePorts, NO_REGISTRY, productionEnv, ServiceProcess } from './service-process.js';

export const PASSWORD = 'correct horse battery';

/** A user with an account. */
export class Person {
  constructor(
    readonly email: string,
    private readonly id: string,
    private readonly platform: GatewayWithPeople,
  ) {}

  /**
   * Creates a computer on which this user is signed in, with the files that `login` stores. The
   * real command would wait five seconds before its first poll.
   */
  async signedInComputer(url?: string): Promise<Computer> {
    const computer = this.platform.newComputer(url);
    const client = createPlatformClient({ baseUrl: computer.url });
    const code_verifier = newVerifier();
    const body = {
      code_challenge: challengeOf(code_verifier),
      code_challenge_method: 'S256' as const,
      label: 'a computer',
    };
    const { device_code, user_code } = await call(client.POST('/v1/auth/cli/device/authorize', { body }));
    await this.decideOn(user_code, 'approve');
    const answer = await call(client.POST('/v1/auth/cli/device/token', { body: { device_code, code_verifier } }));
    if (!('access_token' in answer)) throw new Error(`The login is ${answer.error}.`);
    const settings = { ...resolveSettings({ url: computer.url }, computer.env), folder: computer.folder };
    await new CredentialStore(settings, new Interruption(), () => undefined).save(toTokens(answer));
    return computer;
  }

  signedInComputers(count: number, url?: string): Promise<Computer[]> {
    return Promise.all(Array.from({ length: count }, () => this.signedInComputer(url)));
  }

  /** Approves or denies a login that shows its code, as the panel does for the user. */
  async decide(login: CommandProcess, action: 'approve' | 'deny'): Promise<void> {
    const code = await login.printed(/^ {2}[A-Z]{4}-[A-Z]{4}$/m);
    await this.decideOn(code.trim(), action);
  }

  private async decideOn(user_code: string, action: 'approve' | 'deny'): Promise<void> {
    await this.platform.post('/v1/auth/cli/device/approve', { user_code, action }, { 'X-Acting-User': this.id });
  }
}

interface PeopleOptions {
  withRegistry?: boolean;
  withHost?: boolean;
  withPanel?: boolean;
  /** Another entry of SERVICE_TOKENS. */
  backend?: string;
  /** Its entry of SERVICE_PERMISSIONS. */
  permissions?: string;
  /** The fake of Stripe for the gateway's payments. */
  stripe?: FakeStripe;
}

/** The built gateway, and users of the command line. */
export class GatewayWithPeople {
  private readonly root = mkdtempSync(join(tmpdir(), 'platform-cli-'));

  private constructor(
    /** URL of the gateway. */
    readonly url: string,
    private readonly services: ServiceProcess[],
    private readonly database: TestDatabase,
    /** Token of a backend with all permissions. */
    private readonly serviceToken: string,
  ) {}

  /** Starts the gateway and the optional services. The extension host needs a registry. */
  static async start({
    withRegistry = false,
    withHost = false,
    withPanel = false,
    backend = '',
    permissions = '',
    stripe,
  }: PeopleOptions = {}): Promise<GatewayWithPeople> {
    const database = await createTestDatabase();
    const [
      port,
      metricsPort,
      registryPort,
      registryMetricsPort,
      hostPort,
      hostMetricsPort,
      panelPort,
      panelMetricsPort,
    ] = await freePorts(8);
    const serviceToken = randomBytes(24).toString('base64url');
    const production = productionEnv(database.url, serviceToken);
    const shared = {
      ...production,
      ...(backend && {
        SERVICE_TOKENS: `${production.SERVICE_TOKENS},${backend}`,
        SERVICE_PERMISSIONS: `${production.SERVICE_PERMISSIONS},${permissions}`,
      }),
      AUTH_GATEWAY_URL: `http://127.0.0.1:${port}`,
      PANEL_URL: withPanel ? `http://127.0.0.1:${panelPort}` : 'http://panel.example.com',
      WORKERS: withRegistry ? 'inline' : undefined,
    };
    const [registryUrl, hostUrl] = [registryPort, hostPort].map((each) => `http://127.0.0.1:${each}`);
    const started: ServiceProcess[] = [];
    const service = async (
      app: string,
      httpPort: number | undefined,
      metrics: number | undefined,
      env: NodeJS.ProcessEnv = {},
    ) => {
      const settings = { ...shared, PORT: String(httpPort), METRICS_PORT: String(metrics), ...env };
      const one = await ServiceProcess.start(`apps/${app}/src/main.js`, settings);
      started.push(one);
      return one;
    };
    const outcomes = await Promise.allSettled([
      service('auth-gateway', port, metricsPort, {
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        ...NO_REGISTRY,
        ...(withRegistry && { REGISTRY_URL: registryUrl, REGISTRY_SERVICE_TOKEN: serviceToken }),
        ...(withHost && { EXT_WEBHOOK_HOST_URL: hostUrl, EXT_WEBHOOK_HOST_SERVICE_TOKEN: serviceToken }),
        SMTP_URL: 'smtp://127.0.0.1:1',
        ...(stripe && { STRIPE_API_URL: stripe.url }),
        RATE_LIMIT_SCALE: '1000',
      }),
      withRegistry ? service('registry', registryPort, registryMetricsPort) : null,
      withHost ? service('ext-webhook-host', hostPort, hostMetricsPort) : null,
      withPanel
        ? service('panel', panelPort, panelMetricsPort, {
            PUBLIC_URL: shared.PANEL_URL,
            GATEWAY_SERVICE_TOKEN: serviceToken,
            EXT_WEBHOOK_HOST_URL: withHost ? hostUrl : NO_REGISTRY.EXT_WEBHOOK_HOST_URL,
          })
        : null,
    ]);
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) {
      await Promise.all(started.map((one) => one.stop()));
      await database.drop();
      throw failed.reason;
    }
    if (stripe) {
      const secrets = [production.STRIPE_WEBHOOK_SECRETS];
      Object.assign(stripe.webhooks.settings, { url: `http://127.0.0.1:${port}/v1/webhooks/stripe`, secrets });
    }
    return new GatewayWithPeople(`http://127.0.0.1:${port}`, started, database, serviceToken);
  }

  /** Creates a user with a confirmed address. */
  async signUp(email: string): Promise<Person> {
    const account = { email, password: PASSWORD };
    const { access_token } = await this.post<{ access_token: string }>('/v1/auth/register', account);
    const { sub } = JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString()) as {
      sub: string;
    };
    await this.query("UPDATE gateway.users SET first_name = 'Ada' WHERE id = $1", [sub]);
    return new Person(email, sub, this);
  }

  /** Makes a user an administrator of the tenant `default`, and so of the platform. */
  async makeAdministrator(email: string): Promise<void> {
    const client = new Client(this.database.url);
    await client.connect();
    try {
      await client.query('SET search_path = gateway'); // triggers of the table find their functions in this search path
      const { rowCount } = await client.query("UPDATE users SET role = 'admin' WHERE email = $1", [email]);
      if (rowCount !== 1) throw new Error(`There is no user ${email}.`);
    } finally {
      await client.end();
    }
  }

  /** A computer without a signed-in user. */
  newComputer(url = this.url): Computer {
    return new Computer(mkdtempSync(join(this.root, 'home-')), url);
  }

  newFolder(): string {
    return mkdtempSync(join(this.root, 'folder-'));
  }

  async post<Answer>(path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> {
    const answer = await fetch(`${this.url}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Service-Token': this.serviceToken, ...headers },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Answer;
  }

  /** Queries the gateway's database, or changes times in it, which no route can. */
  async query<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    const client = new Client(this.database.url);
    await client.connect();
    try {
      return (await client.query<Row & object>(sql, parameters)).rows;
    } finally {
      await client.end();
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.services.map((service) => service.stop()));
    await this.database.drop();
    rmSync(this.root, { recursive: true, force: true });
  }
}
