import {
  CustomerMissing,
  parseStripeEvent,
  PaymentRefused,
  RefundDenied,
  type BalanceMovement,
  type NewPaymentIntent,
} from '@platform/billing';
import { newId } from '@platform/platform';
import type { ConformanceAccount } from './account.js';
import { comes, fits, refuses, same, type Check } from './check.js';

const CENTS = 1_000;
const ASKED = { amountCents: CENTS, description: '10,000 credits', keepsCard: false };
const RETURN_URL = 'https://example.com/billing';
/** The fake's receipts are on this machine. */
const RECEIPT = /^(https:\/|http:\/\/127\.0\.0\.1:\d+)\//;

/**
 * The platform's request for a payment in a browser, or with `card` for a payment with a saved
 * card.
 */
const intentFor = (customerId: string, paymentId: string, card?: string): NewPaymentIntent => ({
  ...ASKED,
  customerId,
  metadata: { payment_id: paymentId, user_id: 'usr_conformance', kind: 'topup' },
  ...(card !== undefined && { paymentMethodId: card }),
});

/** Makes a successful payment with a saved card. */
async function paid(account: ConformanceAccount, testCard = 'pm_card_visa') {
  const { customerId, card } = await account.withCard(testCard);
  const intent = await account.payments.createIntent(intentFor(customerId, newId('pay'), card), newId('conform'));
  same('the status of the payment', intent.status, 'succeeded');
  return { customerId, card, intent };
}

/** Checks of each call of the adapter, made the way the platform makes it. */
export const adapterChecks: readonly Check[] = [
  {
    name: 'a customer is created and changed, and fields set to null are cleared',
    async run(account) {
      const { payments, stripe } = account;
      const customerId = await account.customer();
      await payments.updateCustomer(customerId, { name: 'Ada Lovelace', country: 'GB' }, newId('conform'));
      const changed = await stripe.customers.retrieve(customerId);
      if (changed.deleted) throw new Error('the customer is deleted');
      same('the name', changed.name, 'Ada Lovelace');
      same('the country', changed.address?.country, 'GB');
      same('the user', changed.metadata['user_id'], 'usr_conformance');
      await payments.updateCustomer(customerId, { name: null, country: null }, newId('conform'));
      const cleared = await stripe.customers.retrieve(customerId);
      if (cleared.deleted) throw new Error('the customer is deleted');
      same('the name and address that were cleared', [cleared.name ?? null, cleared.address ?? null], [null, null]);
    },
  },
  {
    name: 'a payment for a browser is created, found by its id and by payment_id, and canceled',
    async run(account) {
      const { payments } = account;
      const [customerId, paymentId] = [await account.customer(), newId('pay')];
      const since = new Date(Date.now() - 60_000);
      const begun = await payments.createIntent(intentFor(customerId, paymentId), newId('conform'));
      const { id, status, amountCents, receivedCents, currency, isLive, metadata, failure, paymentMethodId } = begun;
      fits('the id', id, /^pi_\w+$/);
      fits('the secret for the browser', begun.clientSecret, /^pi_\w+_secret_\w+$/);
      same(
        'the new payment',
        [status, amountCents, receivedCents, currency, isLive],
        ['requires_payment_method', CENTS, 0, 'usd', false],
      );
      same('the owner', [begun.customerId, metadata['payment_id']], [customerId, paymentId]);
      same('the empty fields', [failure, paymentMethodId], [null, null]);
      same('what is found', (await payments.findIntent(id))?.status, status);
      const found = await comes('the payment in the list of its customer', () =>
        payments.findIntentByPayment(customerId, paymentId, since),
      );
      same('the payment found by payment_id', found.id, id);
      same(
        'the result for another payment_id',
        await payments.findIntentByPayment(customerId, newId('pay'), since),
        null,
      );
      for (let again = 0; again < 2; again++)
        same('the status once canceled', (await payments.cancelIntent(id))?.status, 'canceled');
      same('a missing payment', await payments.findIntent('pi_conformance0nothing'), null);
    },
  },
  {
    name: 'a payment in a browser succeeds, has a receipt, and cannot be canceled',
    async run(account) {
      const { payments, stripe } = account;
      const customerId = await account.customer();
      const intent = intentFor(customerId, newId('pay'));
      const { id } = await payments.createIntent({ ...intent, keepsCard: true }, newId('conform'));
      await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa', return_url: RETURN_URL });
      const done = await payments.findIntent(id);
      same('the payment', [done?.status, done?.receivedCents], ['succeeded', CENTS]);
      fits('the receipt', done?.receiptUrl, RECEIPT);
      same('the payment that was to be canceled', (await payments.cancelIntent(id))?.status, 'succeeded');
      const [card] = await payments.listCards(customerId);
      same(
        'the saved card',
        [card?.brand, card?.last4, card?.type, card?.customerId],
        ['visa', '4242', 'card', customerId],
      );
    },
  },
  {
    name: 'a saved card pays without the customer',
    async run(account) {
      const { intent, card } = await paid(account);
      same('the paid amount', [intent.receivedCents, intent.failure, intent.paymentMethodId], [CENTS, null, card]);
      fits('the receipt', intent.receiptUrl, RECEIPT);
    },
  },
  {
    name: 'a declined saved card gives a failed payment, not an error',
    async run(account) {
      const { payments } = account;
      const { customerId, card } = await account.withCard('pm_card_chargeCustomerFail');
      const intent = await payments.createIntent(intentFor(customerId, newId('pay'), card), newId('conform'));
      same(
        'the payment',
        [intent.status, intent.failure?.code, intent.receivedCents],
        ['requires_payment_method', 'generic_decline', 0],
      );
      fits('why', intent.failure?.message, /declined/);
      fits('the charge that was declined', intent.declinedChargeId, /^(ch|py)_\w+$/);
    },
  },
  {
    name: 'open set-ups are canceled, finished ones stay',
    async run(account) {
      const { payments, stripe } = account;
      const customerId = await account.customer();
      const begun = async () =>
        (await payments.createSetup(customerId, { user_id: 'usr_conformance' }, newId('conform'))).id;
      const [open, done] = [await begun(), await begun()];
      await stripe.setupIntents.confirm(done, { payment_method: 'pm_card_visa' });
      for (let again = 0; again < 2; again++) await payments.cancelSetups(customerId);
      const statuses = await Promise.all(
        [open, done].map(async (id) => (await stripe.setupIntents.retrieve(id)).status),
      );
      same('the statuses', statuses, ['canceled', 'succeeded']);
    },
  },
  {
    name: 'a saved card that needs authentication gives a payment that waits for the customer',
    async run(account) {
      const { payments } = account;
      const { customerId, card } = await account.withCard('pm_card_authenticationRequired');
      const intent = await payments.createIntent(intentFor(customerId, newId('pay'), card), newId('conform'));
      same('the reason of the failure', intent.failure?.code, 'authentication_required');
      fits('the secret for the browser', intent.clientSecret, /_secret_/);
      same('the abandoned payment', (await payments.cancelIntent(intent.id))?.status, 'canceled');
    },
  },
  {
    name: 'a card that is missing, detached or of another customer is refused, and the error names the card',
    async run(account) {
      const { payments } = account;
      const [mine, other, gone] = [
        await account.withCard('pm_card_visa'),
        await account.withCard('pm_card_visa'),
        await account.withCard('pm_card_visa'),
      ];
      await payments.detachCard(gone.card);
      for (const [whose, card, customerId] of [
        ['that is missing', 'pm_conformance0nothing', mine.customerId],
        ['of another customer', other.card, mine.customerId],
        ['that was detached', gone.card, gone.customerId],
      ] as const) {
        const error = await refuses(
          `a card ${whose}`,
          payments.createIntent(intentFor(customerId, newId('pay'), card), newId('conform')),
          {},
        );
        if (!(error instanceof PaymentRefused)) throw new Error(`A card ${whose} is ${error.name}: ${error.message}`);
      }
    },
  },
  {
    name: 'a card is saved in a browser, made the default, and detached; each can be repeated',
    async run(account) {
      const { payments, stripe } = account;
      const customerId = await account.customer();
      const key = newId('conform');
      const metadata = { user_id: 'usr_conformance' };
      const { id, clientSecret } = await payments.createSetup(customerId, metadata, key);
      fits('the secret for the browser', clientSecret, /^seti_\w+_secret_\w+$/);
      same('the same again', (await payments.createSetup(customerId, metadata, key)).id, id);
      const { status, payment_method: kept } = await stripe.setupIntents.confirm(id, {
        payment_method: 'pm_card_visa',
      });
      same('the status', status, 'succeeded');
      const card = typeof kept === 'string' ? kept : '';
      same('the card', (await payments.findCard(card))?.customerId, customerId);
      same(
        'the cards',
        (await payments.listCards(customerId)).map((one) => one.id),
        [card],
      );
      for (let again = 0; again < 2; again++) await payments.setDefaultCard(customerId, card);
      const customer = await stripe.customers.retrieve(customerId);
      if (customer.deleted) throw new Error('the customer is deleted');
      same('the default card', customer.invoice_settings.default_payment_method, card);
      for (let again = 0; again < 2; again++) await payments.detachCard(card);
      same('the customer of the detached card', (await payments.findCard(card))?.customerId, null);
      same('the cards that are left', await payments.listCards(customerId), []);
      same('a missing card', await payments.findCard('pm_conformance0nothing'), null);
    },
  },
  {
    name: 'partial refunds work, up to the amount of the payment',
    async run(account) {
      const { payments } = account;
      const { intent } = await paid(account);
      const back = (amountCents: number, refundId = newId('refund')) =>
        payments.createRefund({ intentId: intent.id, amountCents, refundId }, `refund:${refundId}`);
      const first = await back(400);
      same(
        'the first refund',
        [first.intentId, first.amountCents, first.currency, first.failure],
        [intent.id, 400, 'usd', null],
      );
      same('what is found', (await payments.findRefund(first.id))?.metadata, first.metadata);
      const denied = await refuses('more than is left', back(601), {});
      if (!(denied instanceof RefundDenied))
        throw new Error(`A refund above the rest fails with ${denied.name}: ${denied.message}`);
      const rest = await back(600);
      same(
        'the refunds',
        (await payments.listRefunds(intent.id)).map(({ id }) => id).sort(),
        [first.id, rest.id].sort(),
      );
      const none = await refuses('a refund without a rest', back(1), {});
      if (!(none instanceof RefundDenied))
        throw new Error(`A refund without a rest fails with ${none.name}: ${none.message}`);
      same('a missing refund', await payments.findRefund('re_conformance0nothing'), null);
    },
  },
  {
    name: 'a disputed payment cannot be refunded',
    async run(account) {
      const { payments, stripe } = account;
      const { customerId } = await account.withCard('pm_card_visa');
      const { id } = await payments.createIntent(intentFor(customerId, newId('pay')), newId('conform'));
      await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_createDispute', return_url: RETURN_URL });
      const { id: disputeId } = await comes(
        'the dispute',
        async () => (await stripe.disputes.list({ payment_intent: id })).data[0],
      );
      const dispute = await payments.findDispute(disputeId);
      same('the dispute', [dispute?.intentId, dispute?.amountCents, dispute?.reason], [id, CENTS, 'fraudulent']);
      fits('its status', dispute?.status, /^(needs_response|under_review)$/);
      const denied = await refuses(
        'a refund of it',
        payments.createRefund({ intentId: id, amountCents: 1, refundId: 'x' }, newId('conform')),
        {},
      );
      if (!(denied instanceof RefundDenied))
        throw new Error(`A refund of a disputed payment fails with ${denied.name}: ${denied.message}`);
      same('a missing dispute', await payments.findDispute('dp_conformance0nothing'), null);
    },
  },
  {
    name: 'events name their object, and undelivered events can be listed',
    async run(account) {
      const { payments, stripe } = account;
      const since = new Date(Date.now() - 60_000);
      const { intent } = await paid(account);
      const told = await comes('the event', async () =>
        (await stripe.events.list({ type: 'payment_intent.succeeded', limit: 20 })).data.find(
          ({ data }) => (data.object as { id?: string }).id === intent.id,
        ),
      );
      same('the event read from a webhook', parseStripeEvent(Buffer.from(JSON.stringify(told))), {
        id: told.id,
        type: 'payment_intent.succeeded',
        objectId: intent.id,
        intentId: intent.id,
      });
      for (const { id, type } of await payments.listUndeliveredEvents(since)) {
        fits('the id of an undelivered event', id, /^evt_\w+$/);
        fits('its type', type, /^[a-z_.]+$/);
      }
    },
  },
  {
    name: 'the balance lists each payment and refund with its payment',
    async run(account) {
      const { payments } = account;
      const from = new Date(Date.now() - 60_000);
      const { intent } = await paid(account);
      const refund = await payments.createRefund(
        { intentId: intent.id, amountCents: 100, refundId: newId('refund') },
        newId('conform'),
      );
      const movements = await comes('the movements', async () => {
        const all: BalanceMovement[] = [];
        for await (const page of payments.listBalanceMovements(from, new Date(Date.now() + 60_000))) all.push(...page);
        const own = all.filter(({ intentId }) => intentId === intent.id);
        return own.length > 1 ? own : undefined;
      });
      same('their kinds', movements.map(({ kind }) => kind).sort(), ['payment', 'refund']);
      same('the refund', movements.find(({ kind }) => kind === 'refund')?.objectId, refund.id);
      same('its cents', movements.find(({ kind }) => kind === 'refund')?.amountCents, 100);
      same(
        'the cents of the payment',
        movements.find(({ kind }) => kind === 'payment')?.amountCents,
        intent.amountCents,
      );
    },
  },
  {
    name: 'a customer gets a portal page of their own',
    async run(account) {
      const { payments } = account;
      const url = await payments.createPortalUrl(await account.customer(), RETURN_URL, newId('conform'));
      fits('the address', url, /^https?:\/\/\S+$/);
    },
  },
  {
    name: 'deleting a customer deletes the cards, and later calls fail with an error that names the customer',
    async run(account) {
      const { payments, stripe } = account;
      const { customerId, card } = await account.withCard('pm_card_visa');
      const paymentId = newId('pay');
      const since = new Date(Date.now() - 60_000);
      const open = await payments.createIntent(intentFor(customerId, paymentId), newId('conform'));
      const setup = await payments.createSetup(customerId, { user_id: 'usr_conformance' }, newId('conform'));
      same('hasCustomer for an existing customer', await payments.hasCustomer(customerId), true);
      for (let again = 0; again < 2; again++) await payments.deleteCustomer(customerId);
      same('hasCustomer after the deletion', await payments.hasCustomer(customerId), false);
      same('the deleted flag of the customer', (await stripe.customers.retrieve(customerId)).deleted, true);
      same('the customer of the card', (await payments.findCard(card))?.customerId ?? null, null);
      same('the cards', await payments.listCards(customerId), []);
      await goneCalls(account, customerId, card);
      same('the customer of the earlier payment', (await payments.findIntent(open.id))?.customerId, customerId);
      await payments.findIntentByPayment(customerId, paymentId, since);
      same('the earlier payment after it was canceled', (await payments.cancelIntent(open.id))?.status, 'canceled');
      await payments.cancelSetup(setup.id);
      await payments.cancelSetups(customerId);
      await comes('the event', async () =>
        (await stripe.events.list({ type: 'customer.deleted', limit: 20 })).data.find(
          ({ data }) => (data.object as { id?: string }).id === customerId,
        ),
      );
    },
  },
  {
    name: 'missing objects, such as deleted test data, are reported as missing, not as errors',
    async run(account) {
      const { payments } = account;
      const nobody = 'cus_conformance0nothing';
      same('hasCustomer for a missing customer', await payments.hasCustomer(nobody), false);
      await goneCalls(account, nobody, 'pm_conformance0nothing');
      await payments.deleteCustomer(nobody);
      await payments.cancelSetups(nobody);
      await payments.cancelSetup('seti_conformance0nothing');
      await payments.detachCard('pm_conformance0nothing');
      same('the cards', await payments.listCards(nobody), []);
      same('a payment of the customer', await payments.findIntentByPayment(nobody, newId('pay'), new Date()), null);
      same('a payment that is canceled', await payments.cancelIntent('pi_conformance0nothing'), null);
      same('the refunds of a payment', await payments.listRefunds('pi_conformance0nothing'), []);
      const { customerId } = await account.withCard('pm_card_visa');
      same('a card that is chosen', await payments.setDefaultCard(customerId, 'pm_conformance0nothing'), false);
      same('hasCustomer for an existing customer', await payments.hasCustomer(customerId), true);
    },
  },
];

/** Checks that each call for a missing customer fails with CustomerMissing. */
async function goneCalls({ payments }: ConformanceAccount, customerId: string, card: string): Promise<void> {
  const key = () => newId('conform');
  for (const [what, call] of [
    ['a profile', () => payments.updateCustomer(customerId, { name: null, country: null }, key())],
    ['a payment', () => payments.createIntent(intentFor(customerId, newId('pay')), key())],
    ['a card to save', () => payments.createSetup(customerId, { user_id: 'usr_conformance' }, key())],
    ['the portal', () => payments.createPortalUrl(customerId, RETURN_URL, key())],
    ['a card that is chosen', () => payments.setDefaultCard(customerId, card)],
  ] as const) {
    const error = await refuses(what, call(), {});
    if (!(error instanceof CustomerMissing))
      throw new Error(`For a deleted customer, ${what} is ${error.name}: ${error.message}`);
  }
  // Stripe can check the card first.
  const error = await refuses(
    'a payment by the card',
    payments.createIntent(intentFor(customerId, newId('pay'), card), key()),
    {},
  );
  if (!(error instanceof CustomerMissing || error instanceof PaymentRefused)) throw error;
}
