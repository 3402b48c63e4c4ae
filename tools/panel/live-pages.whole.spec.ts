import type { Browser, Page } from 'playwright-core';
import { BrowserPlatform, PASSWORD } from './testing/browser-platform.js';
import { launchChromium } from './testing/chromium.js';
import { WatchedPage } from './testing/watched-page.js';

/** Pages update without a reload when data changes elsewhere, in a real Chromium. */
jest.setTimeout(90_000); // a browser is slow on a busy machine

let platform: BrowserPlatform;
let browser: Browser;
let watched: WatchedPage;
let page: Page;
let email: string;

beforeAll(async () => {
  [platform, browser] = await Promise.all([BrowserPlatform.start(), launchChromium()]);
});

afterAll(async () => {
  await browser.close();
  await platform.stop();
});

beforeEach(async () => {
  watched = await WatchedPage.open(browser, { baseURL: platform.url, viewport: { width: 1280, height: 800 } });
  page = watched.page;
  email = await platform.newUser();
  await platform.signIn(watched.context, email);
  const live = streamOf(page);
  await page.goto('/');
  await heading('Account').waitFor();
  await live;
});

afterEach(async () => {
  await watched.close();
  expect(watched.complaints).toEqual([]);
});

/** Resolves when the page receives events. */
const streamOf = (of: Page, limit?: { timeout: number }) =>
  of.waitForResponse((answer) => answer.url().endsWith('/events/stream') && answer.status() === 200, limit);
const heading = (name: string, of = page) => of.getByRole('heading', { level: 1, name });
const bell = (name: string, of = page) => of.getByRole('button', { name: `Notifications, ${name}` });
const list = (of = page) => of.getByRole('dialog', { name: 'Notifications' });
const focused = () => page.locator(':focus');

it('a notification that is sent elsewhere shows in the bell, and in no tab once it was read in one', async () => {
  await bell('none unread').waitFor();
  const second = await watched.context.newPage();
  const live = streamOf(second);
  await second.goto('/wallet');
  await live;
  await platform.notify(email, { subject: 'Milk', message: 'Buy some on the way home.' });
  await Promise.all([bell('1 unread').waitFor(), bell('1 unread', second).waitFor()]);
  await page.getByRole('status').getByText('New notification: Milk').waitFor({ state: 'attached' });

  await bell('1 unread').focus();
  await page.keyboard.press('Enter');
  await list().getByRole('heading', { name: 'Notifications' }).and(focused()).waitFor();
  await list().getByText('Buy some on the way home.').waitFor();
  await Promise.all([bell('none unread').waitFor(), bell('none unread', second).waitFor()]);
  await list().getByText('New', { exact: true }).waitFor(); // while the list is open
  await page.keyboard.press('Escape');
  await list().waitFor({ state: 'hidden' });
  await bell('none unread').and(focused()).waitFor();
});

it('what came before is read together, and what comes meanwhile stays new', async () => {
  await Promise.all(
    Array.from({ length: 23 }, (_value, at) => platform.notify(email, { subject: null, message: `Message ${at}` })),
  );
  await bell('23 unread').click();
  await bell('3 unread').waitFor();
  await list().getByRole('button', { name: 'Mark all as read' }).click();
  await bell('none unread').waitFor();
  await list().getByRole('link', { name: 'All notifications' }).click();
  await heading('Notifications').waitFor();
  await list().waitFor({ state: 'hidden' });
  const items = page.getByRole('region', { name: 'All notifications' }).getByRole('listitem');
  await page.getByText('1 to 20').waitFor();
  await page.getByRole('button', { name: 'Older' }).click();
  await page.getByText('21 to 23').waitFor();
  expect(await items.count()).toBe(3);
  await page.getByRole('button', { name: 'Newer' }).click();
  await platform.notify(email, { subject: 'Late', message: 'After all that.' });
  await items.first().getByText('New', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await bell('none unread').waitFor();
});

it('credits that come in are in the wallet', async () => {
  await page.getByRole('link', { name: 'Wallet' }).click();
  const history = page.getByRole('region', { name: 'History' });
  await history.getByText('No entries yet').waitFor();
  await platform.giveCredits(email, 1_234);
  await history.getByText('Adjusted by an administrator').waitFor();
  await page.getByRole('region', { name: 'Credits', exact: true }).getByText('1,234').first().waitFor();
});

it('sessions come and go, and one that is ended elsewhere signs out', async () => {
  const sessions = page.getByRole('region', { name: 'Sessions' }).getByRole('listitem');
  await sessions.first().waitFor();
  expect(await sessions.count()).toBe(1);
  const { access_token } = await platform.call('/v1/auth/login', { email, password: PASSWORD });
  await sessions.nth(1).waitFor();
  await platform.call('/v1/auth/sessions/revoke-others', {}, { Authorization: `Bearer ${String(access_token)}` });
  await heading('Sign in').waitFor();
});

it('says that the connection is lost, and goes on where it was once the gateway is back', async () => {
  const lost = page.getByRole('status').filter({ hasText: 'Connection to the platform lost' });
  await platform.stopGateway();
  await lost.waitFor();
  await platform.notify(email, { subject: 'While it was away', message: 'Here it is.' });
  const live = streamOf(page, { timeout: 60_000 }); // time limit for the start of a service
  await platform.startGateway();
  await live;
  await lost.waitFor({ state: 'detached' });
  await bell('1 unread').waitFor();
  await platform.notify(email, { subject: 'And then', message: 'One more.' });
  await bell('2 unread').waitFor();
});
