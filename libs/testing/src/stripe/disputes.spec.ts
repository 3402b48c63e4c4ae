import type Stripe from 'stripe';
import { createStripeClient } from './stripe-client.js';
import { FakeStripe } from './fake-stripe.js';

let fake: FakeStripe;
let stripe: Stripe;
beforeEach(async () => {
  fake = await FakeStripe.start();
  stripe = createStripeClient(fake);
});
afterEach(() => fake.stop());

/** Creates a paid charge of 10 dollars. */
async function charge(): Promise<{ id: string; intent: string }> {
  const { id, latest_charge } = await stripe.paymentIntents.create({
    amount: 1_000,
    currency: 'usd',
    description: '10,000 credits',
    payment_method: 'pm_card_visa',
    confirm: true,
  });
  return { id: latest_charge as string, intent: id };
}
const eventsOf = async (types: string[]) =>
  (await stripe.events.list({ types })).data.map(({ type }) => type).toReversed();
const rows = async (params: Stripe.BalanceTransactionListParams = {}) =>
  (await stripe.balanceTransactions.list({ limit: 100, ...params })).data.map(({ type, amount, fee, net, source }) => ({
    type,
    amount,
    fee,
    net,
    source,
  }));

describe('a dispute', () => {
  it('takes the money with a fee, and gives the money back where the seller wins', async () => {
    const { id: paid, intent } = await charge();
    const { id } = fake.openDispute(paid);
    const open = await stripe.disputes.retrieve(id);
    expect(open).toMatchObject({
      amount: 1_000,
      charge: paid,
      payment_intent: intent,
      reason: 'fraudulent',
      status: 'needs_response',
    });
    expect(open.balance_transactions.map(({ amount, fee, net }) => [amount, fee, net])).toEqual([
      [-1_000, 1_500, -2_500],
    ]);
    expect(await stripe.charges.retrieve(paid)).toMatchObject({ disputed: true });
    fake.closeDispute(id, 'won');
    const won = await stripe.disputes.retrieve(id);
    expect(won.status).toBe('won');
    expect(won.balance_transactions.map(({ net }) => net)).toEqual([-2_500, 1_000]);
    const types = ['created', 'funds_withdrawn', 'closed', 'funds_reinstated'].map((what) => `charge.dispute.${what}`);
    expect(await eventsOf(types)).toEqual(types);
    expect(await stripe.refunds.create({ payment_intent: intent })).toMatchObject({ amount: 1_000 });
  });

  it('that is lost gives nothing back, and what is lost is not refunded', async () => {
    const { id: paid, intent } = await charge();
    const { id } = fake.openDispute(paid, { amount: 400, reason: 'product_not_received' });
    for (const outcome of ['needs_response', 'lost']) {
      if (outcome === 'lost') fake.closeDispute(id, 'lost');
      await expect(stripe.refunds.create({ payment_intent: intent })).rejects.toMatchObject({
        code: 'charge_disputed',
      });
      expect(await stripe.disputes.retrieve(id)).toMatchObject({
        status: outcome,
        amount: 400,
        reason: 'product_not_received',
      });
    }
    expect(await eventsOf(['charge.dispute.closed', 'charge.dispute.funds_reinstated'])).toEqual([
      'charge.dispute.closed',
    ]);
    expect(() => fake.closeDispute(id, 'won')).toThrow('This dispute has a status of lost.');
  });

  it('is of a charge that is paid and not in dispute, and of no more than was not refunded', async () => {
    const { id: paid, intent } = await charge();
    await stripe.refunds.create({ payment_intent: intent, amount: 300 });
    expect(() => fake.openDispute(paid, { amount: 701 })).toThrow('700 can be disputed, not 701');
    expect(fake.openDispute(paid)).toMatchObject({ amount: 700 });
    expect(() => fake.openDispute(paid)).toThrow('has already been disputed');
    expect(() => fake.openDispute('ch_0')).toThrow('No such charge');
    const declined = { amount: 500, currency: 'usd', payment_method: 'pm_card_visa_chargeDeclined', confirm: true };
    const refusal = await stripe.paymentIntents.create(declined).catch((error: unknown) => error);
    const { latest_charge } = (refusal as Stripe.errors.StripeCardError).payment_intent as Stripe.PaymentIntent;
    expect(() => fake.openDispute(latest_charge as string)).toThrow('0 can be disputed');
  });

  it('is found by its charge and its payment', async () => {
    const [first, second] = [await charge(), await charge()];
    const [one, two] = [fake.openDispute(first.id), fake.openDispute(second.id)];
    const found = async (params: Stripe.DisputeListParams) =>
      (await stripe.disputes.list(params)).data.map(({ id }) => id);
    expect(await found({})).toEqual([two.id, one.id]);
    expect(await found({ charge: first.id })).toEqual([one.id]);
    expect(await found({ payment_intent: second.intent })).toEqual([two.id]);
    expect(await found({ created: { gt: one.created + 60 } })).toEqual([]);
    await expect(stripe.disputes.retrieve('dp_0')).rejects.toMatchObject({ statusCode: 404, code: 'resource_missing' });
  });
});

describe('the balance', () => {
  it('has a row for each payment, refund and failed refund, which name each other', async () => {
    const { id: paid, intent } = await charge();
    const refund = await stripe.refunds.create({ payment_intent: intent, amount: 400 });
    fake.failRefund(refund.id);
    expect(await rows()).toEqual([
      { type: 'refund_failure', amount: 400, fee: 0, net: 400, source: refund.id },
      { type: 'refund', amount: -400, fee: 0, net: -400, source: refund.id },
      { type: 'charge', amount: 1_000, fee: 59, net: 941, source: paid },
    ]);
    const { balance_transaction } = await stripe.charges.retrieve(paid);
    expect(await stripe.balanceTransactions.retrieve(balance_transaction as string)).toMatchObject({
      source: paid,
      description: '10,000 credits',
      reporting_category: 'charge',
      fee_details: [{ amount: 59, type: 'stripe_fee' }],
    });
    expect(() => fake.failRefund(refund.id)).toThrow('This refund has a status of failed.');
    await expect(stripe.balanceTransactions.retrieve('txn_0')).rejects.toMatchObject({ statusCode: 404 });
  });

  it('is found by type, source and time; what came can be paid out two days later', async () => {
    const { id: paid } = await charge();
    fake.openDispute(paid);
    expect((await rows({ type: 'adjustment' })).map(({ net }) => net)).toEqual([-2_500]);
    expect((await rows({ source: paid })).map(({ type }) => type)).toEqual(['charge']);
    const now = fake.state.now();
    expect(await rows({ created: { gte: now + 60 } })).toEqual([]);
    const statuses = async () => (await stripe.balanceTransactions.list()).data.map(({ status }) => status);
    expect(await statuses()).toEqual(['pending', 'pending']);
    fake.state.ahead = 2 * 24 * 60 * 60;
    expect(await statuses()).toEqual(['available', 'available']);
    await expect(stripe.balanceTransactions.list({ payout: 'po_1' })).rejects.toMatchObject({
      code: 'parameter_unknown',
    });
    await expect(stripe.balanceTransactions.list({ ending_before: 'txn_1' })).rejects.toMatchObject({
      code: 'parameter_unknown',
    });
  });
});
