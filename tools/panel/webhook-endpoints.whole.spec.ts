import { EVENT_CATALOGUE } from '@platform/contracts';
import { until } from '@platform/testing';
import type { Browser, Page } from 'playwright-core';
import { BrowserPlatform, PASSWORD } from './testing/browser-platform.js';
import { launchChromium } from './testing/chromium.js';
import { WatchedPage } from './testing/watched-page.js';

/**
 * Webhook endpoints of administrators in a real Chromium: all actions, and an axe-core check of
 * every state.
 */
jest.setTimeout(90_000); // a browser is slow on a busy machine

/** Name that does not exist, so that each delivery fails. */
const ADDRESS = 'https://hooks.nowhere.invalid/platform';
const BILLING_EVENTS = Object.keys(EVENT_CATALOGUE).filter((type) => type.startsWith('billing.')).length;

let platform: BrowserPlatform;
let browser: Browser;

beforeAll(async () => {
  [platform, browser] = await Promise.all([BrowserPlatform.start(), launchChromium()]);
});

afterAll(async () => {
  await browser.close();
  await platform.stop();
});

let tenants = 0;
let watched: WatchedPage;
let page: Page;

afterEach(async () => {
  await watched.close();
  expect(watched.complaints).toEqual([]);
});

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const dialog = () => page.getByRole('dialog');

/** Signs in to a new tenant without endpoints. */
async function signIn(look: Parameters<typeof WatchedPage.open>[1], role = 'admin'): Promise<void> {
  const tenant = `acme-${++tenants}`;
  await platform.newTenant(tenant);
  watched = await WatchedPage.open(browser, { baseURL: platform.url, ...look });
  page = watched.page;
  const email = await platform.newUser(tenant, role);
  await page.goto(`/organisation/${tenant}`);
  await page.getByText(`Organisation: ${tenant}`).waitFor();
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button('Sign in').click();
  await heading('Account').waitFor();
}

/**
 * Waits for the first delivery and postpones the retry, which is due five seconds later: on a slow
 * browser the page would show two.
 */
const tried = () =>
  until(async () => {
    const later =
      "UPDATE gateway.webhook_endpoint_deliveries SET next_attempt_at = now() + interval '1 hour' WHERE status = 'pending' AND attempts = 1 RETURNING id";
    return (await platform.query(later)).length;
  });

const check = async (shown: string | RegExp) => {
  await page.getByText(shown).first().waitFor();
  expect({ shown, found: await watched.check() }).toEqual({ shown, found: [] });
};

it.each([
  { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
] as const)('are added, tested, changed and deleted: $colorScheme, $viewport.width px wide', async (look) => {
  await signIn(look);
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await heading('Webhooks').waitFor();
  await check('No endpoints yet');
  await button('Add endpoint').click();
  await check('Add an endpoint');
  await button('Add endpoint').last().click();
  await check('Enter the address that receives events.');
  await page.getByLabel('Address').fill(ADDRESS);
  await button('Add endpoint').last().click();
  await check('Choose at least one.');
  await page.getByLabel(/^Description/).fill('The warehouse');
  await dialog().getByText(`billing (${BILLING_EVENTS})`).click();
  await page.getByLabel('All billing events').check();
  await button('Add endpoint').last().click();
  await check('Copy the secret now');
  expect(await page.getByLabel('Signing secret').inputValue()).toMatch(/^whsec_/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.getByText('Copy the secret now').waitFor();
  await button('Done').click();

  await page.getByRole('link', { name: 'The warehouse' }).click();
  await heading('Webhook endpoint').waitFor();
  await check('Nothing yet');
  await button('Send test event').click();
  await tried();
  await page.getByText(/^The test: has not arrived yet: .+ It will be retried\.$/).waitFor();
  await page.getByRole('listitem').filter({ hasText: 'webhook_endpoint.test' }).filter({ hasText: '1 try' }).waitFor();
  await check('1 try');
  await button('Edit').click();
  await check('Edit endpoint');
  await page.getByLabel(/^Description/).fill('The other warehouse');
  await button('Save').click();
  await dialog().waitFor({ state: 'detached' });
  await page.getByText('The other warehouse').first().waitFor();
  await button('New secret').click();
  await dialog().getByRole('button', { name: 'New secret' }).click();
  await check('Copy the secret now');
  await button('Done').click();
  await page.getByText('Previous secret valid until').waitFor();
  await button('Send missed events').click();
  await dialog().getByRole('button', { name: 'Send', exact: true }).click();
  await check(/on the way/);
  await button('Close').click();
  await button('Disable').click();
  await check('Disabled');
  await button('Enable').click();
  await button('Disable').waitFor();
  await button(/^Send webhook_endpoint.test again/).click();
  await tried();
  await page.getByRole('listitem').filter({ hasText: '1 try' }).waitFor();
  await button('Delete').click();
  await check('Delete this endpoint?');
  await button('Delete endpoint').click();
  await heading('Webhooks').waitFor();
  await page.getByText('No endpoints yet').waitFor();
});

it('are nothing for others', async () => {
  await signIn({ viewport: { width: 1280, height: 800 } }, 'user');
  expect(await page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0);
  await page.goto('/webhooks');
  await heading('For administrators').waitFor();
  expect(await watched.check()).toEqual([]);
});
