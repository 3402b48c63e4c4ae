import { TEST_SERVICE_TOKENS, TestService } from '@platform/testing';
import { resolve } from 'node:path';
import { GatewayTest, PASSWORD, type TestUser } from '../../../apps/auth-gateway/src/testing/gateway-test.js';
import { loadConfig } from '../../../apps/panel/src/config.js';
import { panel } from '../../../apps/panel/src/service.js';
import { SessionStore, type Tokens } from '../../../apps/panel/src/sessions/session-store.js';
import { TestBrowser } from './test-browser.js';

export const PANEL_ORIGIN = 'http://panel.test';

/** Folders of the build, which Jest's global setup needs anyway. */
const folders = { web: resolve('dist/apps/panel/web'), packages: resolve('dist/packages') };

/** The panel with a real gateway, on one database. */
export class PanelTest {
  private constructor(
    readonly gateway: GatewayTest,
    readonly panel: TestService,
  ) {}

  /** @param env variables of the gateway */
  static async start(env: NodeJS.ProcessEnv = {}): Promise<PanelTest> {
    const gateway = await GatewayTest.start({ PANEL_URL: PANEL_ORIGIN, ...env });
    const started = await startPanel(gateway, { AUTH_GATEWAY_URL: gateway.service.url });
    return new PanelTest(gateway, started);
  }

  /** Starts another process of the panel, by default with the same database and secrets. */
  beside(env: NodeJS.ProcessEnv = {}): Promise<TestService> {
    return startPanel(this.gateway, { AUTH_GATEWAY_URL: this.gateway.service.url, ...env });
  }

  /** Starts another process of the panel that cannot reach the gateway. */
  cutOff(): Promise<TestService> {
    return this.beside({ AUTH_GATEWAY_URL: 'http://127.0.0.1:9' });
  }

  /** A new browser with an address of its own. */
  browser(service = this.panel): TestBrowser {
    return new TestBrowser(service.url, PANEL_ORIGIN);
  }

  /** A browser in which a user has signed in. */
  async signedIn(user?: TestUser): Promise<{ browser: TestBrowser; user: TestUser }> {
    const person = user ?? (await this.gateway.user());
    const browser = this.browser();
    const { status } = await browser.post('/session', { email: person.email, password: PASSWORD });
    if (status !== 204) throw new Error(`signing in answered ${status}`);
    return { browser, user: person };
  }

  /** Rows of the panel's own table. */
  sessions<Row = { key: Buffer; tokens_version: number; sealed_tokens: string }>(userId: string): Promise<Row[]> {
    return this.panel.query<Row>('SELECT * FROM sessions WHERE user_id = $1', [userId]);
  }

  /** Makes the access tokens of a user expire in 59 s. */
  async makeStale({ id }: TestUser): Promise<void> {
    await this.panel.query("UPDATE sessions SET access_expires_at = now() + interval '59 seconds' WHERE user_id = $1", [
      id,
    ]);
  }

  /** Deletes expired sessions, like the hourly sweep. */
  sweep(): Promise<void> {
    return this.panel.app.get(SessionStore).sweep();
  }

  /** Tokens of the gateway in the user's only session; only the panel's server may know them. */
  async openTokens(userId: string): Promise<Tokens> {
    const [row] = await this.sessions(userId);
    const session = row && (await this.panel.app.get(SessionStore).find(row.key));
    if (!session) throw new Error('There is no session.');
    return session.tokens;
  }

  /**
   * Makes the access token invalid at the gateway while the panel still considers it valid, as
   * after a replacement of the signing keys.
   */
  async spoilAccessToken(userId: string): Promise<void> {
    const [row] = await this.sessions(userId);
    const store = this.panel.app.get(SessionStore);
    const session = row && (await store.find(row.key));
    if (!session) throw new Error('There is no session.');
    const [head, claims] = session.tokens.accessToken.split('.');
    const tokens = { access_token: `${head}.${claims}.${'A'.repeat(342)}`, refresh_token: session.tokens.refreshToken };
    await store.replaceTokens(session, { ...tokens, token_type: 'bearer', expires_in: 900 });
  }

  readonly serviceToken = TEST_SERVICE_TOKENS.panel;

  async stop(): Promise<void> {
    await this.panel.stop();
    await this.gateway.stop();
  }
}

function startPanel(gateway: GatewayTest, env: NodeJS.ProcessEnv): Promise<TestService> {
  return TestService.start((complete) => panel(loadConfig(complete), folders), {
    sharedWith: gateway.service,
    env: { PUBLIC_URL: PANEL_ORIGIN, GATEWAY_SERVICE_TOKEN: TEST_SERVICE_TOKENS.panel, ...env },
  });
}
