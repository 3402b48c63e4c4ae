/** What is bought is priced in US cents. */
export const CURRENCY = 'usd';
/** The provider takes no less at once, and no more. */
export const MIN_PAYMENT_CENTS = 50;
export const MAX_PAYMENT_CENTS = 99_999_999;

/** As Stripe has them: https://docs.stripe.com/payments/paymentintents/lifecycle. */
export type IntentStatus =
  'requires_payment_method' | 'requires_confirmation' | 'requires_action' | 'processing' | 'requires_capture' | 'succeeded' | 'canceled';

/** A payment as the provider knows it at the moment of the question. */
export interface PaymentIntent {
  id: string;
  status: IntentStatus;
  amountCents: number;
  /** What really came. */
  receivedCents: number;
  currency: string;
  customerId: string | null;
  /** Whether real money moves. */
  isLive: boolean;
  /** Lets a browser pay it. Never stored or logged. */
  clientSecret: string | null;
  metadata: Readonly<Record<string, string>>;
  /** Why it was declined the last time; null when it was not. */
  failure: { code: string; message: string } | null;
  /** The charge that was declined the last time; null where the bank was not asked, or did not decline. */
  declinedChargeId: string | null;
  receiptUrl: string | null;
  /** The card that paid, or that is to pay. */
  paymentMethodId: string | null;
}

export interface NewCustomer {
  userId: string;
  email: string;
  name: string | null;
  country: string | null;
}

export interface NewPaymentIntent {
  amountCents: number;
  customerId: string;
  description: string;
  metadata: Readonly<Record<string, string>>;
  /** Keeps the card for payments without the customer. */
  keepsCard: boolean;
  /** A kept card that pays at once, without the customer; absent where a browser is to pay. */
  paymentMethodId?: string;
}

/** A card that is kept for a customer. Its number is known to the provider alone. */
export interface SavedCard {
  id: string;
  /** Whose it is; null once it was removed. */
  customerId: string | null;
  /** `card`, or another word of the provider. */
  type: string;
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
  createdAt: Date;
}

/** As Stripe has them: https://docs.stripe.com/api/refunds/object#refund_object-status. */
export type ProviderRefundStatus = 'pending' | 'requires_action' | 'succeeded' | 'failed' | 'canceled';

/** Money of a customer that moved the seller's balance. The kinds are Stripe's reporting categories: https://docs.stripe.com/reports/reporting-categories. */
export interface BalanceMovement {
  kind: 'payment' | 'refund' | 'refund_failure' | 'dispute' | 'dispute_reversal';
  /** Id of the charge, refund or dispute. */
  objectId: string;
  /** Id of the payment intent; null for a charge without one. */
  intentId: string | null;
  /** Without fees; positive in both directions. */
  amountCents: number;
}

export interface ProviderRefund {
  id: string;
  status: ProviderRefundStatus;
  /** Of the payment; null where it was made without an intent. */
  intentId: string | null;
  amountCents: number;
  currency: string;
  metadata: Readonly<Record<string, string>>;
  /** Why it failed; null when it did not. */
  failure: string | null;
}

export interface NewRefund {
  intentId: string;
  amountCents: number;
  /** Of `payment_refunds`: the provider keeps it with the refund. */
  refundId: string;
}

/** As Stripe has them: https://docs.stripe.com/disputes/how-disputes-work. While one is a `warning` the bank has not taken the money. */
export type DisputeStatus =
  'warning_needs_response' | 'warning_under_review' | 'warning_closed' | 'needs_response' | 'under_review' | 'lost' | 'won' | 'prevented';

export interface ProviderDispute {
  id: string;
  status: DisputeStatus;
  intentId: string | null;
  amountCents: number;
  currency: string;
  /** In words of the provider: `fraudulent`. */
  reason: string;
  createdAt: Date;
}

/** The provider gives nothing back, and never will for this refund: the money has gone back otherwise, or a bank decides about it. */
export class RefundDenied extends Error {}

/** The provider does not take a payment as it was asked for, such as with a card that is gone. It made nothing. */
export class PaymentRefused extends Error {
  override name = 'PaymentRefused';

  constructor(readonly code: string) {
    super(`The provider refuses the payment: ${code}.`);
  }
}

/** The provider has no such customer any more: the seller has deleted it, or all test data. Nothing was made. */
export class CustomerGone extends Error {
  override name = 'CustomerGone';

  constructor(readonly customerId: string) {
    super('The provider has no such customer any more.');
  }
}

/** A try to pay, or to save a card, that was declined. */
export interface ProviderDecline {
  /** Unique for each try. */
  attemptId: string;
  customerId: string;
  /** The payment or set-up that was tried. */
  intentId: string;
  declinedAt: Date;
}

/** Event of the provider: its type and the ids of its object, which is asked for again. Content is read of a decline alone. */
export interface ProviderEvent {
  id: string;
  type: string;
  objectId: string;
  /** Of a charge, refund or dispute: the payment it belongs to. */
  intentId: string | null;
  /** The declined try that it tells of. One object is tried many times, so asking for it again would not tell of each. */
  decline?: ProviderDecline;
}

/**
 * What the platform asks of a provider of payments. Each call has a time limit and is tried again by the adapter with the same key; the provider answers
 * a key that it has seen as it did then.
 *
 * All methods throw `ServiceUnavailable` (503) when the provider cannot be reached, is too slow or fails: what a write did is unknown then. A decline is no error but
 * the state of the intent. Never call one inside a transaction.
 */
export abstract class PaymentProvider {
  /** For the browser that pays. */
  abstract readonly publishableKey: string;
  /** Whether real money moves. */
  abstract readonly isLive: boolean;

  /** Returns its id. */
  abstract createCustomer(customer: NewCustomer, key: string): Promise<string>;
  /** True where the provider has this customer. */
  abstract hasCustomer(id: string): Promise<boolean>;
  /** Clears fields that are null. @throws CustomerGone, too. */
  abstract updateCustomer(customerId: string, changes: Pick<NewCustomer, 'name' | 'country'>, key: string): Promise<void>;
  /** A page of the provider on which its customer sees cards and receipts, for some minutes. The address lets in whoever has it: never stored or logged. @throws CustomerGone, too. */
  abstract portalUrl(customerId: string, returnUrl: string, key: string): Promise<string>;
  /** With its cards. Again, it changes nothing. */
  abstract deleteCustomer(id: string): Promise<void>;
  /** @throws PaymentRefused and CustomerGone, too. */
  abstract createIntent(intent: NewPaymentIntent, key: string): Promise<PaymentIntent>;
  /** As it is now; null where there is none. */
  abstract findIntent(id: string): Promise<PaymentIntent | null>;
  /** The newest one of the customer with this `payment_id` in its metadata, made since then, among the newest 100; null where there is none. The customer may be gone. */
  abstract findIntentOf(customerId: string, paymentId: string, since: Date): Promise<PaymentIntent | null>;
  /** Returns it afterwards: one that is paid, or being paid, is not canceled. Null where there is none. */
  abstract cancelIntent(id: string): Promise<PaymentIntent | null>;
  /** Lets a browser keep a card for the customer. Returns the secret that it needs, which is never stored or logged. @throws CustomerGone, too. */
  abstract createSetup(
    customerId: string,
    metadata: Readonly<Record<string, string>>,
    key: string,
  ): Promise<{ id: string; clientSecret: string }>;
  /** Nobody can save a card with the set-up any more, unless one was saved already. Again, or where there is none, it changes nothing. */
  abstract cancelSetup(id: string): Promise<void>;
  /** Nobody can save a card with the set-ups of the customer that were begun by now, up to the newest 1,000. Again, or where the customer is gone, it changes nothing. */
  abstract cancelSetupsOf(customerId: string): Promise<void>;
  /** As it is now; null where there is none. */
  abstract findCard(id: string): Promise<SavedCard | null>;
  /** Cards of the customer, up to 100, the newest first; none where the customer is gone. */
  abstract cardsOf(customerId: string): Promise<SavedCard[]>;
  /** The card that the provider offers first. Again, it changes nothing. False where the customer does not have this card. @throws CustomerGone, too. */
  abstract setDefaultCard(customerId: string, cardId: string): Promise<boolean>;
  /** Nothing pays with it any more. Again, it changes nothing. */
  abstract detachCard(cardId: string): Promise<void>;
  /** Gives money back. @throws RefundDenied. */
  abstract refund(refund: NewRefund, key: string): Promise<ProviderRefund>;
  /** As it is now; null where there is none. */
  abstract findRefund(id: string): Promise<ProviderRefund | null>;
  /** Refunds of a payment, up to 100, the newest first; none where there is no such payment. */
  abstract refundsOf(intentId: string): Promise<ProviderRefund[]>;
  /** As it is now; null where there is none. */
  abstract findDispute(id: string): Promise<ProviderDispute | null>;
  /** All events since then that the provider could not deliver, the oldest first. */
  abstract undeliveredEvents(since: Date): Promise<ProviderEvent[]>;
  /** Movements of the balance from `from` (inclusive) to `until` (exclusive), in pages of up to 100, the newest first. Fees and payouts are left out. */
  abstract balanceMovements(from: Date, until: Date): AsyncIterable<BalanceMovement[]>;
}
