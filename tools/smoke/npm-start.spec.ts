import type {
  CallResponse,
  DeployReceipt,
  TokenResponse,
  TopUpResponse,
  UserResponse,
  WalletResponse,
} from '@platform/contracts';
import { TestClient, until } from '@platform/testing';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../panel/testing/chromium.js';
import { bookmarks } from '../tour/running-apps.js';
import { StartedPlatform } from './testing/started-platform.js';

const EMAIL = 'ada@example.com';
const PASSWORD = 'correct horse battery';
const BOUGHT = 10_000;

jest.setTimeout(300_000); // start, journey and stop on a busy machine

let platform: StartedPlatform;
let browser: Browser | undefined;
beforeAll(async () => {
  platform = await StartedPlatform.start();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await platform.remove();
});

/** Link in the mail to the new user. */
const mailedLink = (): Promise<string> =>
  until(async () => {
    const mails = (await (await fetch(`${platform.urls.mailbox}/api/messages`)).json()) as {
      to: string;
      text: string;
    }[];
    return /http\S+/.exec(mails.find(({ to }) => to === EMAIL)?.text ?? '')?.[0];
  });

async function signUpAndSignIn(browser: Browser): Promise<void> {
  const context = await browser.newContext({ baseURL: platform.urls.panel, reducedMotion: 'reduce' });
  context.setDefaultTimeout(90_000);
  const page = await context.newPage();
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  await page.goto('/signup');
  await page.getByLabel('E-mail', { exact: true }).fill(EMAIL);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await heading('Check your mail').waitFor();
  await page.goto(await mailedLink());
  await page.getByRole('button', { name: 'Confirm my address' }).click();
  await heading('Account').waitFor();
  const other = await browser.newContext({ baseURL: platform.urls.panel });
  other.setDefaultTimeout(90_000);
  const login = await other.newPage();
  await login.goto('/login');
  await login.getByLabel('E-mail', { exact: true }).fill(EMAIL);
  await login.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await login.getByRole('button', { name: 'Sign in', exact: true }).click();
  await login.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
  await Promise.all([context.close(), other.close()]);
}

async function deployAndCall(client: TestClient): Promise<void> {
  const { platform_id: user_id } = (await client.get<UserResponse>('/v1/auth/me')).body;
  const app_id = 'smoke-bookmarks';
  const app = {
    app_id,
    name: 'Bookmarks',
    short_description: 'Keeps what you want to read later',
    category: 'productivity',
  };
  expect(await client.post('/v1/developer/register', { display_name: 'Ada', nickname: 'ada' })).toMatchObject({
    status: 200,
  });
  expect(await client.post('/v1/developer/apps', app)).toMatchObject({ status: 201 });
  const params = { app_id, ir_dict: bookmarks(app_id) };
  const deployed = await client.post<CallResponse>('/v1/extensions/developer/call', {
    user_id,
    function: 'deploy_ir',
    params,
  });
  expect(deployed).toMatchObject({ status: 200, body: { status: 'success' } });
  expect((deployed.body.data as DeployReceipt).steps_registered).toBeGreaterThan(0);
  const call = { user_id, function: 'add_bookmark', params: { url: 'https://example.com/to-read' } };
  expect(await client.post(`/v1/extensions/${app_id}/call`, call)).toMatchObject({
    status: 200,
    body: { status: 'success' },
  });
}

async function pay(client: TestClient): Promise<void> {
  const balance = async () => (await client.get<WalletResponse>('/v1/billing/wallet')).body.balance;
  const before = await balance();
  const topUp = { tokens: BOUGHT, price_cents: BOUGHT / 10 };
  const { status, body } = await client
    .withHeaders({ 'Idempotency-Key': randomUUID() })
    .post<TopUpResponse>('/v1/billing/topup', topUp);
  expect(status).toBe(200);
  const paid = await fetch(`${platform.urls.payments}/v1/payment_intents/${body.payment_intent_id}/confirm`, {
    method: 'POST',
    headers: { Authorization: 'Bearer pk_test_stand_in' },
    body: new URLSearchParams({ client_secret: body.client_secret, payment_method: 'pm_card_visa' }),
  });
  expect(paid.status).toBe(200);
  await until(async () => (await balance()) === before + BOUGHT);
}

it('`npm start` brings up a platform on which a person signs up, deploys, calls and pays, and Ctrl-C ends it', async () => {
  expect(platform.printed).not.toContain('Building');
  await signUpAndSignIn(browser as Browser);
  const client = TestClient.create(platform.urls['auth-gateway']);
  const { body } = await client.post<TokenResponse>('/v1/auth/login', { email: EMAIL, password: PASSWORD });
  const signedIn = client.withToken(body.access_token);
  await deployAndCall(signedIn);
  await pay(signedIn);
  const { panel } = platform.urls;
  expect(await platform.stop()).toBe(0);
  await expect(fetch(panel)).rejects.toThrow();
  expect(existsSync(join(platform.folder, '.data', 'run.json'))).toBe(false);
});
