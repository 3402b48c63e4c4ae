import { LocalServer, FakeStripe } from '@platform/testing';
import type { Browser, Page } from 'playwright-core';
import type Stripe from 'stripe';
import { createStripeClient } from '../../libs/testing/src/stripe/stripe-client.js';
import { launchChromium } from '../panel/testing/chromium.js';
import { WatchedPage } from '../panel/testing/watched-page.js';

/**
 * The payment page in a real browser: its policy allows its resources, and axe-core finds nothing.
 */
jest.setTimeout(120_000); // a browser is slow on a busy machine

let browser: Browser;
let payments: FakeStripe;
let shop: LocalServer;
let stripe: Stripe;
beforeAll(async () => {
  browser = await launchChromium();
  payments = await FakeStripe.start();
  shop = await LocalServer.start((_request, response) => {
    response
      .writeHead(200, { 'Content-Type': 'text/html' })
      .end('<title>Shop</title><link rel="icon" href="data:,"><h1>Shop</h1>');
  });
  stripe = createStripeClient(payments);
});
afterAll(async () => {
  await browser.close();
  await payments.stop();
  await shop.stop();
});

it.each(['light', 'dark'] as const)(
  'has who pays choose a card, be asked by their bank, and come back, in %s',
  async (colorScheme) => {
    const watched = await WatchedPage.open(browser, { colorScheme, viewport: { width: 360, height: 740 } });
    const { page } = watched;
    const { id, client_secret } = await stripe.paymentIntents.create({
      amount: 1_000,
      currency: 'usd',
      description: '10,000 credits',
    });
    const back = `http://localhost:${shop.port}/wallet`;
    const query = new URLSearchParams({ client_secret: client_secret ?? '', return_url: back });
    await page.goto(`${payments.url}/pay/${id}?${query.toString()}`);
    expect(await foundOn(watched)).toEqual([]);
    await pay(page, 'Visa 0002');
    await page.getByRole('alert').getByText('Your card was declined.').waitFor();
    expect(await foundOn(watched)).toEqual([]);
    await pay(page, 'Visa 3184');
    await page.getByRole('group', { name: 'Your bank asks: is this you?' }).waitFor();
    expect(await foundOn(watched)).toEqual([]);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'Shop' }).waitFor();
    expect(page.url()).toMatch(new RegExp(`^${back}\\?payment_intent=${id}&.*redirect_status=succeeded$`));
    expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({ status: 'succeeded' });
    await page.goto(
      `${payments.url}/pay/${id}?${new URLSearchParams({ client_secret: client_secret ?? '' }).toString()}`,
    );
    await page.getByRole('status').getByText('Thank you').waitFor();
    expect(await foundOn(watched)).toEqual([]);
    await watched.close();
    expect(watched.complaints).toEqual([]);
  },
);

async function pay(page: Page, card: string): Promise<void> {
  await page.getByLabel(card).check();
  await page.getByRole('button', { name: 'Pay' }).click();
}

/** Ignores the rule for panel titles. */
const foundOn = async (watched: WatchedPage) =>
  (await watched.check()).filter((finding) => !finding.startsWith('the title'));
