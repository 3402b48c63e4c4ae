import type Stripe from 'stripe';
import { createStripeClient } from './stripe-client.js';
import { FakeStripe } from './fake-stripe.js';

let fake: FakeStripe;
let stripe: Stripe;
let customer: Stripe.Customer;
beforeEach(async () => {
  fake = await FakeStripe.start();
  stripe = createStripeClient(fake);
  customer = await stripe.customers.create({ name: 'Ada' });
});
afterEach(() => fake.stop());

describe('a tax id', () => {
  it('is given, found and taken away', async () => {
    const { id } = await stripe.customers.createTaxId(customer.id, { type: 'eu_vat', value: 'DE123456789' });
    await stripe.customers.createTaxId(customer.id, { type: 'us_ein', value: '12-3456789' });
    const found = (await stripe.customers.listTaxIds(customer.id)).data;
    expect(found.map(({ type, country, verification }) => [type, country, verification?.status])).toEqual([
      ['us_ein', 'US', 'unavailable'],
      ['eu_vat', 'DE', 'pending'],
    ]);
    expect(await stripe.customers.retrieveTaxId(customer.id, id)).toMatchObject({
      customer: customer.id,
      value: 'DE123456789',
    });
    expect(await stripe.customers.deleteTaxId(customer.id, id)).toEqual(expect.objectContaining({ id, deleted: true }));
    await expect(stripe.customers.retrieveTaxId(customer.id, id)).rejects.toMatchObject({ statusCode: 404 });
    expect((await stripe.customers.listTaxIds(customer.id)).data).toHaveLength(1);
    const types = ['customer.tax_id.created', 'customer.tax_id.deleted'];
    expect((await stripe.events.list({ types })).data).toHaveLength(3);
  });

  it.each([
    ['of a type that cannot be', { type: 'vat', value: '1' }, { param: 'type' }],
    ['that no number of its type looks like', { type: 'eu_vat', value: '12' }, { code: 'tax_id_invalid' }],
    ['without a value', { type: 'eu_vat' }, { code: 'parameter_missing', param: 'value' }],
    ['with more than that', { type: 'eu_vat', value: 'DE123456789', country: 'DE' }, { code: 'parameter_unknown' }],
  ])('%s is refused', async (_what, params, refusal) => {
    await expect(stripe.customers.createTaxId(customer.id, params as never)).rejects.toMatchObject({
      statusCode: 400,
      ...refusal,
    });
  });

  it('is of one customer', async () => {
    const other = await stripe.customers.create();
    const { id } = await stripe.customers.createTaxId(other.id, { type: 'us_ein', value: '12-3456789' });
    await expect(stripe.customers.retrieveTaxId(customer.id, id)).rejects.toMatchObject({ statusCode: 404 });
    await expect(stripe.customers.deleteTaxId(customer.id, id)).rejects.toMatchObject({ statusCode: 404 });
    await stripe.customers.del(other.id);
    await expect(stripe.customers.listTaxIds(other.id)).rejects.toMatchObject({ statusCode: 404 });
    await expect(stripe.customers.createTaxId(other.id, { type: 'us_ein', value: '1' })).rejects.toMatchObject({
      statusCode: 404,
    });
  });
});

describe('the portal', () => {
  it('is a link for one customer, to a page that leads back', async () => {
    const return_url = 'http://localhost:4003/wallet?a=1&b="2"';
    const session = await stripe.billingPortal.sessions.create({ customer: customer.id, return_url });
    expect(session).toMatchObject({ object: 'billing_portal.session', customer: customer.id, return_url });
    const answer = await fetch(session.url);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('<a href="http://localhost:4003/wallet?a=1&amp;b=&quot;2&quot;">Back</a>');
    expect((await fetch(`${session.url}0`)).status).toBe(404);
  });

  it.each([
    ['nobody', {}, 'parameter_missing'],
    ['a customer that there is not', { customer: 'cus_0' }, 'resource_missing'],
    ['a link back that is none', { return_url: 'javascript:alert(1)' }, 'url_invalid'],
    ['a flow', { flow_data: { type: 'payment_method_update' } }, 'parameter_unknown'],
  ])('is refused for %s', async (_what, changes: object, code) => {
    const params =
      'customer' in changes || code === 'parameter_missing' ? changes : { customer: customer.id, ...changes };
    await expect(stripe.billingPortal.sessions.create(params as never)).rejects.toMatchObject({ code });
  });
});
