import { hash } from '@node-rs/argon2';
import { challengeOf, newVerifier } from '@platform/client/pkce';
import { newId } from '@platform/platform';
import { createTestDatabase, SmtpSink, STRIPE_PUBLISHABLE_KEY, FakeStripe, type TestDatabase } from '@platform/testing';
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { BrowserContext } from 'playwright-core';
import { ARGON2 } from '../../../apps/auth-gateway/src/identity/passwords/passwords.service.js';
import { freePorts, NO_REGISTRY, productionEnv, ServiceProcess } from '../../smoke/service-process.js';

export const PASSWORD = 'correct horse battery';
export const CLI_USER_AGENT = 'platform-cli/0.1.0 (linux x64; Node.js 20.19.0)';

const GATEWAY = 'apps/auth-gateway/src/main.js';

/** A command line that waits until the user decides. */
export interface WaitingDevice {
  userCode: string;
  url: string;
  poll: () => Promise<Record<string, unknown>>;
}

/** Built gateway and panel as processes, with a mail server, for browser tests. */
export class BrowserPlatform {
  private constructor(
    readonly smtp: SmtpSink,
    public gateway: ServiceProcess,
    private readonly gatewayEnv: NodeJS.ProcessEnv,
    readonly panel: ServiceProcess,
    /** URL of the panel as users open it. */
    readonly url: string,
    private readonly database: TestDatabase,
    private readonly fakeStripe: FakeStripe | null,
  ) {}

  /**
   * @param payments starts the fake of Stripe, which accepts test cards; then the platform does not
   *   run in production mode
   */
  static async start({ payments = false } = {}): Promise<BrowserPlatform> {
    const [database, smtp, ports, stripe] = await Promise.all([
      createTestDatabase(),
      SmtpSink.start(),
      freePorts(4),
      payments ? FakeStripe.start() : null,
    ]);
    const [gatewayPort, gatewayMetrics, panelPort, panelMetrics] = ports.map(String);
    const url = `http://localhost:${panelPort}`;
    const serviceToken = randomBytes(24).toString('base64url');
    const shared = productionEnv(database.url, serviceToken);
    const gatewayEnv = {
      ...shared,
      PORT: gatewayPort,
      METRICS_PORT: gatewayMetrics,
      WORKERS: 'inline',
      PUBLIC_URL: `http://localhost:${gatewayPort}`,
      PANEL_URL: url,
      ...NO_REGISTRY,
      SMTP_URL: smtp.url,
      TRUSTED_PROXIES: 'loopback',
      RATE_LIMIT_SCALE: '1000',
      ...(stripe && {
        NODE_ENV: 'test',
        STRIPE_API_URL: stripe.url,
        STRIPE_PUBLISHABLE_KEY, // the page recognizes the fake by this key
        STRIPE_WEBHOOK_SECRETS: stripe.webhooks.settings.secrets.join(),
      }),
    };
    if (stripe) stripe.webhooks.settings.url = `http://127.0.0.1:${gatewayPort}/v1/webhooks/stripe`;
    const [gateway, panel] = await Promise.all([
      ServiceProcess.start(GATEWAY, gatewayEnv),
      ServiceProcess.start('apps/panel/src/main.js', {
        ...shared,
        PORT: panelPort,
        METRICS_PORT: panelMetrics,
        PUBLIC_URL: url,
        AUTH_GATEWAY_URL: `http://127.0.0.1:${gatewayPort}`,
        EXT_WEBHOOK_HOST_URL: 'http://127.0.0.1:9',
        GATEWAY_SERVICE_TOKEN: serviceToken,
        ...(stripe && { NODE_ENV: 'test', TEST_PAYMENTS_URL: stripe.url }),
      }),
    ]);
    return new BrowserPlatform(smtp, gateway, gatewayEnv, panel, url, database, stripe);
  }

  get stripe(): FakeStripe {
    if (!this.fakeStripe) throw new Error('This platform was started without payments.');
    return this.fakeStripe;
  }

  newEmail(): string {
    return `ada-${randomBytes(6).toString('hex')}@example.com`;
  }

  /** Waits for the latest mail to an address and returns its link. */
  async mailedLink(email: string, after = 0): Promise<string> {
    const { text } = await this.smtp.waitForMail(email, after);
    const link = /http\S+/.exec(text)?.[0];
    if (!link) throw new Error(`no link in: ${text}`);
    return link;
  }

  /**
   * Inserts a user with a confirmed address into the database. A signup would use the mails that an
   * address can get in a minute.
   */
  async newUser(tenant = 'default', role = 'user'): Promise<string> {
    const email = this.newEmail();
    await this.query(
      `INSERT INTO gateway.users (id, tenant_id, email, email_canonical, password_hash, first_name, last_name, role)
       VALUES ($1, $4, $2, $2, $3, 'Ada', 'Lovelace', $5)`,
      [newId('usr'), email, await hash(PASSWORD, ARGON2), tenant, role],
    );
    return email;
  }

  /**
   * Signs a browser in with the request of the panel's form, without a page. Pages opened later are
   * signed in.
   */
  async signIn(context: BrowserContext, email: string): Promise<void> {
    const response = await context.request.post(`${this.url}/session`, {
      data: { email, password: PASSWORD },
      headers: { Origin: this.url },
    });
    if (response.status() !== 204) throw new Error(`signing in answered ${response.status()}`);
  }

  /** Creates a tenant with the system roles. */
  async newTenant(id: string): Promise<void> {
    await this.query('INSERT INTO gateway.tenants (id, name) VALUES ($1, $1)', [id]);
    await this.query(
      `INSERT INTO gateway.roles (id, tenant_id, name, display_name, default_scopes, is_system)
       SELECT id || $1, $1, name, display_name, default_scopes, true FROM gateway.roles WHERE tenant_id = 'default' AND is_system`,
      [id],
    );
  }

  async startDevice(label = "ada's laptop"): Promise<WaitingDevice> {
    const code_verifier = newVerifier();
    const code_challenge = challengeOf(code_verifier);
    const started = await this.call('/v1/auth/cli/device/authorize', {
      code_challenge,
      code_challenge_method: 'S256',
      label,
    });
    const { device_code, user_code, verification_uri_complete } = started as Record<string, string>;
    return {
      userCode: user_code ?? '',
      url: verification_uri_complete ?? '',
      poll: () => this.call('/v1/auth/cli/device/token', { device_code, code_verifier }),
    };
  }

  /** Calls the gateway like a program that is not a browser. */
  async call(path: string, body: object, headers: Record<string, string> = {}): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.gateway.url}${path}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': CLI_USER_AGENT,
        'X-Forwarded-For': '203.0.113.7',
        ...headers,
      },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Record<string, unknown>;
  }

  /**
   * Inserts a notification of an app, which the user receives within a second. Only a run of an app
   * can create one through the API.
   */
  async notify(email: string, { subject, message }: { subject: string | null; message: string }): Promise<void> {
    await this.query(
      `WITH told AS (
         INSERT INTO gateway.notifications (id, user_id, tenant_id, app_id, channel, priority, subject, message)
         SELECT $2, id, tenant_id, 'notes', 'in_app', 'normal', $3, $4 FROM gateway.users WHERE email = $1 RETURNING *)
       INSERT INTO gateway.platform_events (id, tenant_id, user_id, source_type, source, type, payload, payload_length, hop, at)
       SELECT gen_random_uuid(), tenant_id, user_id, 'notification', 'platform', 'notification.created', payload, octet_length(payload::text), 0, now()
       FROM told, jsonb_build_object(
         'notification_id', id, 'app_id', app_id, 'priority', priority, 'subject', subject, 'message', message) AS payload`,
      [email, newId('ntf'), subject, message],
    );
  }

  /** Gives credits as an administrator. */
  async giveCredits(email: string, amount: number): Promise<void> {
    const [user] = await this.query<{ id: string }>('SELECT id FROM gateway.users WHERE email = $1', [email]);
    const admin = await this.newUser('default', 'admin');
    const { access_token } = await this.call('/v1/auth/login', { email: admin, password: PASSWORD });
    const headers = { Authorization: `Bearer ${String(access_token)}` };
    await this.call(`/v1/admin/wallets/${user?.id}/adjust`, { amount, note: 'A gift' }, headers);
  }

  async stopGateway(): Promise<void> {
    await this.gateway.stop();
  }

  async startGateway(): Promise<void> {
    this.gateway = await ServiceProcess.start(GATEWAY, this.gatewayEnv);
  }

  async query<Row extends object>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    const client = new Client(this.database.url);
    await client.connect();
    const { rows } = await client.query<Row>(sql, parameters);
    await client.end();
    return rows;
  }

  async stop(): Promise<void> {
    await Promise.all([this.panel.stop(), this.gateway.stop()]);
    await Promise.all([this.smtp.stop(), this.fakeStripe?.stop()]);
    await this.database.drop();
  }
}
