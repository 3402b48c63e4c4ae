import { PaymentProvider } from '@platform/billing';
import type { SetupResponse } from '@platform/contracts';
import { STRIPE_PUBLISHABLE_KEY, StripeStandIn, until } from '@platform/testing';
import { GatewayTest } from './gateway.js';
import { HELD_BACK } from './stored.js';

/** Queues whose jobs are not done soon: there is no host of extensions either. */
const NOT_SOON = [...HELD_BACK, 'events-to-host'];

/** The gateway with a Stripe that it calls, and that tells it what happens. */
export class GatewayWithPayments {
  private constructor(
    readonly gateway: GatewayTest,
    readonly stripe: StripeStandIn,
  ) {}

  static async start(env: NodeJS.ProcessEnv = {}): Promise<GatewayWithPayments> {
    const stripe = await StripeStandIn.start();
    const gateway = await GatewayTest.start({ STRIPE_API_URL: stripe.url, ...env });
    stripe.webhooks.settings.url = `${gateway.service.url}/v1/webhooks/stripe`;
    return new GatewayWithPayments(gateway, stripe);
  }

  /** What the form in a browser does with the secret that it has: a payment, or a card that is saved. Returns its status, or the code of the refusal. */
  async pay(intentId: string, clientSecret: string, card = 'pm_card_visa'): Promise<string> {
    const kind = intentId.startsWith('seti_') ? 'setup_intents' : 'payment_intents';
    const answer = await fetch(`${this.stripe.url}/v1/${kind}/${intentId}/confirm`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${STRIPE_PUBLISHABLE_KEY}`, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ payment_method: card, client_secret: clientSecret }),
    });
    const { status, error } = (await answer.json()) as { status?: string; error?: { code?: string } };
    return status ?? error?.code ?? 'refused';
  }

  /** Gives the user another card instead of those that they have, as a browser does. It pays without them from now on. */
  async replaceCard(userId: string, card: string): Promise<void> {
    const acting = this.gateway.actingFor(userId);
    // By id: the provider tells when a card was saved in whole seconds.
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
    const rows = await this.gateway.service.query<{ id: string }>('SELECT id FROM payment_methods WHERE user_id = $1', [userId]);
    return rows.map(({ id }) => id);
  }

  /** Waits until the provider is called again, after faults. */
  async circuitCloses(): Promise<void> {
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

  /** It is now this moment, by the time of billing. */
  async setTime(moment: string): Promise<void> {
    await this.gateway.service.query('UPDATE billing_clock SET ahead = $1::timestamptz - now()', [moment]);
  }

  /** Waits until each event that was sent has had its effect, with the jobs that it caused, their events and so on. A job that waits for its retry is not waited for. */
  async settled(): Promise<void> {
    for (let isQuiet = false; !isQuiet;) {
      await this.stripe.webhooks.settled();
      await until(() => this.isIdle());
      // A job may have called the provider, which tells of that.
      isQuiet = this.stripe.webhooks.isSettled && (await this.isIdle());
    }
  }

  /** From now on the provider tells of nothing; it has told all that was before. */
  async silence(): Promise<void> {
    await this.settled();
    this.stripe.webhooks.settings.copies = 0;
  }

  /** An entry of the outbox goes when its handler has ended. */
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
