import { ownPath } from './own-path.js';

/** What a payment is for, so that the page that began it knows what to wait for. `left` is one that was begun before, and goes on. */
export type PaymentPurpose = 'topup' | 'plan' | 'card' | 'left';

/** What `/pay` has somebody pay, or the card that it keeps. */
export interface PaymentToMake {
  kind: 'payment' | 'setup';
  purpose: PaymentPurpose;
  intentId: string;
  /** Lets who has it pay, or keep a card, for this user. */
  clientSecret: string;
  publishableKey: string;
  /** What is paid, for people. */
  title: string;
  /** The email address of who began it: another tab may sign in somebody else meanwhile. */
  payer: string;
  /** Null of a card that is kept. */
  amountCents: number | null;
  /** The path of the panel that it came from, and goes back to. */
  back: string;
  /** Ids of what there was before: of a card that is kept, the other cards. */
  known: string[];
}

/** What came back from `/pay`, and is not known to the platform yet. */
export type PaymentMade = Pick<PaymentToMake, 'purpose' | 'intentId' | 'known'>;

/**
 * Both documents have the storage of this tab in common. What is in it is sent to no server and is in no address: not in the history, a log,
 * a link that somebody copies, or a `Referer`, as it would be in a query, and in part in a fragment. By a POST the server of the panel would
 * have the secret, too. It ends with the tab, and `/pay` takes it out as soon as it is of no more use.
 */
const TO_MAKE = 'payment-to-make';
const MADE = 'payment-made';

/** Whether the browser keeps it: without its storage nothing can be paid. */
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

/** It was paid, as far as the provider's form knows: the secret goes, and the page that began it finds what to wait for. */
export function finishPayment({ purpose, intentId, known }: PaymentToMake): void {
  const made: PaymentMade = { purpose, intentId, known };
  sessionStorage.setItem(MADE, JSON.stringify(made));
  sessionStorage.removeItem(TO_MAKE);
}

export function readPaymentMade(purpose: PaymentPurpose): PaymentMade | null {
  const made = read(MADE) as PaymentMade | null;
  return made?.purpose === purpose ? made : null;
}

/** Whatever there was to pay in this tab, or was paid. */
export function forgetPayments(): void {
  try {
    sessionStorage.removeItem(TO_MAKE);
    sessionStorage.removeItem(MADE);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}

function read(name: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? 'null') as unknown;
  } catch {
    return null;
  }
}
