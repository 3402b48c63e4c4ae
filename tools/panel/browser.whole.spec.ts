import { until } from '@platform/testing';
import type { Browser, Page } from 'playwright-core';
import { BrowserPlatform, PASSWORD } from './testing/browser-platform.js';
import { launchChromium } from './testing/chromium.js';
import { WatchedPage } from './testing/watched-page.js';

/** Users of the built panel in a real Chromium. */
const NEW_PASSWORD = 'a calm lake in winter';

jest.setTimeout(90_000); // a browser is slow on a busy machine

let platform: BrowserPlatform;
let browser: Browser;
let watched: WatchedPage;
let page: Page;

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
});

afterEach(async () => {
  await watched.close();
  expect(watched.complaints).toEqual([]);
});

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const field = (name: string) => page.getByLabel(name, { exact: true });
const focused = () => page.locator(':focus');
const pathOf = () => page.url().slice(platform.url.length);

async function fillIn(values: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await field(name).fill(value);
}

async function signIn(email: string, password = PASSWORD): Promise<void> {
  await fillIn({ 'E-mail': email, Password: password });
  await button('Sign in').click();
}

async function signedInByForm(): Promise<void> {
  const email = await platform.newUser();
  await page.goto('/login');
  await signIn(email);
  await heading('Account').waitFor();
}

/** Signs in a new user and opens the account page. */
async function signedIn(): Promise<string> {
  const email = await platform.newUser();
  await platform.signIn(watched.context, email);
  await page.goto('/');
  await heading('Account').waitFor();
  return email;
}

describe('signing up', () => {
  it('leads over the mail to the account', async () => {
    const email = platform.newEmail();
    await page.goto('/signup');
    await fillIn({
      'First name (optional)': 'Ada',
      'Last name (optional)': 'Lovelace',
      'E-mail': email,
      Password: PASSWORD,
    });
    await button('Create account').click();
    await heading('Check your mail').waitFor();

    const link = await platform.mailedLink(email);
    const mailed = await watched.context.newPage();
    await mailed.goto(link);
    await mailed.getByRole('heading', { level: 1, name: 'Confirm your address' }).waitFor();
    expect(mailed.url()).toBe(`${platform.url}/verify-email`);
    await mailed.getByRole('button', { name: 'Confirm my address' }).click();
    await mailed.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
    await mailed.getByText('Ada Lovelace').waitFor();

    // The waiting page notices the confirmation, and this browser is signed in.
    await heading('Account').waitFor();
    await page.goto(link);
    await button('Confirm my address').click();
    await heading('This link is no longer valid').waitFor();
    await page.getByText(`You are signed in as ${email}. There is nothing more to confirm.`).waitFor();
    await page.getByRole('link', { name: 'Go to your account' }).click();
    await heading('Account').waitFor();
  });

  it('goes on where another device confirmed', async () => {
    const email = platform.newEmail();
    await page.goto('/signup');
    await fillIn({ 'E-mail': email, Password: PASSWORD });
    await button('Create account').click();
    await heading('Check your mail').waitFor();
    const token = new URL(await platform.mailedLink(email)).hash.replace('#token=', '');
    await platform.call('/v1/auth/verify-email', { token });
    await heading('Your address is confirmed').waitFor();
    await page.getByRole('link', { name: 'Sign in', exact: true }).click();
    await signIn(email);
    await heading('Account').waitFor();
  });

  it('confirms nothing when a mail scanner opens the link', async () => {
    const email = platform.newEmail();
    await platform.call('/v1/auth/signup', { email, password: PASSWORD });
    await page.goto(await platform.mailedLink(email));
    await heading('Confirm your address').waitFor();
    await page.goto('/login');
    await signIn(email);
    await page.getByRole('alert').getByText('Confirm your e-mail address first').waitFor();
    await button('Send the mail again').click();
    await button(/Send again in \d+ s/).waitFor();
  });

  it('says at the field what is wrong with it, and goes there', async () => {
    await page.goto('/signup');
    await button('Create account').click();
    await page.getByText('Enter your e-mail address.').waitFor();
    expect(await described('E-mail')).toBe('Enter your e-mail address.');
    await fillIn({ 'E-mail': platform.newEmail(), Password: 'password' });
    await button('Create account').click();
    await page.getByText('This password is too common. Choose another one.').waitFor();
    expect(await described('Password')).toContain('This password is too common. Choose another one.');
    await field('Password').fill(NEW_PASSWORD);
    expect(await field('Password').getAttribute('aria-invalid')).toBeNull();
  });

  /** Screen reader description of the focused invalid field. */
  const described = async (name: string): Promise<string> => {
    const input = field(name).and(page.locator(':focus[aria-invalid=true]'));
    const ids = ((await input.getAttribute('aria-describedby')) ?? '').split(' ');
    return (await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).textContent()))).join(' ');
  };
});

describe('signing in', () => {
  it('asks first, refuses a wrong password, and leads to where one wanted to go', async () => {
    const email = await platform.newUser();
    await page.goto('/device');
    await heading('Sign in').waitFor();
    expect(pathOf()).toBe('/login?next=%2Fdevice');
    await signIn(email, 'not the password');
    await page.getByRole('alert').getByText('Invalid e-mail or password').waitFor();
    await signIn(email);
    await heading('Connect a device').waitFor();
  });

  it.each(['//evil.example', '/\\evil.example', '/.//evil.example', 'https://evil.example'])(
    'leads to no other site: %s',
    async (next) => {
      const email = await platform.newUser();
      await page.goto(`/login?next=${encodeURIComponent(next)}`);
      await signIn(email);
      await heading('Account').waitFor();
      expect(pathOf()).toBe('/');
    },
  );

  it('says how long to wait', async () => {
    const email = await platform.newUser();
    await page.goto('/login');
    for (let at = 0; at < 5; at++) {
      await signIn(email, 'not the password');
      await page.getByRole('alert').getByText('Invalid e-mail or password').waitFor();
    }
    // The first wait of two seconds can end before a slow browser tries again.
    await until(async () => {
      const longer =
        "UPDATE gateway.login_throttles SET blocked_until = now() + interval '80 seconds' WHERE blocked_until IS NOT NULL RETURNING key";
      return (await platform.query(longer)).length;
    });
    await signIn(email);
    await page
      .getByRole('alert')
      .getByText(/^Wait [1-8]?\d seconds?, then try again\.$/)
      .waitFor();
  });

  it('works by keyboard alone, and says where one is', async () => {
    const email = await platform.newUser();
    await page.goto('/login');
    await page.getByRole('link', { name: 'Create an account' }).press('Enter');
    await heading('Create an account').waitFor();
    await heading('Create an account').and(focused()).waitFor();
    await page.getByRole('link', { name: 'Sign in', exact: true }).press('Enter');
    await heading('Sign in').and(focused()).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab'); // skips the link for a forgotten password
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await heading('Account').waitFor();
    expect(await page.title()).toBe('Account · Cloud Platform');
  });

  it('holds in every tab, until one signs out', async () => {
    await signedInByForm();
    const second = await watched.context.newPage();
    await second.goto(platform.url);
    await second.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
    await button('Sign out').first().click();
    await heading('Sign in').waitFor();
    await second.reload();
    await second.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  });

  it('leaves no token where a script could reach it', async () => {
    await signedInByForm();
    const reachable = await page.evaluate<string>(
      'JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }, history.state])',
    );
    expect(reachable).not.toMatch(/eyJ|panel_session/);
    expect(await watched.context.cookies()).toMatchObject([
      { name: 'panel_session', httpOnly: true, sameSite: 'Lax' },
      { name: 'panel_device', httpOnly: true, sameSite: 'Strict' },
    ]);
  });
});

describe('people of an organisation', () => {
  const TENANT = 'acme';

  beforeAll(() => platform.newTenant(TENANT));

  it('sign in at its address, and the browser keeps it', async () => {
    const email = await platform.newUser(TENANT);
    await page.goto('/login');
    await signIn(email);
    await page.getByRole('alert').getByText('Invalid e-mail or password').waitFor();
    await page.goto(`/organisation/${TENANT}`);
    await page.getByText(`Organisation: ${TENANT}`).waitFor();
    await signIn(email);
    await heading('Account').waitFor();
    await button('Sign out').click();
    await heading('Sign in').waitFor();
    await page.goto('/login');
    await page.getByText(`Organisation: ${TENANT}`).waitFor();
    await signIn(email);
    await heading('Account').waitFor();
  });

  it('choose it, or none again; one that there is not answers like a wrong password', async () => {
    const email = await platform.newUser(TENANT);
    await page.goto('/device');
    await page.getByRole('link', { name: 'Sign in to an organisation' }).click();
    await button('Continue').click();
    await page.getByText('Enter the name of your organisation.').waitFor();
    await field('Organisation').fill('nobody');
    await button('Continue').click();
    await signIn(email);
    await page.getByRole('alert').getByText('Invalid e-mail or password').waitFor();
    await page.getByRole('link', { name: 'Change' }).click();
    await field('Organisation').fill(' Acme ');
    await button('Continue').click();
    await signIn(email);
    await heading('Connect a device').waitFor();

    await page.context().clearCookies();
    await page.goto('/login');
    await page.getByRole('link', { name: 'Change' }).click();
    await page.getByRole('link', { name: 'Sign in without one' }).click();
    await signIn(await platform.newUser());
    await heading('Account').waitFor();
  });

  it('connect a terminal that names it', async () => {
    const email = await platform.newUser(TENANT);
    const device = await platform.startDevice();
    await page.goto(`${device.url}&tenant=${TENANT}`);
    await signIn(email);
    await page.getByText(`You are signed in as ${email} of the organisation ${TENANT}.`).waitFor();
    await button('Approve').click();
    await heading('Your device is signed in').waitFor();
    expect(await device.poll()).toMatchObject({ access_token: expect.any(String) });
  });

  it('sign up there', async () => {
    const email = platform.newEmail();
    await page.goto(`/signup?tenant=${TENANT}`);
    await fillIn({ 'E-mail': email, Password: PASSWORD });
    await button('Create account').click();
    await heading('Check your mail').waitFor();
    const link = await platform.mailedLink(email);
    expect(link).toContain(`/verify-email?tenant=${TENANT}#token=`);
    await page.goto(link);
    await button('Confirm my address').click();
    await heading('Account').waitFor();
    await button('Sign out').click();
    await page.getByText(`Organisation: ${TENANT}`).waitFor();
  });

  it('choose a new password by a mail that leads back to it', async () => {
    const email = await platform.newUser(TENANT);
    await page.goto(`/organisation/${TENANT}`);
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await heading('Forgot your password?').waitFor(); // both pages have a field for the address
    await field('E-mail').fill(email);
    await button('Send the link').click();
    await heading('Check your mail').waitFor();
    await page.goto(await platform.mailedLink(email));
    await field('New password').fill(NEW_PASSWORD);
    await button('Set the password').click();
    await heading('Your password was changed').waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signIn(email, NEW_PASSWORD);
    await heading('Account').waitFor();
  });
});

describe('a device', () => {
  it('is approved by who signs in first, and gets its tokens', async () => {
    const email = await platform.newUser();
    const device = await platform.startDevice();
    await page.goto(device.url);
    await heading('Sign in').waitFor();
    await signIn(email);
    await heading('Allow this device?').waitFor();
    await page.getByText(device.userCode).waitFor();
    for (const text of ["ada's laptop", 'platform-cli 0.1.0 on Linux', '203.0.113.7', 'just now']) {
      await page.getByText(text, { exact: true }).waitFor();
    }
    expect(await device.poll()).toMatchObject({ error: 'authorization_pending' });
    await button('Approve').click();
    await heading('Your device is signed in').waitFor();
    expect(await device.poll()).toMatchObject({ access_token: expect.any(String) });
    await page.getByRole('link', { name: 'See your sessions' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Command line' }).waitFor();
  });

  it('is denied', async () => {
    await signedIn();
    const device = await platform.startDevice();
    await page.goto('/device');
    await field('Code').fill(device.userCode.toLowerCase().replace('-', ' '));
    await button('Continue').click();
    await button('Deny').click();
    await heading('Sign-in denied').waitFor();
    expect(await device.poll()).toMatchObject({ error: 'access_denied' });
    await page.goto(device.url);
    await heading('This code was already used').waitFor();
  });

  it('comes too late, before and after it was looked at', async () => {
    await signedIn();
    const device = await platform.startDevice('late');
    await page.goto(device.url);
    await heading('Allow this device?').waitFor();
    await platform.query(
      "UPDATE gateway.device_codes SET expires_at = now() - interval '1 second' WHERE label = 'late'",
    );
    await button('Approve').click();
    await heading('This code has expired').waitFor();
    await page.goto(device.url);
    await heading('This code has expired').waitFor();
    await page.getByRole('link', { name: 'Enter a new code' }).click();
    await heading('Connect a device').waitFor();
  });

  it('has a code that was mistyped: at the field, until there were too many', async () => {
    await signedIn();
    await page.goto('/device');
    for (let at = 0; at < 10; at++) {
      await field('Code').fill(`bbbb-bbb${'bcdfghjklm'[at]}`);
      await button('Continue').click();
      await page.getByText('This code does not exist.').waitFor();
    }
    await field('Code').fill('bbbb-bbbn');
    await button('Continue').click();
    await heading('Too many attempts').waitFor();
  });
});

describe('a forgotten password', () => {
  it('is replaced with the link of a mail, which ends every session', async () => {
    const email = await signedIn();
    const forgetful = await browser.newContext({ baseURL: platform.url });
    await watched.page.goto('/login');
    await heading('Account').waitFor(); // signed in already
    const other = await forgetful.newPage();
    await other.goto('/login');
    await other.getByRole('link', { name: 'Forgot password?' }).click();
    await other.getByRole('heading', { name: 'Forgot your password?' }).waitFor(); // the previous page has a field with the same name
    await other.getByLabel('E-mail').fill(email);
    await other.getByRole('button', { name: 'Send the link' }).click();
    await other.getByRole('heading', { name: 'Check your mail' }).waitFor();
    const link = await platform.mailedLink(email);
    await other.goto(link);
    await other.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    expect(other.url()).toBe(`${platform.url}/reset-password`);
    await other.getByRole('button', { name: 'Set the password' }).click();
    await other.getByRole('heading', { name: 'Your password was changed' }).waitFor();
    const again = await forgetful.newPage();
    await again.goto(link);
    await again.getByLabel('New password', { exact: true }).fill(`${NEW_PASSWORD} again`);
    await again.getByRole('button', { name: 'Set the password' }).click();
    await again.getByRole('heading', { name: 'This link is no longer valid' }).waitFor();
    await forgetful.close();

    await page.reload();
    await heading('Sign in').waitFor();
    await signIn(email, NEW_PASSWORD);
    await heading('Account').waitFor();
  });
});

describe('the account', () => {
  it('changes its password', async () => {
    await signedIn();
    await fillIn({ 'Current password': 'not the password', 'New password': NEW_PASSWORD });
    await button('Change password').click();
    await page.getByText('This is not your current password.').waitFor();
    await field('Current password').fill(PASSWORD);
    await button('Change password').click();
    await page.getByRole('status').getByText('Your password was changed.').waitFor();
    expect(await field('Current password').inputValue()).toBe('');
  });

  it('ends other sessions, and then its own', async () => {
    const email = await signedIn();
    for (let at = 0; at < 3; at++) await platform.call('/v1/auth/login', { email, password: PASSWORD });
    await page.reload();
    const sessions = page.getByRole('region', { name: 'Sessions' }).getByRole('listitem');
    await sessions.nth(3).waitFor();
    await page
      .getByRole('button', { name: /^End the session of/ })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
    await sessions.nth(3).waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Sessions' }).and(focused()).waitFor();
    await button('Sign out everywhere else').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await sessions.nth(1).waitFor({ state: 'detached' });
    await sessions.getByRole('button').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await heading('Sign in').waitFor();
  });

  it('makes an API key, shows it once, and deletes it after asking', async () => {
    await signedIn();
    await page.getByText('No API keys yet').waitFor();
    await button('Create key').click();
    await page.getByRole('dialog').getByLabel('Name').fill('Nightly backup');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const key = await page.getByLabel('API key', { exact: true }).inputValue();
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Escape');
    expect(await page.getByLabel('API key', { exact: true }).inputValue()).toBe(key);
    await button('Copy').click();
    await button('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
    const { status } = await fetch(`${platform.gateway.url}/v1/auth/me`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    expect(status).toBe(200);
    await button('Done').click();
    expect(await page.content()).not.toContain(key);
    await button('Delete the key Nightly backup').click();
    await page.keyboard.press('Escape');
    await button('Delete the key Nightly backup').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete key' }).click();
    await page.getByText('No API keys yet').waitFor();
  });

  it('asks for the same payout again where the answer was lost, and then for another one', async () => {
    const email = await signedIn();
    await platform.query(
      `INSERT INTO gateway.developers (user_id, display_name, tier) SELECT id, 'Ada', 'indie' FROM gateway.users WHERE email = $1`,
      [email],
    );
    const keys: (string | undefined)[] = [];
    await page.route('**/api/v1/developer/payouts/request', (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      // The first answer is an error of the panel's server, as if the gateway was down; then the
      // gateway refuses the payout.
      return keys.length > 1
        ? route.continue()
        : route.fulfill({ status: 503, json: { code: 'gateway_unavailable', detail: 'Try again.' } });
    });
    await page.goto('/earnings');
    await field('Credits').fill('10000');
    await button('Request payout').click();
    await page.getByRole('alert').getByText('The platform cannot be reached').waitFor();
    await button('Request payout').click();
    await page.getByRole('alert').getByText('No more than 0 credits can be paid out now.').waitFor();
    const third = page.waitForRequest('**/api/v1/developer/payouts/request');
    await button('Request payout').click();
    await third;
    expect(keys[0]).toEqual(expect.any(String));
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  it('says when the platform cannot be reached, and goes on when it can', async () => {
    const email = await signedIn();
    await platform.stopGateway();
    await page.reload();
    await heading('The platform cannot be reached').waitFor();
    await platform.startGateway();
    await button('Try again').click();
    await heading('Account').waitFor();
    await page.getByText(email).first().waitFor();
  });
});
