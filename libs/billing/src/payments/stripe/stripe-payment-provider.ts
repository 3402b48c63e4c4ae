import { ServiceCalls } from '@platform/platform';
import type { Registry as Metrics } from 'prom-client';
import type Stripe from 'stripe';
import {
  CURRENCY,
  CustomerMissing,
  PaymentProvider,
  PaymentRefused,
  RefundDenied,
  type BalanceMovement,
  type NewCustomer,
  type NewPaymentIntent,
  type NewRefund,
  type PaymentIntent,
  type ProviderDispute,
  type ProviderEvent,
  type ProviderRefund,
  type SavedCard,
} from '../payment-provider.js';
import {
  throwUnavailableIfBusy,
  findRefusal,
  readDeclinedIntent,
  isCardRefused,
  isResourceMissing,
  isOutage,
  hasStripeCode,
  throwWithoutSecrets,
} from './stripe-errors.js';
import { toCard, toDispute, toEvent, toIntent, toMovement, toRefund } from './stripe-objects.js';

export interface StripeOptions {
  /** `https://api.stripe.com`, or the address of a fake. */
  apiUrl: string;
  secretKey: string;
  publishableKey: string;
  metrics: Metrics;
  /** Milliseconds for which calls are refused after five failures in a row. Default: 5,000. */
  probeAfterMs?: number;
  /** Milliseconds for one try. Default: 10,000. */
  timeoutMs?: number;
}

/** API version whose answers `stripe-objects.ts` reads: https://docs.stripe.com/api/versioning. */
const API_VERSION = '2026-10-28.endive';
const TRY_TIMEOUT_MS = 10_000;
/** Retries of stripe-node after lost connections, 409 and 5xx, with the same idempotency key. */
const RETRIES = 2;
/** Milliseconds for a call with all its tries. */
const CALL_TIMEOUT_MS = 25_000;
/** Most items of a list, newest first. Stripe returns no more in one page. */
const MOST_LOOKED_AT = 100;
const MOST_SETUP_PAGES = 10;

/**
 * Payments by Stripe. The library is loaded with the first call: it needs 20 MB of memory, and a
 * gateway without payments never loads it.
 */
export class StripePaymentProvider extends PaymentProvider {
  readonly publishableKey: string;
  readonly isLive: boolean;
  private readonly calls: ServiceCalls;
  private loaded: Promise<Stripe> | undefined;

  constructor(private readonly options: StripeOptions) {
    super();
    const { publishableKey, secretKey, metrics, probeAfterMs, apiUrl } = options;
    this.publishableKey = publishableKey;
    this.isLive = /^[sr]k_live_/.test(secretKey);
    this.calls = new ServiceCalls({
      service: 'payment_provider',
      metrics,
      probeAfterMs,
      isOutage,
      // Stripe refuses this request because it has no key. That is an answer, so Stripe is
      // available.
      isReady: (signal) =>
        fetch(`${apiUrl}/v1/charges`, { method: 'GET', signal }).then((answer) => answer.body?.cancel()),
    });
  }

  /** Stops checking whether an unavailable provider is back. */
  close(): void {
    this.calls.close();
  }

  async createCustomer({ userId, email, name, country }: NewCustomer, key: string): Promise<string> {
    const customer = await this.call('createCustomer', (stripe) =>
      stripe.customers.create(
        { email, ...(name && { name }), ...(country && { address: { country } }), metadata: { user_id: userId } },
        { idempotencyKey: key },
      ),
    );
    return customer.id;
  }

  async hasCustomer(id: string): Promise<boolean> {
    const customer = await this.call('hasCustomer', (stripe) => stripe.customers.retrieve(id).catch(nullWhenMissing));
    // Stripe still returns a deleted customer: https://docs.stripe.com/api/customers/delete.
    return customer !== null && !customer.deleted;
  }

  async updateCustomer(
    customerId: string,
    { name, country }: Pick<NewCustomer, 'name' | 'country'>,
    key: string,
  ): Promise<void> {
    await this.callForCustomer(customerId, 'updateCustomer', 'path', (stripe) =>
      // An empty text clears the field: https://docs.stripe.com/api/customers/update.
      stripe.customers.update(
        customerId,
        { name: name ?? '', address: country ? { country } : '' },
        { idempotencyKey: key },
      ),
    );
  }

  async createPortalUrl(customerId: string, returnUrl: string, key: string): Promise<string> {
    const { url } = await this.callForCustomer(customerId, 'portalUrl', 'customer', (stripe) =>
      stripe.billingPortal.sessions.create({ customer: customerId, return_url: returnUrl }, { idempotencyKey: key }),
    );
    return url;
  }

  async deleteCustomer(id: string): Promise<void> {
    await this.call('deleteCustomer', (stripe) => stripe.customers.del(id).catch(nullWhenMissing));
  }

  async createIntent(intent: NewPaymentIntent, key: string): Promise<PaymentIntent> {
    const { amountCents, customerId, description, metadata, keepsCard, paymentMethodId } = intent;
    const made = await this.callForCustomer(customerId, 'createIntent', 'customer', (stripe) =>
      stripe.paymentIntents
        .create(
          {
            amount: amountCents,
            currency: CURRENCY,
            customer: customerId,
            description,
            metadata: { ...metadata },
            // No payment methods with redirects: they return with the secret in the query, and
            // Stripe requires a return address even if the customer is absent.
            automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
            ...(paymentMethodId === undefined
              ? keepsCard && { setup_future_usage: 'off_session' }
              : { payment_method: paymentMethodId, off_session: true, confirm: true }),
            expand: ['latest_charge'],
          },
          { idempotencyKey: key },
        )
        .catch(readDeclinedIntent)
        .catch(async (error: unknown) => {
          const denied = findRefusal(error);
          if (!denied || paymentMethodId === undefined || isResourceMissing(error, 'customer')) throw error;
          // Stripe reports a detached card only in the error's text, without the parameter:
          // https://docs.stripe.com/api/payment_methods/detach.
          if (isCardRefused(error) || !(await isCardOf(stripe, paymentMethodId, customerId)))
            return new PaymentRefused(denied.code);
          throw error;
        }),
    );
    if (made instanceof PaymentRefused) throw made;
    return toIntent(made);
  }

  async findIntent(id: string): Promise<PaymentIntent | null> {
    const intent = await this.call('findIntent', (stripe) =>
      stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] }).catch(nullWhenMissing),
    );
    return intent && toIntent(intent);
  }

  async findIntentByPayment(customerId: string, paymentId: string, since: Date): Promise<PaymentIntent | null> {
    const page = await this.call('findIntentOf', (stripe) =>
      stripe.paymentIntents
        .list({
          customer: customerId,
          created: { gte: Math.floor(since.getTime() / 1_000) },
          limit: MOST_LOOKED_AT,
        })
        .catch(nullWhenMissing),
    );
    const found = page?.data.find(({ metadata }) => metadata['payment_id'] === paymentId);
    return found ? this.findIntent(found.id) : null;
  }

  async cancelIntent(id: string): Promise<PaymentIntent | null> {
    const intent = await this.call('cancelIntent', (stripe) =>
      stripe.paymentIntents.cancel(id, { expand: ['latest_charge'] }).catch(async (error: unknown) => {
        if (hasStripeCode(error, 'payment_intent_unexpected_state'))
          return stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
        return nullWhenMissing(error);
      }),
    );
    return intent && toIntent(intent);
  }

  async createSetup(
    customerId: string,
    metadata: Readonly<Record<string, string>>,
    key: string,
  ): Promise<{ id: string; clientSecret: string }> {
    const { id, client_secret } = await this.callForCustomer(customerId, 'createSetup', 'customer', (stripe) =>
      stripe.setupIntents.create(
        {
          customer: customerId,
          usage: 'off_session',
          automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
          metadata: { ...metadata },
        },
        { idempotencyKey: key },
      ),
    );
    return { id, clientSecret: client_secret ?? '' };
  }

  async cancelSetups(customerId: string): Promise<void> {
    let after: string | undefined;
    for (let page = 0; page < MOST_SETUP_PAGES; page++) {
      const found = await this.call('setupsOf', (stripe) =>
        stripe.setupIntents
          .list({ customer: customerId, limit: MOST_LOOKED_AT, ...(after !== undefined && { starting_after: after }) })
          .catch(nullWhenMissing),
      );
      if (!found) return;
      const { data, has_more: hasMore } = found;
      for (const { id, status } of data) if (status.startsWith('requires_')) await this.cancelSetup(id);
      after = data.at(-1)?.id;
      if (!hasMore) return;
    }
  }

  async cancelSetup(id: string): Promise<void> {
    await this.call('cancelSetup', (stripe) =>
      stripe.setupIntents.cancel(id).catch((error: unknown) => {
        // The set-up has saved a card meanwhile, or is already canceled.
        if (hasStripeCode(error, 'setup_intent_unexpected_state')) return null;
        return nullWhenMissing(error);
      }),
    );
  }

  async findCard(id: string): Promise<SavedCard | null> {
    const method = await this.call('findCard', (stripe) => stripe.paymentMethods.retrieve(id).catch(nullWhenMissing));
    return method && toCard(method);
  }

  async listCards(customerId: string): Promise<SavedCard[]> {
    const page = await this.call('cardsOf', (stripe) =>
      stripe.customers.listPaymentMethods(customerId, { type: 'card', limit: MOST_LOOKED_AT }).catch(nullWhenMissing),
    );
    return page?.data.map(toCard) ?? [];
  }

  async setDefaultCard(customerId: string, cardId: string): Promise<boolean> {
    const changed = await this.callForCustomer(customerId, 'setDefaultCard', 'path', (stripe) =>
      stripe.customers
        .update(customerId, { invoice_settings: { default_payment_method: cardId } })
        .catch((error: unknown) => {
          if (isResourceMissing(error, 'path')) throw error;
          return nullWhenMissing(error);
        }),
    );
    return changed !== null;
  }

  async detachCard(cardId: string): Promise<void> {
    await this.call('detachCard', (stripe) =>
      stripe.paymentMethods.detach(cardId).catch((error: unknown) => {
        if (hasStripeCode(error, 'payment_method_not_attached') || hasStripeCode(error, 'resource_missing'))
          return null;
        throw error;
      }),
    );
  }

  async createRefund({ intentId, amountCents, refundId }: NewRefund, key: string): Promise<ProviderRefund> {
    const made = await this.call('refund', (stripe) =>
      stripe.refunds
        .create(
          { payment_intent: intentId, amount: amountCents, metadata: { refund_id: refundId } },
          { idempotencyKey: key },
        )
        .catch((error: unknown) => {
          const denied = findRefusal(error);
          if (denied) return new RefundDenied(denied.message);
          throw error;
        }),
    );
    if (made instanceof RefundDenied) throw made;
    return toRefund(made);
  }

  async findRefund(id: string): Promise<ProviderRefund | null> {
    const refund = await this.call('findRefund', (stripe) => stripe.refunds.retrieve(id).catch(nullWhenMissing));
    return refund && toRefund(refund);
  }

  async listRefunds(intentId: string): Promise<ProviderRefund[]> {
    const page = await this.call('refundsOf', (stripe) =>
      stripe.refunds.list({ payment_intent: intentId, limit: MOST_LOOKED_AT }).catch(nullWhenMissing),
    );
    return page?.data.map(toRefund) ?? [];
  }

  async findDispute(id: string): Promise<ProviderDispute | null> {
    const dispute = await this.call('findDispute', (stripe) => stripe.disputes.retrieve(id).catch(nullWhenMissing));
    return dispute && toDispute(dispute);
  }

  /**
   * Returns all events since `since` that Stripe could not deliver, oldest first. Reads all pages,
   * each with its own call: after an outage there can be thousands of events, and nothing else
   * reports those beyond the first page.
   */
  async listUndeliveredEvents(since: Date): Promise<ProviderEvent[]> {
    const created = { gte: Math.floor(since.getTime() / 1_000) };
    const events: ProviderEvent[] = [];
    for (;;) {
      const last = events.at(-1);
      const page = await this.call('undeliveredEvents', (stripe) =>
        stripe.events.list({
          delivery_success: false,
          created,
          limit: MOST_LOOKED_AT,
          ...(last && { starting_after: last.id }),
        }),
      );
      events.push(...page.data.map(toEvent));
      if (!page.has_more) return events.reverse();
    }
  }

  async *listBalanceMovements(from: Date, until: Date): AsyncGenerator<BalanceMovement[]> {
    const [gte, lt] = [from, until].map((time) => Math.floor(time.getTime() / 1_000)) as [number, number];
    for (let after: string | undefined; ;) {
      const page = await this.call('balanceMovements', (stripe) =>
        stripe.balanceTransactions.list({
          created: { gte, lt },
          limit: MOST_LOOKED_AT,
          expand: ['data.source'],
          ...(after !== undefined && { starting_after: after }),
        }),
      );
      yield page.data.flatMap((movement) => toMovement(movement) ?? []);
      after = page.data.at(-1)?.id;
      if (!page.has_more) return;
    }
  }

  /**
   * Makes a call for which the customer must exist. `named` says whether the path or the parameter
   * names the customer.
   *
   * @throws CustomerMissing if Stripe does not have the customer. The errors of `call`.
   */
  private async callForCustomer<T>(
    customerId: string,
    operation: string,
    named: 'path' | 'customer',
    work: (stripe: Stripe) => Promise<T>,
  ): Promise<T> {
    const done = await this.call(operation, (stripe) =>
      work(stripe).catch((error: unknown) => {
        if (isResourceMissing(error, named)) return new CustomerMissing(customerId);
        throw error;
      }),
    );
    if (done instanceof CustomerMissing) throw done;
    return done;
  }

  /**
   * Makes a call to Stripe, within 25 seconds.
   *
   * @throws ServiceUnavailable if Stripe is not available, too slow or busy. StripeFailure for any
   * other error, which is a bug here or a mistake of the configuration.
   */
  private call<T>(operation: string, work: (stripe: Stripe) => Promise<T>): Promise<T> {
    return this.calls
      .callOnce(operation, async () => work(await this.client()).catch(throwWithoutSecrets), {
        timeoutMs: CALL_TIMEOUT_MS,
      })
      .catch(throwUnavailableIfBusy);
  }

  private client(): Promise<Stripe> {
    return (this.loaded ??= this.load());
  }

  private async load(): Promise<Stripe> {
    const { default: Stripe } = await import('stripe');
    const { apiUrl, secretKey, timeoutMs = TRY_TIMEOUT_MS } = this.options;
    const { hostname, port, protocol } = new URL(apiUrl);
    return new Stripe(secretKey, {
      apiVersion: API_VERSION,
      host: hostname,
      ...(port && { port }),
      protocol: protocol === 'http:' ? 'http' : 'https',
      timeout: timeoutMs,
      maxNetworkRetries: RETRIES,
      telemetry: false,
    });
  }
}

function nullWhenMissing(error: unknown): null {
  if (hasStripeCode(error, 'resource_missing')) return null;
  throw error;
}

async function isCardOf(stripe: Stripe, cardId: string, customerId: string): Promise<boolean> {
  const method = await stripe.paymentMethods.retrieve(cardId).catch(nullWhenMissing);
  return method !== null && toCard(method).customerId === customerId;
}
