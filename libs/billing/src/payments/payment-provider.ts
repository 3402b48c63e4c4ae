/** Currency of all prices: US cents. */
export const CURRENCY = 'usd';
/** Smallest and largest amount of one payment at the provider. */
export const MIN_PAYMENT_CENTS = 50;
export const MAX_PAYMENT_CENTS = 99_999_999;

/** Statuses of Stripe: https://docs.stripe.com/payments/paymentintents/lifecycle. */
export type IntentStatus =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_action'
  | 'processing'
  | 'requires_capture'
  | 'succeeded'
  | 'canceled';

/** Payment at the provider, as it was at the time of the request. */
export interface PaymentIntent {
  id: string;
  status: IntentStatus;
  amountCents: number;
  /** Amount that was really received. */
  receivedCents: number;
  currency: string;
  customerId: string | null;
  /** True for real money. */
  isLive: boolean;
  /** Secret that lets a browser pay. Never store or log it. */
  clientSecret: string | null;
  metadata: Readonly<Record<string, string>>;
  /** Reason for the last decline; null without one. */
  failure: { code: string; message: string } | null;
  /** Charge of the last decline; null if the bank was not asked or did not decline. */
  declinedChargeId: string | null;
  receiptUrl: string | null;
  /** Card that paid or is to pay. */
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
  /** Saves the card for payments without the customer. */
  keepsCard: boolean;
  /** Saved card that pays immediately, without the customer; absent if a browser will pay. */
  paymentMethodId?: string;
}

/** Saved card of a customer. Only the provider knows its number. */
export interface SavedCard {
  id: string;
  /** Customer with this card; null after the card was removed. */
  customerId: string | null;
  /** `card`, or another type of the provider. */
  type: string;
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
  createdAt: Date;
}

/** Statuses of Stripe: https://docs.stripe.com/api/refunds/object#refund_object-status. */
export type ProviderRefundStatus = 'pending' | 'requires_action' | 'succeeded' | 'failed' | 'canceled';

/**
 * Customer money that changed the seller's balance. The kinds are Stripe's reporting categories:
 * https://docs.stripe.com/reports/reporting-categories.
 */
export interface BalanceMovement {
  kind: 'payment' | 'refund' | 'refund_failure' | 'dispute' | 'dispute_reversal';
  /** Id of the charge, refund or dispute. */
  objectId: string;
  /** Id of the payment intent; null for a charge without one. */
  intentId: string | null;
  /** Amount without fees; positive in both directions. */
  amountCents: number;
}

export interface ProviderRefund {
  id: string;
  status: ProviderRefundStatus;
  /** Intent of the payment; null for a payment without one. */
  intentId: string | null;
  amountCents: number;
  currency: string;
  metadata: Readonly<Record<string, string>>;
  /** Reason for the failure; null without one. */
  failure: string | null;
}

export interface NewRefund {
  intentId: string;
  amountCents: number;
  /** Id of the row in `payment_refunds`. The provider stores it in the metadata of the refund. */
  refundId: string;
}

/**
 * Statuses of Stripe: https://docs.stripe.com/disputes/how-disputes-work. During a `warning_…`
 * status the bank has not taken the money.
 */
export type DisputeStatus =
  | 'warning_needs_response'
  | 'warning_under_review'
  | 'warning_closed'
  | 'needs_response'
  | 'under_review'
  | 'lost'
  | 'won'
  | 'prevented';

export interface ProviderDispute {
  id: string;
  status: DisputeStatus;
  intentId: string | null;
  amountCents: number;
  currency: string;
  /** Reason in words of the provider, for example `fraudulent`. */
  reason: string;
  createdAt: Date;
}

/**
 * The provider refuses the refund for good, because the money was returned in another way or a bank
 * decides about it. A retry does not help.
 */
export class RefundDenied extends Error {}

/** The provider refuses a payment, for example because the card was removed. It created nothing. */
export class PaymentRefused extends Error {
  override name = 'PaymentRefused';

  constructor(readonly code: string) {
    super(`The provider refuses the payment: ${code}.`);
  }
}

/**
 * The customer no longer exists at the provider: the seller deleted it, or all test data. The call
 * changed nothing.
 */
export class CustomerMissing extends Error {
  override name = 'CustomerMissing';

  constructor(readonly customerId: string) {
    super('The customer no longer exists at the provider.');
  }
}

/** Declined attempt to pay or to save a card. */
export interface ProviderDecline {
  /** Unique for each attempt. */
  attemptId: string;
  customerId: string;
  /** Payment or set-up of the attempt. */
  intentId: string;
  declinedAt: Date;
}

/**
 * Event of the provider: its type and the ids of its object. The object is read again from the
 * provider. Only a decline is read from the event itself.
 */
export interface ProviderEvent {
  id: string;
  type: string;
  objectId: string;
  /** Payment of a charge, refund or dispute. */
  intentId: string | null;
  /**
   * Declined attempt that the event reports. It is read from the event, because an object can have
   * many attempts and reading the object again shows only the last one.
   */
  decline?: ProviderDecline;
}

/**
 * Interface to a payment provider. Each call has a time limit. The adapter retries it with the same
 * key, and the provider repeats its first answer for a known key.
 *
 * All methods throw `ServiceUnavailable` (503) if the provider cannot be reached, is too slow or
 * fails. The effect of a write is then unknown. A decline is not an error; it is a state of the
 * intent. Never call a method inside a transaction.
 */
export abstract class PaymentProvider {
  /** Key for the browser that pays. */
  abstract readonly publishableKey: string;
  /** True for real money. */
  abstract readonly isLive: boolean;

  /** Creates a customer and returns its id. @param key idempotency key. */
  abstract createCustomer(customer: NewCustomer, key: string): Promise<string>;
  abstract hasCustomer(id: string): Promise<boolean>;
  /**
   * Changes name and country of a customer; null clears a field.
   *
   * @throws CustomerMissing if the customer no longer exists.
   */
  abstract updateCustomer(
    customerId: string,
    changes: Pick<NewCustomer, 'name' | 'country'>,
    key: string,
  ): Promise<void>;
  /**
   * Creates a page of the provider on which the customer sees cards and receipts, valid for some
   * minutes, and returns its address. Everybody with the address can open the page: never store or
   * log it.
   *
   * @throws CustomerMissing if the customer no longer exists.
   */
  abstract createPortalUrl(customerId: string, returnUrl: string, key: string): Promise<string>;
  /** Deletes the customer with its cards. Safe to repeat. */
  abstract deleteCustomer(id: string): Promise<void>;
  /**
   * Creates a payment that a browser will pay. With a saved card it is paid at once instead; a
   * decline is a state of the result.
   *
   * @throws PaymentRefused if the provider refuses the saved card, for example because it was
   * removed. CustomerMissing if the customer no longer exists.
   */
  abstract createIntent(intent: NewPaymentIntent, key: string): Promise<PaymentIntent>;
  /** Reads an intent; null if it does not exist. */
  abstract findIntent(id: string): Promise<PaymentIntent | null>;
  /**
   * Searches the newest 100 intents of the customer that were created at or after `since` for this
   * `payment_id` in the metadata, and returns the newest match; null without one. Also works if the
   * customer no longer exists.
   */
  abstract findIntentByPayment(customerId: string, paymentId: string, since: Date): Promise<PaymentIntent | null>;
  /**
   * Cancels an intent, unless it is paid or being processed. Returns it as it is afterwards; null
   * if it does not exist.
   */
  abstract cancelIntent(id: string): Promise<PaymentIntent | null>;
  /**
   * Starts a set-up with which a browser can save a card of the customer. Never store or log its
   * secret.
   *
   * @throws CustomerMissing if the customer no longer exists.
   */
  abstract createSetup(
    customerId: string,
    metadata: Readonly<Record<string, string>>,
    key: string,
  ): Promise<{ id: string; clientSecret: string }>;
  /**
   * Cancels a set-up, so that no card can be saved with it any more. Has no effect if a card was
   * already saved. Safe to repeat, also if the set-up does not exist.
   */
  abstract cancelSetup(id: string): Promise<void>;
  /**
   * Cancels all set-ups that the customer has started so far, up to the newest 1,000. Safe to
   * repeat, also if the customer no longer exists.
   */
  abstract cancelSetups(customerId: string): Promise<void>;
  /** Reads a card; null if it does not exist. */
  abstract findCard(id: string): Promise<SavedCard | null>;
  /** Up to 100 cards of the customer, newest first; empty if the customer no longer exists. */
  abstract listCards(customerId: string): Promise<SavedCard[]>;
  /**
   * Sets the card that the provider offers first. Safe to repeat. False if the customer does not
   * have this card.
   *
   * @throws CustomerMissing if the customer no longer exists.
   */
  abstract setDefaultCard(customerId: string, cardId: string): Promise<boolean>;
  /** Removes a card, so that nothing can be paid with it. Safe to repeat. */
  abstract detachCard(cardId: string): Promise<void>;
  /**
   * Refunds money of a payment.
   *
   * @throws RefundDenied if the provider refuses for good, for example because the money was
   * already returned.
   */
  abstract createRefund(refund: NewRefund, key: string): Promise<ProviderRefund>;
  /** Reads a refund; null if it does not exist. */
  abstract findRefund(id: string): Promise<ProviderRefund | null>;
  /** Up to 100 refunds of a payment, newest first; empty if the payment does not exist. */
  abstract listRefunds(intentId: string): Promise<ProviderRefund[]>;
  /** Reads a dispute; null if it does not exist. */
  abstract findDispute(id: string): Promise<ProviderDispute | null>;
  /** All events since `since` that the provider could not deliver, oldest first. */
  abstract listUndeliveredEvents(since: Date): Promise<ProviderEvent[]>;
  /**
   * Movements of the balance from `from` (inclusive) to `until` (exclusive), in pages of up to 100,
   * newest first. Leaves out fees and payouts.
   */
  abstract listBalanceMovements(from: Date, until: Date): AsyncIterable<BalanceMovement[]>;
}
