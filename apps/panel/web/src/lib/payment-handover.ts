import { ownPath } from './own-path.js';

/**
 * Purpose of a payment, so that the page that started it knows the result to wait for. `left` is a
 * payment that was started earlier and is continued.
 */
export type PaymentPurpose = 'topup' | 'plan' | 'card' | 'left';

/** A payment, or a card to save, for `/pay`. */
export interface PaymentToMake {
  kind: 'payment' | 'setup';
  purpose: PaymentPurpose;
  intentId: string;
  /** Secret that allows its holder to pay or save a card for this user. */
  clientSecret: string;
  publishableKey: string;
  /** Description of the payment, for people. */
  title: string;
  /**
   * Email address of the user who started it; another user can sign in in another tab meanwhile.
   */
  payer: string;
  /** Null if only a card is saved. */
  amountCents: number | null;
  /** Path of the panel page to return to. */
  back: string;
  /** Ids that existed before: for a saved card, the other cards. */
  known: string[];
}

/** A payment that `/pay` has completed and the platform may not know yet. */
export type PaymentMade = Pick<PaymentToMake, 'purpose' | 'intentId' | 'known'>;

/**
 * Both documents share the session storage of the tab. Its content is sent to no server and appears
 * in no address, history, log, copied link or `Referer`, unlike a query and partly a fragment. A
 * POST would give the secret to the server of the panel. The storage ends with the tab, and `/pay`
 * removes the secret as soon as possible.
 */
const TO_MAKE = 'payment-to-make';
const MADE = 'payment-made';

/**
 * Stores a payment for `/pay` in this tab, instead of earlier ones, also completed ones. False if
 * the browser refuses storage: then nothing can be paid.
 */
export function storePayment(payment: PaymentToMake): boolean {
  try {
    sessionStorage.removeItem(MADE);
    sessionStorage.setItem(TO_MAKE, JSON.stringify(payment));
    return true;
  } catch {
    return false;
  }
}

export function readPayment(): PaymentToMake | null {
  const stored = read(TO_MAKE) as PaymentToMake | null;
  return stored && { ...stored, back: ownPath(stored.back, window.location.origin) };
}

/**
 * Marks the payment as completed by the provider's form: removes the secret, and stores the facts
 * for the page that started it.
 */
export function finishPayment({ purpose, intentId, known }: PaymentToMake): void {
  const made: PaymentMade = { purpose, intentId, known };
  sessionStorage.setItem(MADE, JSON.stringify(made));
  sessionStorage.removeItem(TO_MAKE);
}

export function readPaymentMade(purpose: PaymentPurpose): PaymentMade | null {
  const made = read(MADE) as PaymentMade | null;
  return made?.purpose === purpose ? made : null;
}

/** Removes open and completed payments of this tab. */
export function forgetPayments(): void {
  try {
    sessionStorage.removeItem(TO_MAKE);
    sessionStorage.removeItem(MADE);
  } catch {
    // A browser without storage has nothing to remove.
  }
}

function read(name: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? 'null') as unknown;
  } catch {
    return null;
  }
}
