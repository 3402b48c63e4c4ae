import { PaymentProvider } from '@platform/billing';
import type { SetupResponse } from '@platform/contracts';
import { STRIPE_PUBLISHABLE_KEY, FakeStripe, until } from '@platform/testing';
import { GatewayTest } from './gateway-test.js';
import { QUEUES_LEFT_WAITING } from './stored-rows.js';

/**
 * Queues that `settled` does not wait for. There is no extension host, so events to it stay queued.
 */
const NOT_SOON = [...QUEUES_LEFT_WAITING, 'events-to-host'];

/** The gateway with a fake of Stripe that it calls, and that sends it webhooks. */
export class GatewayWithPayments {
  private constructor(
    readonly gateway: GatewayTest,
    readonly stripe: FakeStripe,
  ) {}

  static async start(env: NodeJS.ProcessEnv = {}): Promise<GatewayWithPayments> {
    const stripe = await FakeStripe.start();
    const gateway = await GatewayTest.start({ STRIPE_API_URL: stripe.url, ...env });
    stripe.webhooks.settings.url = `${gateway.service.url}/v1/webhooks/stripe`;
    return new GatewayWithPayments(gateway, stripe);
  }

  /**
   * Confirms a payment or a card setup with the client secret, as the form in the browser does.
   * Returns the status, or the code of the refusal.
   */
  async pay(intentId: string, clientSecret: string, card = 'pm_card_visa'): Promise<string> {
    const kind = intentId.startsWith('seti_') ? 'setup_intents' : 'payment_intents';
    const answer = await fetch(`${this.stripe.url}/v1/${kind}/${intentId}/confirm`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${STRIPE_PUBLISHABLE_KEY}`,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ payment_method: card, client_secret: clientSecret }),
    });
    const { status, error } = (await answer.json()) as { status?: string; error?: { code?: string } };
    return status ?? error?.code ?? 'refused';
  }

  /**
   * Replaces the user's cards by this one, as a browser does. The card needs no authentication for
   * later payments.
   */
  async replaceCard(userId: string, card: string): Promise<void> {
    const acting = this.gateway.actingFor(userId);
    // Found by id, because the provider gives the time of saving only in whole seconds.
    const before = await this.cardsOf(userId);
    const { body } = await acting.post<SetupResponse>('/v1/billing/payment-methods/setup');
    if ((await this.pay(body.setup_intent_id, body.client_secret, card)) === 'requires_action')
      this.stripe.authenticate(body.setup_intent_id);
    await this.settled();
    const saved = (await this.cardsOf(userId)).find((id) => !before.includes(id));
    const { status } = await acting.put(`/v1/billing/payment-methods/${saved}/default`);
    if (status !== 200) throw new Error(`The new card is not the default: ${status}`);
  }

  private async cardsOf(userId: string): Promise<string[]> {
    const rows = await this.gateway.service.query<{ id: string }>('SELECT id FROM payment_methods WHERE user_id = $1', [
      userId,
    ]);
    return rows.map(({ id }) => id);
  }

  /** Waits until the gateway calls the provider again after faults. */
  async waitForCircuit(): Promise<void> {
    const { app } = this.gateway.service;
    await until(() =>
      app
        .get(PaymentProvider)
        .findIntent('pi_nobody')
        .then(
          () => true,
          () => false,
        ),
    );
  }

  /** Sets the clock of billing to this moment. */
  async setTime(moment: string): Promise<void> {
    await this.gateway.service.query('UPDATE billing_clock SET ahead = $1::timestamptz - now()', [moment]);
  }

  /**
   * Waits until all sent webhooks are handled, with the jobs and webhooks that follow. Does not
   * wait for the retry of a job.
   */
  async settled(): Promise<void> {
    for (let isQuiet = false; !isQuiet;) {
      await this.stripe.webhooks.waitUntilSettled();
      await until(() => this.isIdle());
      // A job may have called the provider, which then sends more webhooks.
      isQuiet = this.stripe.webhooks.isSettled && (await this.isIdle());
    }
  }

  /** Waits until all webhooks are handled, then stops the provider from sending any. */
  async stopWebhooks(): Promise<void> {
    await this.settled();
    this.stripe.webhooks.settings.copies = 0;
  }

  /**
   * True if no event and no due job is open. The entry of a job is deleted when its handler has
   * ended.
   */
  private async isIdle(): Promise<boolean> {
    const [{ open } = { open: true }] = await this.gateway.service.query<{ open: boolean }>(
      `SELECT EXISTS (SELECT FROM inbound_events WHERE handled_at IS NULL) OR EXISTS (
         SELECT FROM outbox WHERE failed_at IS NULL AND (due_at IS NULL OR due_at <= now()) AND queue <> ALL ($1) AND NOT payload @> '{"deferred": true}') AS open`,
      [NOT_SOON],
    );
    return !open;
  }

  async stop(): Promise<void> {
    await this.gateway.stop();
    await this.stripe.stop();
  }
}
