import { AutoTopUpPurchasesService, LedgerService } from '@platform/billing';
import type { CheckoutResponse, InvoiceResponse, PaymentMethodItem, TopUpResponse } from '@platform/contracts';
import { newId } from '@platform/platform';
import type { TestClient } from '@platform/testing';
import { AutoTopUpWorker } from '../auto-topup/auto-topup.worker.js';
import { CardExpiryWorker } from '../cards/card-expiry.worker.js';
import { RenewalsWorker } from '../../subscriptions/renewals.worker.js';
import { givePlan } from '../../../testing/billing.js';
import { giveCredits } from '../../../testing/wallets.js';
import { GatewayWithPayments } from '../../../testing/gateway-with-payments.js';
import type { TestUser } from '../../../testing/gateway-test.js';

let test: GatewayWithPayments;
let user: TestUser;
let client: TestClient;
// The test runs the sweep itself; a sweep by a worker would skip its users.
jest.spyOn(AutoTopUpWorker.prototype, 'startDueTopUps').mockResolvedValue();
beforeAll(async () => {
  test = await GatewayWithPayments.start({ PANEL_URL: 'https://panel.example.com' });
});
beforeEach(async () => {
  Object.assign(test.stripe.webhooks.settings, { copies: 1 });
  await test.setTime('2031-01-31T12:00:00Z');
  user = await test.gateway.user({ first_name: 'Ada' });
  client = await test.gateway.signIn(user);
});
afterAll(() => test.stop());

const renewAll = () => test.gateway.service.app.get(RenewalsWorker).renewDueSubscriptions();
const invoices = async (): Promise<InvoiceResponse[]> =>
  (await client.get<InvoiceResponse[]>('/v1/billing/invoices')).body;
/** Mails to the user, after all open work has ended. */
async function mails(): Promise<{ subject: string; text: string; html: string }[]> {
  await test.settled();
  return test.gateway.smtp.mails.filter(({ to }) => to === user.email);
}
const subjects = async (): Promise<string[]> => (await mails()).map(({ subject }) => subject);

async function buy(): Promise<void> {
  const { body } = await client
    .withHeaders({ 'Idempotency-Key': newId('key') })
    .post<TopUpResponse>('/v1/billing/topup', { tokens: 10_000, price_cents: 1_000 });
  expect(await test.pay(body.payment_intent_id, body.client_secret)).toBe('succeeded');
  await test.settled();
}
async function subscribe(): Promise<void> {
  const { body } = await client.post<CheckoutResponse>('/v1/billing/checkout', { plan_id: 'pro' });
  expect(await test.pay(body.payment_intent_id, body.client_secret)).toBe('succeeded');
  await test.settled();
}

describe('a receipt', () => {
  it('says what was paid for what, by which invoice, and leads to the panel', async () => {
    await buy();
    const [{ number } = { number: '' }] = await invoices();
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail?.subject).toBe(`Your receipt ${number}`);
    for (const said of ['Hello Ada,', '$10.00', '10,000 credits', number, 'https://panel.example.com/payments'])
      expect(mail?.text).toContain(said);
    expect(mail?.html).toContain('href="https://panel.example.com/payments"');
  });

  it('names the plan and its month', async () => {
    await subscribe();
    const [mail] = await mails();
    for (const said of ['$29.00', 'Pro plan, 2031-01-31 to 2031-02-28']) expect(mail?.text).toContain(said);
  });

  it('is sent once, however often the payment is told of', async () => {
    Object.assign(test.stripe.webhooks.settings, { copies: 5 });
    await buy();
    expect(await subjects()).toHaveLength(1);
  });

  it('says that the money goes back where nothing could be given for it', async () => {
    const first = (await client.post<CheckoutResponse>('/v1/billing/checkout', { plan_id: 'pro' })).body;
    await givePlan(test.gateway, user.id, 'starter'); // simulates another payment that came first
    await test.stopWebhooks();
    expect(await test.pay(first.payment_intent_id, first.client_secret)).toBe('succeeded');
    const settled = await client.post('/v1/billing/checkout/confirm', { payment_intent_id: first.payment_intent_id });
    expect(settled).toMatchObject({ status: 409, body: { code: 'payment.given_back' } });
    const [mail] = await mails();
    expect(mail?.text).toContain('We refund the payment in full');
  });

  it('goes to nobody who is gone', async () => {
    const { body } = await client
      .withHeaders({ 'Idempotency-Key': newId('key') })
      .post<TopUpResponse>('/v1/billing/topup', { tokens: 10_000, price_cents: 1_000 });
    const admin = await test.gateway.signIn(await test.gateway.user({ role: 'admin' }));
    await admin.delete(`/v1/users/${user.id}?permanent=true`);
    await test.pay(body.payment_intent_id, body.client_secret);
    await test.settled();
    expect(await mails()).toEqual([]);
    expect(test.gateway.smtp.mails.filter(({ to }) => to.includes('erased'))).toEqual([]);
  });
});

describe('of a renewal', () => {
  it('that is declined a mail says why, once for each attempt', async () => {
    await subscribe();
    await test.replaceCard(user.id, 'pm_card_chargeCustomerFail');
    await test.setTime('2031-02-28T12:01:00Z');
    for (let again = 0; again < 3; again++) await renewAll();
    const [receipt, failed, ...others] = await mails();
    expect(receipt?.subject).toMatch(/^Your receipt/);
    expect(failed?.subject).toBe('A payment failed');
    for (const said of ['$29.00', 'the next month of your plan Pro', '7 days', 'https://panel.example.com/payments']) {
      expect(failed?.text).toContain(said);
    }
    expect(others).toEqual([]);
    await test.setTime('2031-03-01T12:01:00Z');
    await renewAll();
    expect((await subjects()).slice(1)).toEqual(['A payment failed', 'A payment failed']);
  });

  it('that the bank wants to see the user for a mail says so, and after that comes the receipt', async () => {
    await subscribe();
    await test.replaceCard(user.id, 'pm_card_authenticationRequired');
    await test.setTime('2031-02-28T12:01:00Z');
    for (let again = 0; again < 3; again++) await renewAll();
    expect((await subjects()).slice(1)).toEqual(['Your bank asks you to confirm a payment']);
    const [intent] = test.stripe.state.list('payment_intent').filter(({ metadata }) => metadata['user_id'] === user.id);
    await test.pay(intent?.id ?? '', intent?.client_secret ?? '', 'pm_card_visa');
    await test.settled();
    expect((await subjects()).slice(1)).toEqual([
      'Your bank asks you to confirm a payment',
      expect.stringMatching(/^Your receipt/),
    ]);
  });
});

it('no mail tells of a top-up that was declined in a browser', async () => {
  const { body } = await client
    .withHeaders({ 'Idempotency-Key': newId('key') })
    .post<TopUpResponse>('/v1/billing/topup', { tokens: 10_000, price_cents: 1_000 });
  await test.pay(body.payment_intent_id, body.client_secret, 'pm_card_visa_chargeDeclined');
  await test.settled();
  expect(await mails()).toEqual([]);
});

describe('of a plan', () => {
  it('that is cancelled a mail says until when it goes on, once, and none where it goes on after all', async () => {
    await subscribe();
    for (let again = 0; again < 3; again++) await client.post('/v1/billing/cancel');
    const [, cancelled, ...others] = await mails();
    expect(others).toEqual([]);
    expect(cancelled?.subject).toBe('Your plan Pro ends on 2031-02-28');
    expect(cancelled?.text).toContain('https://panel.example.com/subscription');
  });

  it('that is cancelled after its last paid month a mail says that it has ended', async () => {
    await subscribe();
    await test.gateway.service.query('DELETE FROM payment_methods WHERE user_id = $1', [user.id]);
    await test.setTime('2031-02-28T12:01:00Z');
    await renewAll();
    expect((await subjects()).slice(1)).toEqual(['Your plan Pro is not paid']);
    expect((await client.post('/v1/billing/cancel')).status).toBe(200);
    const [, , ended, ...others] = await mails();
    expect(others).toEqual([]);
    expect(ended?.subject).toBe('Your plan Pro has ended');
    expect(ended?.text).toContain('It was paid until 2031-02-28');
    expect(ended?.text).toContain('You have the free plan now');
  });

  it('that nothing pays for a mail says so when its month is over, once', async () => {
    await subscribe();
    await test.gateway.service.query('DELETE FROM payment_methods WHERE user_id = $1', [user.id]);
    await test.setTime('2031-02-28T12:01:00Z');
    for (let again = 0; again < 3; again++) await renewAll();
    const [, unpaid, ...others] = await mails();
    expect(others).toEqual([]);
    expect(unpaid?.subject).toBe('Your plan Pro is not paid');
    for (const said of ['you have no saved card', '7 days', 'https://panel.example.com/payments'])
      expect(unpaid?.text).toContain(said);
    await test.setTime('2031-03-07T12:01:00Z');
    for (let again = 0; again < 3; again++) await renewAll();
    const [, , ended, ...later] = await mails();
    expect(later).toEqual([]);
    expect(ended?.subject).toBe('Your plan Pro has ended');
    for (const said of [
      'was paid until 2031-02-28',
      'not paid within 7 days',
      'https://panel.example.com/subscription',
    ])
      expect(ended?.text).toContain(said);
  });

  it('that no payment is begun for, since too many were declined, a mail says so once', async () => {
    await subscribe();
    await test.setTime('2031-02-28T12:01:00Z');
    await test.replaceCard(user.id, 'pm_card_chargeCustomerFail');
    const topup = { tokens: 10_000, price_cents: 1_000, off_session: true };
    for (let tries = 0; tries < 8; tries++) expect((await client.post('/v1/billing/topup', topup)).status).toBe(402);
    for (let again = 0; again < 3; again++) await renewAll();
    const [, refused, ...others] = await mails();
    expect(others).toEqual([]);
    expect(refused?.subject).toBe('Your plan Pro is not paid');
    for (const said of ['could not be charged', '7 days', 'https://panel.example.com/payments'])
      expect(refused?.text).toContain(said);
  });
});

describe('of a card', () => {
  const tellExpiring = () => test.gateway.service.app.get(CardExpiryWorker).notifyOfExpiringCards();
  const expires = (year: number, month: number) =>
    test.gateway.service.query('UPDATE payment_methods SET exp_year = $2, exp_month = $3 WHERE user_id = $1', [
      user.id,
      year,
      month,
    ]);

  it('that pays for a plan a mail says that it expires, within its last 30 days and once for each date', async () => {
    await subscribe();
    await expires(2031, 3);
    await test.setTime('2031-02-28T23:00:00Z');
    await tellExpiring();
    expect((await subjects()).slice(1)).toEqual([]);
    await test.setTime('2031-03-02T01:00:00Z');
    for (let again = 0; again < 3; again++) await tellExpiring();
    const [, told, ...others] = await mails();
    expect(others).toEqual([]);
    expect(told?.subject).toBe('Your card expires soon');
    for (const said of ['4242', '03/2031', 'https://panel.example.com/payments']) expect(told?.text).toContain(said);
  });

  it('that an automatic top-up was told to use a mail says that it expires, and none where another one pays', async () => {
    await test.replaceCard(user.id, 'pm_card_visa');
    const [chosen] = (await client.get<PaymentMethodItem[]>('/v1/billing/payment-methods')).body;
    await client.put('/v1/billing/auto-topup', { enabled: true, payment_method_id: chosen?.id });
    await test.replaceCard(user.id, 'pm_card_mastercard');
    await expires(2040, 12);
    const expire = (isDefault: boolean) =>
      test.gateway.service.query(
        'UPDATE payment_methods SET exp_year = 2031, exp_month = 2 WHERE user_id = $1 AND is_default = $2',
        [user.id, isDefault],
      );
    await expire(true);
    await tellExpiring();
    expect(await subjects()).toEqual([]);
    await expire(false);
    await tellExpiring();
    expect(await subjects()).toEqual(['Your card expires soon']);
  });

  it('that pays for nothing none is sent', async () => {
    await subscribe();
    await client.post('/v1/billing/cancel');
    await expires(2031, 1);
    await tellExpiring();
    expect(await subjects()).toEqual([
      expect.stringMatching(/^Your receipt/),
      expect.stringMatching(/^Your plan Pro ends/),
    ]);
  });
});

it('a mail says that few credits are left, once each time that there were more', async () => {
  const wallet = await giveCredits(test.gateway, user.id, 1_000);
  const spend = (amount: number) =>
    test.gateway.service.app.get(LedgerService).debit(wallet, { key: newId('spent'), amount, kind: 'call_charge' });
  await spend(901);
  await test.gateway.service.app.get(AutoTopUpPurchasesService).buyForLowBalances();
  await mails();
  await spend(9);
  await test.gateway.service.app.get(AutoTopUpPurchasesService).buyForLowBalances();
  const [mail, ...others] = await mails();
  expect(others).toEqual([]);
  expect(mail?.subject).toBe('Few credits are left');
  for (const said of ['99 credits', 'https://panel.example.com/wallet']) expect(mail?.text).toContain(said);
  await giveCredits(test.gateway, user.id, 1_000);
  await spend(1_000);
  await test.gateway.service.app.get(AutoTopUpPurchasesService).buyForLowBalances();
  expect(await subjects()).toEqual(['Few credits are left', 'Few credits are left']);
});
