import type { PaymentToMake } from '../lib/payment-handover.js';
import { appearance, loadStripe, type Answer, type Elements, type PaymentElement, type Stripe, type StripeError } from './stripe-js.js';

/** `over`: paid, kept, or on its way. `canceled`: it cannot be paid any more. `open`: it waits for a card. */
export type IntentState = 'over' | 'canceled' | 'open';

const UNKNOWN = 'Something went wrong, and nothing was paid. Try again.';

/** Stripe's form for one payment, or for a card that is kept. */
export class CardForm {
  private elements: Elements | null = null;
  private element: PaymentElement | null = null;

  private constructor(
    private readonly stripe: Stripe,
    private readonly payment: PaymentToMake,
  ) {}

  /** @throws Error where Stripe's script cannot be loaded. */
  static async load(payment: PaymentToMake): Promise<CardForm> {
    return new CardForm(await loadStripe(payment.publishableKey), payment);
  }

  /**
   * How it is by now. What the bank asked before, and was not answered, is asked once more.
   *
   * @throws Error where Stripe cannot be asked.
   */
  async look(): Promise<IntentState> {
    const answer = await this.retrieve();
    const status = statusOf(answer);
    if (status === undefined) throw new Error(answer.error?.message ?? UNKNOWN);
    if (status !== 'requires_action') return stateOf(status);
    return stateOf(statusOf(await this.stripe.handleNextAction({ clientSecret: this.payment.clientSecret })));
  }

  /** Draws the fields of the card; resolves when one can type into them. */
  mount(place: HTMLElement): Promise<void> {
    this.elements = this.stripe.elements({ clientSecret: this.payment.clientSecret, locale: 'en', appearance: appearance() });
    // Cards alone are kept for later; wallets would need more than the policy of this page lets them.
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

  /** Pays, or keeps the card; Stripe shows what the bank asks (3-D Secure). Resolves to why it did not work, for people, or null. */
  async confirm(): Promise<string | null> {
    const { elements, payment, stripe } = this;
    if (!elements) return UNKNOWN;
    const checked = await elements.submit();
    if (checked.error) return textOf(checked.error);
    const options = { elements, redirect: 'if_required' } as const;
    const { error } = await (payment.kind === 'payment' ? stripe.confirmPayment(options) : stripe.confirmSetup(options));
    if (!error) return null;
    // As where it was paid in another tab meanwhile.
    if (error.code?.endsWith('_unexpected_state')) return (await this.look()) === 'over' ? null : UNKNOWN;
    return textOf(error);
  }

  private retrieve(): Promise<Answer> {
    const { kind, clientSecret } = this.payment;
    return kind === 'payment' ? this.stripe.retrievePaymentIntent(clientSecret) : this.stripe.retrieveSetupIntent(clientSecret);
  }
}

const statusOf = ({ paymentIntent, setupIntent }: Answer): string | undefined => paymentIntent?.status ?? setupIntent?.status;

function stateOf(status: string | undefined): IntentState {
  if (status === 'canceled') return 'canceled';
  return status === 'succeeded' || status === 'processing' || status === 'requires_capture' ? 'over' : 'open';
}

/** Stripe writes for people what is wrong with a card; what else is wrong they cannot mend. */
const textOf = ({ type, message }: StripeError): string =>
  (['card_error', 'validation_error'].includes(type) ? message : undefined) ?? UNKNOWN;
