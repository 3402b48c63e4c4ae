/**
 * Stripe's script, named after the API version of the gateway. Stripe requires loading it from this
 * address, not from a copy.
 */
const SCRIPT = 'https://js.stripe.com/endive/stripe.js';
const TIMEOUT_MS = 20_000;

/** The used parts of https://docs.stripe.com/js. */
export interface Stripe {
  elements: (options: { clientSecret: string; locale: 'en'; appearance: Appearance }) => Elements;
  retrievePaymentIntent: (clientSecret: string) => Promise<Answer>;
  retrieveSetupIntent: (clientSecret: string) => Promise<Answer>;
  confirmPayment: (options: { elements: Elements; redirect: 'if_required' }) => Promise<Answer>;
  confirmSetup: (options: { elements: Elements; redirect: 'if_required' }) => Promise<Answer>;
  handleNextAction: (options: { clientSecret: string }) => Promise<Answer>;
}

export interface Elements {
  create: (type: 'payment', options: PaymentElementOptions) => PaymentElement;
  submit: () => Promise<{ error?: StripeError }>;
}

export interface PaymentElement {
  mount: (place: HTMLElement) => void;
  destroy: () => void;
  on: (event: 'ready' | 'loaderror', handler: () => void) => void;
}

interface PaymentElementOptions {
  layout: 'tabs';
  wallets: { applePay: 'never'; googlePay: 'never'; link: 'never' };
}

export interface Appearance {
  theme: 'stripe' | 'night';
  variables: Record<string, string>;
}

export interface StripeError {
  type: string;
  code?: string;
  message?: string;
}

export interface Answer {
  paymentIntent?: { status: string };
  setupIntent?: { status: string };
  error?: StripeError;
}

declare global {
  interface Window {
    Stripe?: (publishableKey: string) => Stripe;
  }
}

/**
 * Loads Stripe's script and starts it with the key. @throws Error if it does not load within 20 s:
 * no network, or the browser blocks it.
 */
export function loadStripe(publishableKey: string): Promise<Stripe> {
  return new Promise((done, failed) => {
    const script = document.createElement('script');
    const fail = () => {
      script.remove();
      failed(new Error('Stripe.js did not load.'));
    };
    const timer = setTimeout(fail, TIMEOUT_MS);
    script.src = SCRIPT;
    script.onerror = () => {
      clearTimeout(timer);
      fail();
    };
    script.onload = () => {
      clearTimeout(timer);
      if (window.Stripe) done(window.Stripe(publishableKey));
      else fail();
    };
    document.head.append(script);
  });
}

/** Colours and corners of this page, for the fields that Stripe shows in its own frames. */
export function appearance(): Appearance {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string) => style.getPropertyValue(name).trim();
  return {
    theme: window.matchMedia('(prefers-color-scheme: dark)').matches ? 'night' : 'stripe',
    variables: {
      colorPrimary: of('--primary'),
      colorBackground: of('--card'),
      colorText: of('--card-foreground'),
      colorTextSecondary: of('--muted-foreground'),
      colorDanger: of('--destructive'),
      borderRadius: '8px',
      fontFamily: 'Inter, system-ui, sans-serif',
    },
  };
}
