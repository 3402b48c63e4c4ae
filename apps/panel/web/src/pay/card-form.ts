import type { PaymentToMake } from '../lib/payment-handover.js';
import {
  appearance,
  loadStripe,
  type Answer,
  type Elements,
  type PaymentElement,
  type Stripe,
  type StripeError,
} from './stripe-js.js';

/**
 * `over`: paid, saved or processing. `canceled`: can no longer be paid. `open`: waits for a card.
 */
export type IntentState = 'over' | 'canceled' | 'open';

const UNKNOWN = 'Something went wrong, and nothing was paid. Try again.';

/** Stripe's form for a payment, or for a card to save. */
export class CardForm {
  private elements: Elements | null = null;
  private element: PaymentElement | null = null;

  private constructor(
    private readonly stripe: Stripe,
    private readonly payment: PaymentToMake,
  ) {}

  /** Loads Stripe's script. @throws Error if it cannot be loaded. */
  static async load(payment: PaymentToMake): Promise<CardForm> {
    return new CardForm(await loadStripe(payment.publishableKey), payment);
  }

  /**
   * Returns the current state of the payment. If the bank asked for a confirmation that was not
   * given, it is asked for again.
   *
   * @throws Error if Stripe cannot be reached or does not know the payment.
   */
  async look(): Promise<IntentState> {
    const answer = await this.retrieve();
    const status = statusOf(answer);
    if (status === undefined) throw new Error(answer.error?.message ?? UNKNOWN);
    if (status !== 'requires_action') return stateOf(status);
    return stateOf(statusOf(await this.stripe.handleNextAction({ clientSecret: this.payment.clientSecret })));
  }

  /** Shows the card fields; resolves when they can be used. @throws Error if they do not load. */
  mount(place: HTMLElement): Promise<void> {
    this.elements = this.stripe.elements({
      clientSecret: this.payment.clientSecret,
      locale: 'en',
      appearance: appearance(),
    });
    // Only cards, since only cards can be saved. Wallets would also need a wider policy for this
    // page.
    this.element = this.elements.create('payment', {
      layout: 'tabs',
      wallets: { applePay: 'never', googlePay: 'never', link: 'never' },
    });
    const { element } = this;
    return new Promise((done, failed) => {
      element.on('ready', done);
      element.on('loaderror', () => failed(new Error(UNKNOWN)));
      element.mount(place);
    });
  }

  destroy(): void {
    this.element?.destroy();
  }

  /**
   * Pays or saves the card; Stripe shows the bank's questions (3-D Secure). Resolves to an error
   * message for people, or null on success, also if it was paid in another tab.
   *
   * @throws Error if Stripe cannot be reached, or the payment then cannot be looked up.
   */
  async confirm(): Promise<string | null> {
    const { elements, payment, stripe } = this;
    if (!elements) return UNKNOWN;
    const checked = await elements.submit();
    if (checked.error) return textOf(checked.error);
    const options = { elements, redirect: 'if_required' } as const;
    const { error } = await (payment.kind === 'payment'
      ? stripe.confirmPayment(options)
      : stripe.confirmSetup(options));
    if (!error) return null;
    // For example, the payment was paid in another tab.
    if (error.code?.endsWith('_unexpected_state')) return (await this.look()) === 'over' ? null : UNKNOWN;
    return textOf(error);
  }

  private retrieve(): Promise<Answer> {
    const { kind, clientSecret } = this.payment;
    return kind === 'payment'
      ? this.stripe.retrievePaymentIntent(clientSecret)
      : this.stripe.retrieveSetupIntent(clientSecret);
  }
}

const statusOf = ({ paymentIntent, setupIntent }: Answer): string | undefined =>
  paymentIntent?.status ?? setupIntent?.status;

function stateOf(status: string | undefined): IntentState {
  if (status === 'canceled') return 'canceled';
  return status === 'succeeded' || status === 'processing' || status === 'requires_capture' ? 'over' : 'open';
}

/**
 * Message of an error for people. Only Stripe's messages about cards are written for people; other
 * errors get a general text, since users cannot fix them.
 */
const textOf = ({ type, message }: StripeError): string =>
  (['card_error', 'validation_error'].includes(type) ? message : undefined) ?? UNKNOWN;
