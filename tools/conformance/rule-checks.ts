import { verifySignature } from '@platform/extension-sdk/runtime';
import { newId } from '@platform/platform';
import type Stripe from 'stripe';
import { fits, refuses, same, type Check } from './check.js';
import type { ConformanceAccount } from './account.js';

const RETURN_URL = 'https://example.com/billing';

const begin = (
  { stripe }: ConformanceAccount,
  changes: Partial<Stripe.PaymentIntentCreateParams> = {},
  idempotencyKey = newId('conform'),
): Promise<Stripe.Response<Stripe.PaymentIntent>> =>
  stripe.paymentIntents.create(
    {
      amount: 1_000,
      currency: 'usd',
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
      ...changes,
    },
    { idempotencyKey },
  );
const isReplayed = ({ lastResponse }: Stripe.Response<unknown>): boolean =>
  lastResponse.headers['idempotent-replayed'] === 'true';
const AT_ONCE = { confirm: true, off_session: true } as const;

/** Properties of Stripe that the platform's rules rely on, checked with Stripe's own client. */
export const ruleChecks: readonly Check[] = [
  {
    name: 'a repeated idempotency key returns the same answer',
    async run(account) {
      const key = newId('conform');
      const first = await begin(account, {}, key);
      const again = await begin(account, {}, key);
      same('the payment', again.id, first.id);
      same('the header idempotent-replayed', [isReplayed(first), isReplayed(again)], [false, true]);
      const one = newId('conform');
      same('the customer', await account.customer(one), await account.customer(one));
    },
  },
  {
    name: 'a repeated idempotency key with other parameters is refused',
    async run(account) {
      const key = newId('conform');
      await begin(account, {}, key);
      await refuses('another amount', begin(account, { amount: 2_000 }, key), {
        type: 'StripeIdempotencyError',
        statusCode: 400,
      });
    },
  },
  {
    name: 'after a refusal for a parameter, the idempotency key can be used again',
    async run(account) {
      const key = newId('conform');
      await refuses('49 cents', begin(account, { amount: 49 }, key), {
        code: 'amount_too_small',
        type: 'StripeInvalidRequestError',
      });
      same('the header idempotent-replayed', isReplayed(await begin(account, {}, key)), false);
    },
  },
  {
    name: 'the idempotency key of a declined payment returns the decline again',
    async run(account) {
      const { customerId: customer, card } = await account.withCard('pm_card_chargeCustomerFail');
      const key = newId('conform');
      for (let again = 0; again < 2; again++) {
        await refuses('a declined card', begin(account, { customer, payment_method: card, ...AT_ONCE }, key), {
          type: 'StripeCardError',
          statusCode: 402,
          code: 'card_declined',
          decline_code: 'generic_decline',
        });
      }
      const { data } = await account.stripe.paymentIntents.list({ customer });
      same('the number of payments', data.length, 1);
    },
  },
  {
    name: 'parallel requests with one idempotency key make one payment',
    async run(account) {
      const customer = await account.customer();
      const key = newId('conform');
      const answers = await Promise.allSettled(Array.from({ length: 4 }, () => begin(account, { customer }, key)));
      const ids = new Set(answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.id] : [])));
      same('the number of payments in the answers', ids.size, 1);
      for (const answer of answers)
        if (answer.status === 'rejected')
          same('the refusal', (answer.reason as { statusCode: number }).statusCode, 409);
    },
  },
  {
    name: 'after a decline, another card can pay the same payment',
    async run(account) {
      const { id } = await begin(account);
      const confirm = (payment_method: string) => account.stripe.paymentIntents.confirm(id, { payment_method });
      await refuses('a card without money', confirm('pm_card_visa_chargeDeclinedInsufficientFunds'), {
        type: 'StripeCardError',
        code: 'card_declined',
        decline_code: 'insufficient_funds',
      });
      const failed = await account.stripe.paymentIntents.retrieve(id);
      same(
        'the payment after the decline',
        [failed.status, failed.last_payment_error?.decline_code],
        ['requires_payment_method', 'insufficient_funds'],
      );
      same('the status after another card', (await confirm('pm_card_visa')).status, 'succeeded');
    },
  },
  {
    name: 'a card with 3-D Secure waits for the customer and is not charged before',
    async run(account) {
      const {
        id,
        status,
        next_action: next,
      } = await begin(account, {
        payment_method: 'pm_card_authenticationRequired',
        confirm: true,
      });
      same('the status', [status, next?.type], ['requires_action', 'use_stripe_sdk']);
      same('the status once canceled', (await account.stripe.paymentIntents.cancel(id)).status, 'canceled');
    },
  },
  {
    name: 'a card that needs authentication off-session answers 402, with the payment in the error',
    async run(account) {
      const { customerId: customer, card } = await account.withCard('pm_card_authenticationRequired');
      const error = (await refuses(
        'a payment without its customer',
        begin(account, { customer, payment_method: card, ...AT_ONCE }),
        {
          type: 'StripeCardError',
          statusCode: 402,
          code: 'authentication_required',
        },
      )) as Error & { payment_intent?: Stripe.PaymentIntent };
      fits('its id', error.payment_intent?.id, /^pi_/);
      same('its status', error.payment_intent?.status, 'requires_payment_method');
    },
  },
  {
    name: 'a paid payment cannot be canceled or paid again',
    async run(account) {
      const { id } = await begin(account, { payment_method: 'pm_card_visa', confirm: true });
      const unexpected = { code: 'payment_intent_unexpected_state', type: 'StripeInvalidRequestError' };
      await refuses('to cancel', account.stripe.paymentIntents.cancel(id), unexpected);
      await refuses(
        'to pay again',
        account.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }),
        unexpected,
      );
    },
  },
  {
    name: 'a canceled payment cannot be paid',
    async run(account) {
      const { id } = await begin(account);
      await account.stripe.paymentIntents.cancel(id);
      const paying = account.stripe.paymentIntents.confirm(id, {
        payment_method: 'pm_card_visa',
        return_url: RETURN_URL,
      });
      await refuses('to pay', paying, { code: 'payment_intent_unexpected_state' });
    },
  },
  {
    name: 'refunds above the paid amount are refused, also after a full refund',
    async run(account) {
      const { id: payment_intent } = await begin(account, { payment_method: 'pm_card_visa', confirm: true });
      const back = (amount?: number) => account.stripe.refunds.create({ payment_intent, ...(amount && { amount }) });
      await refuses('1,001 of 1,000', back(1_001), { type: 'StripeInvalidRequestError', statusCode: 400 });
      same('the rest', (await back()).amount, 1_000);
      await refuses('nothing', back(), { code: 'charge_already_refunded' });
    },
  },
  {
    name: 'a card of another customer cannot be the default',
    async run(account) {
      const [{ customerId }, { card }] = [
        await account.withCard('pm_card_visa'),
        await account.withCard('pm_card_visa'),
      ];
      const chosen = account.stripe.customers.update(customerId, {
        invoice_settings: { default_payment_method: card },
      });
      await refuses("another customer's card", chosen, { code: 'resource_missing' });
    },
  },
  {
    name: 'an unknown parameter is refused',
    async run(account) {
      await refuses('a misspelt amount', begin(account, { amuont: 1 } as never), {
        code: 'parameter_unknown',
        statusCode: 400,
      });
    },
  },
  {
    name: 'an unknown secret key is refused',
    async run({ stripe }) {
      await refuses('an unknown secret key', stripe.customers.list({}, { apiKey: 'sk_test_nobody' }), {
        type: 'StripeAuthenticationError',
        statusCode: 401,
      });
    },
  },
  {
    name: "a webhook signed by Stripe's library is accepted, a changed body is not",
    run({ stripe }) {
      const [body, secret] = ['{"id":"evt_1","object":"event"}', 'whsec_conformance'];
      const headers = { 'stripe-signature': stripe.webhooks.generateTestHeaderString({ payload: body, secret }) };
      const taken = (text: string) =>
        verifySignature({ headers, body: Buffer.from(text) }, { scheme: 'stripe', secret: [secret] }).valid;
      same('the validity of the signatures', [taken(body), taken(`${body} `)], [true, false]);
      return Promise.resolve();
    },
  },
  {
    name: 'a webhook of the fake looks like one of Stripe (only checked with the fake: Stripe would need a public address)',
    run({ stripe, fake }) {
      if (!fake) return Promise.resolve();
      const body = '{"id":"evt_1","object":"event","type":"product.created"}';
      const { webhooks } = fake;
      const header = webhooks.sign(body);
      fits('the header', header, /^t=\d{10},v1=[0-9a-f]{64}$/);
      same(
        "the event as Stripe's library reads it",
        stripe.webhooks.constructEvent(body, header, webhooks.settings.secrets[0] ?? '').id,
        'evt_1',
      );
      return Promise.resolve();
    },
  },
];
