import type Stripe from 'stripe';
import { createStripeClient } from './stripe-client.js';
import { FakeStripe } from './fake-stripe.js';

let fake: FakeStripe;
let stripe: Stripe;
let customer: Stripe.Customer;
beforeEach(async () => {
  fake = await FakeStripe.start();
  stripe = createStripeClient(fake);
  customer = await stripe.customers.create();
});
afterEach(() => fake.stop());

const RETURN = 'http://localhost:4003/wallet?tab=buy';

interface Page {
  status: number;
  html: string;
  location: string | null;
  policy: string | null;
}

async function pageOf(answer: Response): Promise<Page> {
  const { status, headers } = answer;
  return {
    status,
    html: await answer.text(),
    location: headers.get('location'),
    policy: headers.get('content-security-policy'),
  };
}
const urlOf = (id: string, query: Record<string, string>) =>
  `${fake.url}/pay/${id}?${new URLSearchParams(query).toString()}`;
const open = async (url: string) => pageOf(await fetch(url, { redirect: 'manual' }));
/** Submits the form of a page: the hidden fields and the chosen values. */
async function submit({ html }: Page, chosen: Record<string, string>): Promise<Page> {
  const [, action = ''] = /<form method="post" action="([^"]+)">/.exec(html) ?? [];
  const hidden = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]+)" \/>/g)].map(
    ([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')],
  );
  const body = new URLSearchParams({ ...(Object.fromEntries(hidden) as Record<string, string>), ...chosen });
  return pageOf(await fetch(fake.url + action, { method: 'POST', body, redirect: 'manual' }));
}
/** Submits the form and follows the redirect on this server. */
async function choose(page: Page, chosen: Record<string, string>): Promise<Page> {
  const { status, location } = await submit(page, chosen);
  expect(status).toBe(303);
  return open(new URL(location ?? '', fake.url).href);
}

const payment = (changes: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
  stripe.paymentIntents.create({
    amount: 123_456,
    currency: 'usd',
    customer: customer.id,
    description: '10,000 credits',
    ...changes,
  });
const pageFor = ({ id, client_secret }: { id: string; client_secret: string | null }, return_url?: string) =>
  open(urlOf(id, { client_secret: client_secret ?? '', ...(return_url !== undefined && { return_url }) }));

it('shows what is paid and the cards, and leads back when it is paid', async () => {
  const intent = await payment();
  const page = await pageFor(intent, RETURN);
  expect(page.status).toBe(200);
  expect(page.html).toContain('<p class="amount">$1,234.56</p><p>10,000 credits</p>');
  expect(page.html.match(/type="radio"/g)).toHaveLength(5);
  expect(page.policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; /);
  expect(page.policy).toContain("form-action 'self' http://localhost:4003; base-uri 'none'; frame-ancestors 'none'");
  const { status, location } = await choose(page, { card: 'pm_card_visa' });
  expect(status).toBe(303);
  expect(Object.fromEntries(new URL(location ?? '').searchParams)).toEqual({
    tab: 'buy',
    payment_intent: intent.id,
    payment_intent_client_secret: intent.client_secret,
    redirect_status: 'succeeded',
  });
  expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ status: 'succeeded' });
  // A second visit redirects again and pays nothing.
  expect((await pageFor(intent, RETURN)).location).toBe(location);
  expect((await choose(page, { card: 'pm_card_visa' })).location).toBe(location);
  expect((await stripe.balanceTransactions.list({ type: 'charge' })).data).toHaveLength(1);
});

it('says why a card is declined, and takes another one', async () => {
  const intent = await payment();
  const again = await choose(await pageFor(intent), { card: 'pm_card_visa_chargeDeclinedInsufficientFunds' });
  expect(again.html).toContain('<p role="alert">Your card has insufficient funds.</p>');
  const paid = await choose(again, { card: 'pm_card_visa' });
  expect(paid.html).toContain('<p role="status">Thank you, that is done.</p>');
  expect(paid.policy).toContain("form-action 'self';");
});

it('has the bank ask, which is approved or refused', async () => {
  const intent = await payment();
  const asked = await choose(await pageFor(intent), { card: 'pm_card_authenticationRequired' });
  expect(asked.html).toContain('Your bank asks');
  const refused = await choose(asked, { answer: 'refuse' });
  expect(refused.html).toMatch(/role="alert">We are unable to authenticate/);
  const asksAgain = await choose(refused, { card: 'pm_card_authenticationRequired' });
  expect((await choose(asksAgain, { answer: 'approve' })).html).toContain('Thank you');
  expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ status: 'succeeded' });
});

it('leads back while the bank takes its time', async () => {
  const { location } = await choose(await pageFor(await payment(), RETURN), { card: 'pm_card_processing' });
  expect(new URL(location ?? '').searchParams.get('redirect_status')).toBe('processing');
});

it('keeps a card without a payment', async () => {
  const intent = await stripe.setupIntents.create({ customer: customer.id });
  const page = await pageFor(intent, RETURN);
  expect(page.html).toContain('Nothing is paid now');
  const declined = await choose(page, { card: 'pm_card_visa_chargeDeclined' });
  expect(declined.html).toContain('<p role="alert">Your card was declined.</p>');
  const asked = await choose(declined, { card: 'pm_card_authenticationRequired' });
  const refused = await choose(asked, { answer: 'refuse' });
  expect(refused.html).toMatch(/role="alert">We are unable to authenticate/);
  const { location } = await choose(refused, { card: 'pm_card_visa' });
  expect(new URL(location ?? '').searchParams.get('setup_intent')).toBe(intent.id);
  expect((await stripe.customers.listPaymentMethods(customer.id)).data).toHaveLength(1);
});

it('of what was canceled leads back as failed', async () => {
  const intent = await payment();
  await stripe.paymentIntents.cancel(intent.id);
  expect((await pageFor(intent)).html).toContain('This was canceled.');
  expect(new URL((await pageFor(intent, RETURN)).location ?? '').searchParams.get('redirect_status')).toBe('failed');
});

it.each([
  'https://evil.example/',
  'http://localhost.evil.example/',
  'http://localhost@evil.example/',
  'http://ada:secret@localhost/',
  '//evil.example',
  '/wallet',
  'javascript:alert(1)',
  'data:text/html,x',
])('shows what came of it instead of leading to %s', async (return_url) => {
  const page = await pageFor(await payment(), return_url);
  expect(page.html).not.toContain('return_url');
  expect(page.policy).toContain("form-action 'self';");
  const paid = await choose(page, { card: 'pm_card_visa' });
  expect(paid).toMatchObject({ status: 200, location: null });
  expect(paid.html).toContain('Thank you');
});

it('leads to this machine by each of its names', async () => {
  const intent = await payment({ payment_method: 'pm_card_visa', confirm: true });
  for (const url of ['https://localhost/a', 'http://127.0.0.1:8080/a'])
    expect((await pageFor(intent, url)).location).toMatch(new RegExp(`^${url}\\?payment_intent=pi_`));
});

it('is for who has the secret of the payment', async () => {
  const [intent, other] = [await payment(), await payment()];
  for (const client_secret of ['', 'x', other.client_secret ?? '']) {
    expect((await open(urlOf(intent.id, { client_secret }))).status).toBe(404);
    const answer = await fetch(urlOf(intent.id, {}), {
      method: 'POST',
      body: new URLSearchParams({ client_secret, card: 'pm_card_visa' }),
    });
    expect(answer.status).toBe(404);
  }
  expect((await open(urlOf(intent.id, {}))).status).toBe(404);
  expect((await open(urlOf('pi_0', { client_secret: intent.client_secret ?? '' }))).status).toBe(404);
  expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ status: 'requires_payment_method' });
});

it('refuses a card that is not offered, and an answer that nobody asked for', async () => {
  const intent = await payment();
  const page = await pageFor(intent);
  for (const card of ['pm_card_mastercard', 'pm_0', '']) {
    const refused = await submit(page, { card });
    expect([refused.status, refused.html]).toEqual([400, expect.stringContaining('Choose one of these cards.')]);
  }
  const refused = await submit(page, { answer: 'approve' });
  expect([refused.status, refused.html]).toEqual([
    400,
    expect.stringContaining('You cannot authenticate this PaymentIntent'),
  ]);
});

it('shows what others wrote as text', async () => {
  const page = await pageFor(
    await payment({ description: '<script>alert("1")</script>\'&', currency: 'jpy' }),
    `${RETURN}&x="><b>`,
  );
  expect(page.html).toContain('<p class="amount">¥123,456</p>');
  expect(page.html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;');
  expect(page.html).not.toMatch(/<script|<b>/);
});
