import type { Browser, Page } from 'playwright-core';
import { BrowserPlatform, PASSWORD } from './testing/browser-platform.js';
import { launchChromium } from './testing/chromium.js';
import { WatchedPage } from './testing/watched-page.js';

/** Axe-core checks every lasting state of every page: no finding, no overflow, no error. */
jest.setTimeout(120_000); // a browser is slow on a busy machine

let platform: BrowserPlatform;
let browser: Browser;

beforeAll(async () => {
  [platform, browser] = await Promise.all([BrowserPlatform.start(), launchChromium()]);
});

afterAll(async () => {
  await browser.close();
  await platform.stop();
});

const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) => [
  { colorScheme, viewport: { width: 1280, height: 800 } },
  { colorScheme, viewport: { width: 360, height: 740 } },
]);

let watched: WatchedPage;
let page: Page;

beforeEach(async () => {
  watched = await WatchedPage.open(browser, { baseURL: platform.url, reducedMotion: 'reduce' }); // fading colours would be findings
  page = watched.page;
});

afterEach(async () => {
  await watched.close();
  expect(watched.complaints).toEqual([]);
});

const button = (name: string | RegExp) => page.getByRole('button', { name });
const text = (what: string | RegExp) => page.getByText(what).first();

/** Waits for `shown`, then checks the page in light and dark, wide and narrow. */
const check = async (shown: string | RegExp) => {
  await text(shown).waitFor();
  expect({ shown, found: await watched.checkLooks(LOOKS) }).toEqual({ shown, found: [] });
};

const signIn = (email: string) => platform.signIn(watched.context, email);

it('what one sees before signing in', async () => {
  await page.goto('/login');
  await check('Welcome back.');
  await button('Sign in').click();
  await check('Enter your password.');
  await page.getByLabel('E-mail').fill('nobody@example.com');
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  await button('Sign in').click();
  await check('Invalid e-mail or password');
  await page.goto('/signup');
  await check('Create an account');
  await button('Create account').click();
  await check('Choose a password.');
  await page.getByLabel('E-mail').fill(platform.newEmail());
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button('Create account').click();
  await check('Check your mail');
  await page.goto('/organisation');
  await check('Your organisation');
  await page.goto('/organisation/an-organisation-with-a-long-name-that-does-not-fit-in-one-line');
  await check('Organisation: an-organisation');
  await page.goto('/verify-email#token=x');
  await check('Confirm your address');
  await button('Confirm my address').click();
  await check('This link is no longer valid');
  await page.goto('/forgot-password');
  await check('Forgot your password?');
  await page.getByLabel('E-mail').fill(platform.newEmail());
  await button('Send the link').click();
  await check('Check your mail');
  await page.goto('/reset-password#token=x');
  await check('Choose a new password');
  await page.goto('/reset-password');
  await check('Open the link in your mail');
  await page.goto('/nowhere');
  await check('Page not found');
});

it('the account', async () => {
  const email = await platform.newUser();
  await platform.call('/v1/auth/login', { email, password: PASSWORD });
  await signIn(email);
  await page.goto('/');
  await text('No API keys yet').waitFor();
  await check('This session');
  await button('Change password').click();
  await check('Enter your current password.');
  await button('Create key').click();
  await check('Create an API key');
  await page
    .getByRole('dialog')
    .getByLabel('Name')
    .fill('A key with quite a long name, for a service that nobody remembers');
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  await check('Copy your key now');
  await button('Done').click();
  await check('cp_live_');
  await button(/^Delete the key/).click();
  await check('This cannot be undone');
  await page.keyboard.press('Escape');
  await button('Sign out everywhere else').click();
  await check('Sign out everywhere else?');
});

it('what one is told', async () => {
  const email = await platform.newUser();
  await signIn(email);
  await page.goto('/');
  await page.getByRole('button', { name: 'Notifications, none unread' }).click();
  await check('Nothing yet');
  await page.keyboard.press('Escape');
  await page.goto('/notifications');
  await check('Nothing yet');
  const long = 'averylongwordwithoutanyspacesthatdoesnotfitinoneline'.repeat(3);
  await platform.notify(email, { subject: long, message: `${long}\nAnd a second line.` });
  for (let at = 0; at < 22; at++) await platform.notify(email, { subject: null, message: `Message ${at}` });
  await check('1 to 20');
  await page.getByRole('button', { name: 'Notifications, 23 unread' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Mark all as read' }).waitFor();
  await check('Mark all as read');
});

it('a device', async () => {
  await signIn(await platform.newUser());
  await page.goto('/device');
  await check('Connect a device');
  await page.getByLabel('Code').fill('BBBB-BBBB');
  await button('Continue').click();
  await check('This code does not exist.');
  const device = await platform.startDevice('A build server with a name that takes more than one line');
  await page.goto(device.url);
  await check('Allow this device?');
  await button('Approve').click();
  await check('Your device is signed in');
  await page.goto(device.url);
  await check('This code was already used');
  await page.goto((await platform.startDevice()).url);
  await button('Deny').click();
  await check('The device did not get access.');
});
