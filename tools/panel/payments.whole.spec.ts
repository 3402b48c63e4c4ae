import { until } from '@platform/testing';
import type { Browser, Locator, Page, Request } from 'playwright-core';
import { BrowserPlatform } from './testing/browser-platform.js';
import { launchChromium } from './testing/chromium.js';
import { STRIPE_JS, useStripeJs } from './testing/stripe-js.js';
import { WatchedPage } from './testing/watched-page.js';

/** Users of the built panel pay with test cards of the fake Stripe, in a real Chromium. */
jest.setTimeout(120_000); // a browser is slow on a busy machine

let platform: BrowserPlatform;
let browser: Browser;
let watched: WatchedPage;
let page: Page;

beforeAll(async () => {
  [platform, browser] = await Promise.all([BrowserPlatform.start({ payments: true }), launchChromium()]);
});

afterAll(async () => {
  await browser.close();
  await platform.stop();
});

afterEach(async () => {
  await watched.close();
  expect(watched.complaints).toEqual([]);
});

async function open(): Promise<void> {
  watched = await WatchedPage.open(browser, { baseURL: platform.url, viewport: { width: 1280, height: 800 } });
  page = watched.page;
}

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const section = (name: string) => page.getByRole('region', { name, exact: true });
const button = (name: string | RegExp, within: Page | Locator = page) =>
  within.getByRole('button', { name, exact: typeof name === 'string' });
const dialog = () => page.getByRole('dialog');
const pathOf = () => page.url().slice(platform.url.length);

/** Returns the address of a new user. No page is open yet. */
async function signedIn(): Promise<string> {
  const email = await platform.newUser();
  await platform.signIn(watched.context, email);
  return email;
}

/** Pays on the page of the fake Stripe. */
async function pay(card: string, verb = 'Pay'): Promise<void> {
  await page.getByLabel(card).check();
  await button(verb).click();
}

/** Payments of a user that are charged or processing. */
const paymentsOf = (email: string) =>
  platform.query<{ status: string; amount_cents: number }>(
    `SELECT p.status, p.amount_cents FROM gateway.payments p JOIN gateway.users u ON u.id = p.user_id
     WHERE u.email = $1 AND p.status <> 'canceled' ORDER BY p.created_at`,
    [email],
  );

/** Reloads until jobs of the gateway have changed the page. */
async function reloadUntil(shown: Locator): Promise<void> {
  await until(async () => {
    await page.reload();
    await page.locator('.list__placeholder').first().waitFor({ state: 'detached' });
    return shown.isVisible();
  });
}

/** Pending requests of the page, except its stream, which has no end. */
function requestsUnderWay(): ReadonlySet<Request> {
  const underWay = new Set<Request>();
  page.on('request', (request) => request.resourceType() !== 'eventsource' && underWay.add(request));
  page.on('requestfinished', (request) => underWay.delete(request));
  page.on('requestfailed', (request) => underWay.delete(request));
  return underWay;
}

const storage = () => page.evaluate<string>('JSON.stringify(sessionStorage)');

describe('in a browser', () => {
  beforeEach(open);

  it('buys credits once, however often one clicks, and sees the invoice', async () => {
    const email = await signedIn();
    await page.goto('/wallet');
    await section('Buy credits').getByLabel('10,000 credits').check();
    await page.getByText('You pay $10.00').waitFor();
    await button('Continue to payment').dblclick();
    await heading('Pay (test)').waitFor();
    await page.getByText('$10.00').waitFor();
    await pay('Visa 4242');
    await page.getByText('Your credits have arrived.').waitFor();
    expect([pathOf(), await storage()]).toEqual(['/wallet#buy', '{}']);
    await section('History').getByText('+10,000').waitFor();
    expect(await paymentsOf(email)).toEqual([{ status: 'succeeded', amount_cents: 1_000 }]);

    await page.getByRole('link', { name: 'Payments', exact: true }).click();
    await section('Payments').getByRole('listitem').filter({ hasText: '10,000 credits' }).getByText('Paid').waitFor();
    await section('Invoices')
      .getByRole('link', { name: /^Invoice \d{4}-\d{6}$/ })
      .click();
    await heading(/^Invoice \d{4}-\d{6}$/).waitFor();
    await page.getByRole('row', { name: /^Paid \$10.00$/ }).waitFor();
    await page.emulateMedia({ media: 'print' });
    await button('Print').waitFor({ state: 'hidden' });
    expect(await page.getByRole('row').count()).toBe(5);
  });

  it('goes on after a card that was declined with one whose bank asks first (3-D Secure)', async () => {
    const email = await signedIn();
    await page.goto('/wallet');
    await section('Buy credits').getByLabel('Another amount').check();
    await page.getByRole('spinbutton', { name: 'Credits' }).fill('1234');
    await button('Continue to payment').click();
    await page.locator('[aria-invalid=true]').waitFor(); // not a multiple of ten
    await page.getByRole('spinbutton', { name: 'Credits' }).fill('1230');
    await page.getByText('You pay $1.23').waitFor();
    await button('Continue to payment').click();
    await pay('Visa 0002');
    await page.getByRole('alert').getByText('Your card was declined.').waitFor();
    await pay('Visa 3184');
    await button('Approve').click();
    await page.getByText('Your credits have arrived.').waitFor();
    expect(await paymentsOf(email)).toEqual([{ status: 'succeeded', amount_cents: 123 }]);
  });

  it('waits while the bank takes its time, also when the page is loaded again', async () => {
    const email = await signedIn();
    await page.goto('/wallet');
    await button('Continue to payment').click();
    await pay('Visa 1111');
    await page.getByText('Waiting for your bank to confirm').waitFor();
    await page.reload();
    await page.getByText('Waiting for your bank to confirm').waitFor();
    const [payment] = await platform.query<{ id: string }>(
      'SELECT p.provider_intent_id AS id FROM gateway.payments p JOIN gateway.users u ON u.id = p.user_id WHERE u.email = $1',
      [email],
    );
    platform.stripe.finishProcessing(payment?.id ?? '');
    await page.getByText('Your credits have arrived.').waitFor();
    expect(await storage()).toBe('{}');
  });

  it('lets nobody wait for long: what was paid comes by itself', async () => {
    await signedIn();
    await page.goto('/wallet');
    await button('Continue to payment').click();
    await pay('Visa 1111');
    await page.getByText('Waiting for your bank to confirm').waitFor();
    await page.clock.install();
    const requests = requestsUnderWay();
    await until(async () => {
      // Advance the clock only without pending requests: their timeouts use it, too.
      if (!requests.size) await page.clock.fastForward(10_000);
      return page.getByText('This takes longer than usual').isVisible();
    });
    expect(await storage()).toBe('{}');
  });

  it('keeps the card, buys with it at once, and lets it buy by itself', async () => {
    const email = await signedIn();
    await page.goto('/wallet');
    await section('Automatic top-up').getByText('Automatic top-up needs a saved card.').waitFor();
    await page.getByLabel('Save the card for later payments').check();
    await button('Continue to payment').click();
    await pay('Visa 4242');
    await page.getByText('Your credits have arrived.').waitFor();
    await section('Buy credits').getByLabel('Visa ending in 4242').waitFor();
    const keys: (string | undefined)[] = [];
    await page.route('**/api/v1/billing/topup', (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      // The first answer is lost after the work was done; later requests succeed.
      return keys.length > 1 ? route.continue() : route.fetch().then(() => route.abort());
    });
    await button('Buy now').click();
    await page.getByRole('alert').getByText('The platform cannot be reached').waitFor();
    await button('Buy now').click();
    await page.getByText('You paid $10.00 and received 10,000 credits.').waitFor();
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(await paymentsOf(email)).toEqual(
      Array.from({ length: 2 }, () => ({ status: 'succeeded', amount_cents: 1_000 })),
    );
    watched.complaints.splice(0); // complaints about the lost answer

    await button('Turn on').click();
    await page.getByText('Check this box to turn on automatic top-up.').waitFor();
    await page.getByLabel('Credits to buy').fill('5000');
    await page.getByLabel('Daily limit (dollars)').fill('19.99');
    await page.getByLabel('I agree to this').check();
    const shown = await page.getByText('When fewer credits are left than').textContent();
    await button('Turn on').click();
    await page.getByText('Automatic top-up is on.').waitFor();
    const consents = await platform.query<{ text: string }>(
      'SELECT c.text FROM gateway.auto_topup_consents c JOIN gateway.users u ON u.id = c.user_id WHERE u.email = $1',
      [email],
    );
    expect(consents).toEqual([{ text: shown }]);
    await button('Turn off').click();
    await button('Turn off').waitFor({ state: 'detached' });
  });

  it('takes a plan, sees what a larger one costs, changes, cancels, and goes on', async () => {
    await signedIn();
    await page.goto('/subscription');
    const plan = section('Your plan');
    await plan.getByText('Free', { exact: true }).first().waitFor();
    await button('Choose Pro').click();
    await dialog().getByText('You pay $29.00 now, then $29.00 per month until you cancel.').waitFor();
    await button('Continue to payment').click();
    await pay('Visa 4242');
    await page.getByText('The payment is complete and your plan is active').waitFor();
    expect(await storage()).toBe('{}');
    await plan.getByText('$29.00 a month').waitFor();

    await button('Upgrade to Business').click();
    await dialog()
      .getByText(/^You pay \$\d\d\.\d\d now for the rest of this month, then \$99\.00 per month\./)
      .waitFor();
    await button(/^Pay \$\d\d\.\d\d$/).click();
    await page
      .getByText(/^You paid \$\d\d\.\d\d\. Your plan is now Business\.$/)
      .first()
      .waitFor();
    await plan.getByText('$99.00 a month').waitFor();

    await button('Change to Starter').click();
    await dialog()
      .getByText(/^You pay nothing now\. From .+ on, your plan is Starter, for \$9\.00 per month\./)
      .waitFor();
    await button('Change plan').click();
    await page
      .getByText(/^Your plan changes to Starter on .+\.$/)
      .first()
      .waitFor();

    await plan.getByText(/^Your plan changes to Starter on .+ Until then nothing changes\.$/).waitFor();
    await button('Cancel plan').click();
    await button('Cancel plan', dialog()).click();
    await plan.getByText(/^Your plan ends on .+ Until then nothing changes\.$/).waitFor();
    await button('Keep plan').click();
    await plan.getByText('You can cancel at any time').waitFor();

    // The last card of a paid plan cannot be removed.
    await page.goto('/payments');
    await button('Remove Visa ending in 4242').click();
    await button('Remove card').click();
    await dialog()
      .getByText('This card pays for your plan. Add another card first, or cancel the plan under Subscription.')
      .waitFor();
  });

  it('says what to do where the last month was not paid, and pays it', async () => {
    const email = await signedIn();
    await page.goto('/subscription');
    await button('Choose Starter').click();
    await button('Continue to payment').click();
    await pay('Visa 4242');
    await page.getByText('The payment is complete and your plan is active').waitFor();
    await platform.query(
      `UPDATE gateway.subscriptions s SET status = 'past_due', period_starts_at = period_starts_at - interval '1 month 1 hour',
         started_at = started_at - interval '1 month 1 hour', period_ends_at = now() - interval '1 hour'
       FROM gateway.users u WHERE u.id = s.user_id AND u.email = $1`,
      [email],
    );
    await page.reload();
    await page.getByText('Your last payment failed').waitFor();
    await button('Pay now').click();
    await page.getByText('Your last payment failed').waitFor({ state: 'detached' });
    expect((await paymentsOf(email)).map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
  });

  it('adds cards, chooses the default one, and removes them', async () => {
    await signedIn();
    await page.goto('/payments');
    const cards = section('Cards');
    await cards.getByText('No cards yet').waitFor();
    for (const card of ['Visa 4242', 'Visa 3184']) {
      await button('Add card').click();
      await heading('Save a card (test)').waitFor();
      await pay(card, 'Save the card');
      if (card === 'Visa 3184') await button('Approve').click();
      await cards.getByText('The card was saved.').waitFor();
    }
    expect(pathOf()).toBe('/payments#cards');
    // A canceled payment costs nothing, and the customer can continue.
    await button('Add card').click();
    await heading('Save a card (test)').waitFor();
    await page.goBack();
    await cards.getByText('Visa ending in 3184').waitFor();
    expect(await page.getByText('Waiting for your bank to confirm').count()).toBe(0);
    const second = cards.getByRole('listitem').filter({ hasText: 'Visa ending in 3184' });
    await button('Make Visa ending in 3184 the default card').click();
    await second.getByText('Default').waitFor();
    for (const last4 of ['4242', '3184']) {
      await button(`Remove Visa ending in ${last4}`).click();
      await button('Remove card').click();
      await page.getByText(`Visa ending in ${last4}`, { exact: true }).waitFor({ state: 'detached' });
    }
    await cards.getByText('No cards yet').waitFor();
  });

  it('goes on by another card where the saved one is declined, or its bank asks first', async () => {
    const email = await signedIn();
    await page.goto('/payments');
    await button('Add card').click();
    await pay('Visa 3184', 'Save the card');
    await button('Approve').click();
    await section('Cards').getByText('Visa ending in 3184').waitFor();
    await page.goto('/wallet');
    await button('Buy now').click();
    await pay('Visa 4242'); // the bank has asked for authentication
    await page.getByText('Your credits have arrived.').waitFor();

    const [customer] = await platform.query<{ id: string }>(
      'SELECT c.provider_customer_id AS id FROM gateway.billing_customers c JOIN gateway.users u ON u.id = c.user_id WHERE u.email = $1',
      [email],
    );
    await platform.stripe.createObject('payment_methods/pm_card_chargeCustomerFail/attach', {
      customer: customer?.id ?? '',
    });
    await platform.stripe.webhooks.waitUntilSettled();
    await page.goto('/payments');
    await reloadUntil(button('Make Visa ending in 0341 the default card'));
    await button('Make Visa ending in 0341 the default card').click();
    await page.getByText('Make default').first().waitFor();
    await page.goto('/wallet');
    await button('Buy now').click();
    await page.getByRole('alert').getByText('Your card was declined.').waitFor();
    await section('Buy credits').getByLabel('Enter a card').check();
    await button('Continue to payment').click();
    await pay('Visa 4242');
    await page.getByText('Your credits have arrived.').waitFor();
    expect((await paymentsOf(email)).map(({ status }) => status)).toEqual(['succeeded', 'failed', 'succeeded']);
  });

  it('goes on with a payment that was left', async () => {
    const email = await signedIn();
    await page.goto('/wallet');
    await button('Continue to payment').click();
    await heading('Pay (test)').waitFor();
    await page.goto('/payments');
    await button('Pay $10.00 now: Credits').click();
    await pay('Visa 4242');
    await section('Payments').getByText('The payment is complete.').waitFor();
    expect(await paymentsOf(email)).toEqual([{ status: 'succeeded', amount_cents: 1_000 }]);
  });

  it('says to whom invoices are made out', async () => {
    await signedIn();
    await page.goto('/payments');
    await page.getByLabel('Country (optional)').fill('x1');
    await button('Save profile').click();
    await page.getByText('Input should be a country code (ISO 3166-1 alpha-2) such as DE.').waitFor();
    await page.getByLabel('Company (optional)').fill('Engines Ltd');
    await page.getByLabel('Country (optional)').fill('de');
    await button('Save profile').click();
    await page.getByText('The billing profile was saved.').waitFor();
    await page.reload();
    await section('Billing profile').waitFor();
    expect(await page.getByLabel('Company (optional)').inputValue()).toBe('Engines Ltd');
    expect(await page.getByLabel('Country (optional)').inputValue()).toBe('DE');
  });
});

describe('at Stripe itself', () => {
  beforeEach(open);

  /** Data that a panel page stores for `/pay`. */
  const payment = (changes: object = {}) => ({
    kind: 'payment',
    purpose: 'topup',
    intentId: 'pi_1',
    clientSecret: 'pi_1_secret_x',
    publishableKey: 'pk_live_51',
    title: '10,000 credits',
    payer: 'who@example.com',
    amountCents: 1_000,
    back: '/login',
    known: [],
    ...changes,
  });
  const goToPay = async (what: object) => {
    await page.goto('/login');
    await page.evaluate(`sessionStorage.setItem('payment-to-make', ${JSON.stringify(JSON.stringify(what))})`);
    await page.goto('/pay');
  };

  it('pays by its form, says why a card is declined, and goes back without the secret', async () => {
    await useStripeJs(page, ['Your card was declined.', null]);
    await goToPay(payment());
    await heading('Pay $10.00').waitFor();
    await page.getByText('who@example.com').waitFor();
    await page.frameLocator('iframe').getByText('Card number').waitFor();
    expect(await page.evaluate('window.stripeCalls')).toEqual([
      'pk_live_51',
      'retrievePaymentIntent pi_1_secret_x',
      'elements pi_1_secret_x',
    ]);
    await button('Pay $10.00').click();
    await page.getByRole('alert').getByText('Your card was declined.').waitFor();
    await button('Pay $10.00').click();
    await heading('Sign in').waitFor();
    const stored = JSON.parse(await storage()) as Record<string, string>;
    expect(JSON.parse(stored['payment-made'] ?? '')).toEqual({ purpose: 'topup', intentId: 'pi_1', known: [] });
    expect(JSON.stringify(stored)).not.toContain('secret');
  });

  it('keeps a card, and is led to no other site', async () => {
    await useStripeJs(page, [null]);
    await goToPay(payment({ kind: 'setup', amountCents: null, back: '//evil.example' }));
    await heading('Save a card').waitFor();
    await button('Save card').click();
    await heading('Sign in').waitFor();
    expect(pathOf()).toBe('/login');
  });

  it('lets nothing there call the panel', async () => {
    await useStripeJs(page, []);
    await goToPay(payment());
    await heading('Pay $10.00').waitFor();
    watched.context.removeAllListeners('console'); // the refusals here are intended
    const refused = `new Promise((done) => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => done(violatedDirective + ' ' + blockedURI));
      fetch('/session').then(() => done('let'), () => undefined);
    })`;
    expect(await page.evaluate(refused)).toBe(`connect-src ${platform.url}/session`);
  });

  it('keeps another page of the panel that is opened there out of its reach', async () => {
    await useStripeJs(page, []);
    await goToPay(payment());
    await heading('Pay $10.00').waitFor();
    const opened = watched.context.waitForEvent('page');
    const isReached = page.evaluate(`(async () => {
      const other = window.open('/login');
      const end = Date.now() + 80_000;
      while (Date.now() < end && !other.closed) {
        try {
          if (other.document?.querySelector('form')) return true;
        } catch (error) {
          if (error.name !== 'SecurityError') throw error; // a browser refuses it while it cuts the two pages apart
        }
        await new Promise((next) => setTimeout(next, 50));
      }
      return false;
    })()`);
    await (await opened).getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await isReached).toBe(false);
  });

  it('says so where its script does not load, or it was paid or replaced elsewhere', async () => {
    await page.route(STRIPE_JS, (route) => route.abort());
    await goToPay(payment());
    await heading('The payment form did not load').waitFor();
    watched.complaints.splice(0); // complaints about the script
    await page.unroute(STRIPE_JS);
    await useStripeJs(page, [], 'canceled');
    await button('Try again').click();
    await heading('This payment is no longer possible').waitFor();
    await page.getByRole('link', { name: 'Go back' }).click();
    await heading('Sign in').waitFor();
    await page.goto('/pay');
    await heading('There is nothing to pay here').waitFor();
  });
});

describe('as axe-core sees it, light and narrow, dark and wide', () => {
  const looks = [
    { colorScheme: 'light', viewport: { width: 360, height: 740 } },
    { colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  ] as const;
  beforeEach(open);
  /** Checks the page once `shown` is there. */
  const check = async (shown: string | RegExp) => {
    await page.getByText(shown).first().waitFor();
    await page.locator('.list__placeholder').first().waitFor({ state: 'detached' });
    expect({ shown, found: await watched.checkLooks(looks) }).toEqual({ shown, found: [] });
  };

  it('has no finding on any page that pays', async () => {
    await signedIn();
    await page.goto('/wallet');
    await check('Automatic top-up needs a saved card.');
    await page.goto('/payments');
    await check('No invoices yet');
    await page.goto('/subscription');
    await check('Your plan');
    await button('Choose Pro').click();
    await check('Choose Pro?');
    await button('Continue to payment').click();
    await pay('Visa 4242');
    await check('The payment is complete and your plan is active');
    await button('Upgrade to Business').click();
    await check(/^You pay \$/);
    await page.keyboard.press('Escape');
    await button('Cancel plan').click();
    await check('Cancel your plan?');
    await page.goto('/wallet');
    await section('Buy credits').getByLabel('Another amount').check();
    await button('Buy now').click();
    await check('Enter the number of credits.');
    await page.goto('/payments');
    await check('Visa ending in 4242');
    await section('Invoices').getByRole('link').click();
    await check('Subtotal');
    await useStripeJs(page, ['Your card was declined.']);
    await page.evaluate(`sessionStorage.setItem('payment-to-make', JSON.stringify({ kind: 'payment', purpose: 'topup', intentId: 'pi_1',
      clientSecret: 'pi_1_secret_x', publishableKey: 'pk_live_51', title: '10,000 credits', payer: 'who@example.com', amountCents: 1000, back: '/wallet', known: [] }))`);
    await page.goto('/pay');
    await page.frameLocator('iframe').getByText('Card number').waitFor();
    await button('Pay $10.00').click();
    await check('Your card was declined.');
    await page.evaluate('sessionStorage.clear()');
    await page.reload();
    await check('There is nothing to pay here');
  });
});
