import { StripePaymentProvider } from '@platform/billing';
import { newId } from '@platform/platform';
import { Registry } from 'prom-client';
import Stripe from 'stripe';
import { STRIPE_PUBLISHABLE_KEY, STRIPE_SECRET_KEY } from '../../libs/testing/src/stripe/keys.js';
import { FakeStripe } from '../../libs/testing/src/stripe/fake-stripe.js';

const STRIPE_URL = 'https://api.stripe.com';

/** A Stripe account in test mode, or the fake of Stripe. The same checks run against both. */
export class ConformanceAccount {
  private readonly customers: string[] = [];

  private constructor(
    /** Name in the output. */
    readonly name: string,
    /** The adapter that the platform uses for payments. */
    readonly payments: StripePaymentProvider,
    /**
     * Stripe's own client, for actions of browsers and sellers, and for calls that the adapter does
     * not offer.
     */
    readonly stripe: Stripe,
    /** Null if the account is a real one at Stripe. */
    readonly fake: FakeStripe | null,
  ) {}

  static async ofFake(): Promise<ConformanceAccount> {
    const fake = await FakeStripe.start();
    return new ConformanceAccount(
      'the fake',
      adapter(fake.url, STRIPE_SECRET_KEY),
      client(fake.url, STRIPE_SECRET_KEY),
      fake,
    );
  }

  /** @throws Error for a live key, or for a text that is not a Stripe key. */
  static ofStripe(secretKey: string): ConformanceAccount {
    assertTestKey(secretKey);
    return new ConformanceAccount(
      "Stripe's test mode",
      adapter(STRIPE_URL, secretKey),
      client(STRIPE_URL, secretKey),
      null,
    );
  }

  /** Creates a customer for one check only. `close` deletes it. */
  async customer(key = newId('conform')): Promise<string> {
    const id = await this.payments.createCustomer(
      { userId: 'usr_conformance', email: 'conformance@example.com', name: null, country: 'AT' },
      key,
    );
    if (!this.customers.includes(id)) this.customers.push(id);
    return id;
  }

  /** Creates a customer with a saved card, from the id of a test card. */
  async withCard(testCard: string): Promise<{ customerId: string; card: string }> {
    const customerId = await this.customer();
    const { id: card } = await this.stripe.paymentMethods.attach(testCard, { customer: customerId });
    return { customerId, card };
  }

  /**
   * Deletes the customers with their cards. Payments, refunds and disputes stay: Stripe cannot
   * delete them.
   */
  async close(): Promise<void> {
    for (const id of this.customers) await this.payments.deleteCustomer(id).catch(() => undefined);
    this.payments.close();
    await this.fake?.stop();
  }
}

/** @throws Error unless the key is of Stripe's test mode: a check must never move real money. */
export function assertTestKey(secretKey: string): void {
  if (/^[sr]k_live_/.test(secretKey))
    throw new Error(
      'STRIPE_SECRET_KEY is a live key, which moves real money. Use a key of the test mode: sk_test_… or rk_test_….',
    );
  if (!/^[sr]k_test_\w+$/.test(secretKey))
    throw new Error('STRIPE_SECRET_KEY is not a key of the test mode: sk_test_… or rk_test_….');
}

const adapter = (apiUrl: string, secretKey: string): StripePaymentProvider =>
  new StripePaymentProvider({ apiUrl, secretKey, publishableKey: STRIPE_PUBLISHABLE_KEY, metrics: new Registry() });

function client(url: string, secretKey: string): Stripe {
  const { hostname, port, protocol } = new URL(url);
  return new Stripe(secretKey, {
    apiVersion: '2026-10-28.endive',
    host: hostname,
    ...(port && { port }),
    protocol: protocol === 'http:' ? 'http' : 'https',
    maxNetworkRetries: 2,
    telemetry: false,
  });
}
