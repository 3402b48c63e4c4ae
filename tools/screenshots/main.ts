import { developmentEnvironment } from '@platform/platform';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../panel/testing/chromium.js';

/** Makes the pictures of the panel in the README, on an empty platform of `npm start`. */

const FOLDER = 'docs/pictures';
const PICTURES = [
  { file: 'panel.png', colorScheme: 'light' },
  { file: 'panel-dark.png', colorScheme: 'dark' },
] as const;
const VIEWPORT = { width: 1440, height: 900 };
const APP = 'bookmark-keeper'; // `npm start` deploys it
const PASSWORD = 'correct horse battery';
const EMAIL = 'ada@example.com';
const DEADLINE_MS = 30_000;

const gateway = addressOf('GATEWAY_URL');
const panel = addressOf('PANEL_URL');
const payments = addressOf('PAYMENTS_URL');

type Answer = Record<string, unknown>;

/** Address of a part of the platform that runs from this folder (`running-platform.mjs`). */
function addressOf(variable: string): string {
  const address = process.env[variable];
  if (address) return address;
  console.error('No platform runs with test payments. Start an empty one: npm start');
  process.exit(1);
}

/** @throws Error with the answer if it is a refusal */
async function send<Body = Answer>(token: string | null, method: string, path: string, body?: object): Promise<Body> {
  const response = await fetch(`${gateway}${path}`, {
    method,
    headers: {
      'Content-Type': 'application/json',
      'Idempotency-Key': randomUUID(),
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${answer}`);
  return JSON.parse(answer) as Body;
}

async function login(email: string, password: string): Promise<string> {
  const { access_token } = await send(null, 'POST', '/v1/auth/login', { email, password, tenant_id: 'default' });
  return String(access_token);
}

async function until(purpose: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`${purpose} took more than ${DEADLINE_MS / 1_000} s`);
    await delay(200);
  }
}

/** Pays with a test card, like the payment page. */
async function pay(token: string, { payment_intent_id: intent, client_secret }: Answer): Promise<void> {
  await fetch(`${payments}/v1/payment_intents/${String(intent)}/confirm`, {
    method: 'POST',
    headers: { Authorization: 'Bearer pk_test_stand_in' },
    body: new URLSearchParams({ client_secret: String(client_secret), payment_method: 'pm_card_visa' }),
  });
  await until('The payment', async () => {
    const made = await send<Answer[]>(token, 'GET', '/v1/billing/payments');
    return made.some(({ payment_intent_id, status }) => payment_intent_id === intent && status === 'succeeded');
  });
}

/** Creates a user with a plan, bought credits, an app that costs credits, calls of it, and a notification. */
async function prepare(): Promise<void> {
  const { ADMIN_EMAIL = '', ADMIN_PASSWORD = '' } = developmentEnvironment();
  const admin = await login(ADMIN_EMAIL, ADMIN_PASSWORD);
  await send(admin, 'POST', '/v1/users', {
    email: EMAIL,
    password: PASSWORD,
    first_name: 'Ada',
    last_name: 'Lovelace',
  });
  await send(admin, 'PUT', `/v1/developer/apps/${APP}`, {
    pricing_model: 'per_action',
    pricing_config: { tool_prices: { add_bookmark: 20 } },
  });
  await send(admin, 'POST', `/v1/developer/apps/${APP}/submit`, {});
  await send(admin, 'POST', `/v1/admin/apps/${APP}/approve`, { version: '1.0.0' });

  const ada = await login(EMAIL, PASSWORD);
  const { platform_id: user_id } = await send(ada, 'GET', '/v1/auth/me');
  const prompt = 'when marketplace.app_installed: message "Bookmark keeper is installed."';
  await send(ada, 'POST', '/v1/extensions/automations/call', {
    user_id,
    function: 'create_automation',
    params: { prompt },
  });
  await pay(
    ada,
    await send(ada, 'POST', '/v1/billing/topup', { tokens: 10_000, price_cents: 1_000, save_payment_method: true }),
  );
  await pay(ada, await send(ada, 'POST', '/v1/billing/checkout', { plan_id: 'pro' }));
  await until('The plan', async () => (await send(ada, 'GET', '/v1/billing/subscription'))['plan'] === 'pro');
  await send(ada, 'POST', `/v1/marketplace/apps/${APP}/install`, {});
  const calls = Array.from({ length: 12 }, (_, n) => ({
    function: 'add_bookmark',
    params: { url: `https://example.com/${n}` },
  }));
  await send(ada, 'POST', `/v1/extensions/${APP}/batch`, { user_id, calls });
  await until(
    'The notification',
    async () => Number((await send(ada, 'GET', '/v1/me/notifications'))['unread_count']) > 0,
  );
}

async function takePictures(browser: Browser): Promise<void> {
  for (const { file, colorScheme } of PICTURES) {
    const context = await browser.newContext({ baseURL: panel, viewport: VIEWPORT, colorScheme, timezoneId: 'UTC' });
    const signedIn = await context.request.post('/session', {
      data: { email: EMAIL, password: PASSWORD },
      headers: { Origin: panel },
    });
    if (!signedIn.ok()) throw new Error(`Signing in to the panel answered ${signedIn.status()}`);
    const page = await context.newPage();
    await page.goto('/wallet');
    await page.getByRole('button', { name: 'Buy now' }).waitFor();
    await page.getByLabel(/\d unread/).waitFor();
    await page.screenshot({ path: join(FOLDER, file), animations: 'disabled' });
    await context.close();
    console.log(`${FOLDER}/${file}`);
  }
}

await prepare();
const browser = await launchChromium();
try {
  await takePictures(browser);
} finally {
  await browser.close();
}
