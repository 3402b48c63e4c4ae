import type Stripe from 'stripe';
import { createMissingError } from './stripe-api-error.js';

/** Result of payments with a test card. */
export interface CardBehaviour {
  brand: string;
  last4: string;
  declines?: { code: string; decline_code?: string; message: string };
  /** True if the card can be saved although its payments are declined. */
  canBeSaved?: true;
  /**
   * `always`: each payment needs authentication. `first`: payments need it until the card is set
   * up for payments without the customer.
   */
  authenticates?: 'always' | 'first';
  /** True if payments stay `processing` until `finishProcessing`. */
  processes?: boolean;
  /** True if each payment is disputed immediately. */
  disputes?: true;
}

const declined = (decline_code: string, message = 'Your card was declined.'): CardBehaviour['declines'] => ({
  code: 'card_declined',
  decline_code,
  message,
});

/** Stripe's test cards by id: https://docs.stripe.com/testing. */
const CARDS: Record<string, CardBehaviour> = {
  pm_card_visa: { brand: 'visa', last4: '4242' },
  pm_card_mastercard: { brand: 'mastercard', last4: '4444' },
  pm_card_visa_chargeDeclined: { brand: 'visa', last4: '0002', declines: declined('generic_decline') },
  pm_card_visa_chargeDeclinedInsufficientFunds: {
    brand: 'visa',
    last4: '9995',
    declines: declined('insufficient_funds', 'Your card has insufficient funds.'),
  },
  pm_card_chargeCustomerFail: { brand: 'visa', last4: '0341', declines: declined('generic_decline'), canBeSaved: true },
  pm_card_chargeDeclinedExpiredCard: {
    brand: 'visa',
    last4: '0069',
    declines: { code: 'expired_card', message: 'Your card has expired.' },
  },
  pm_card_authenticationRequired: { brand: 'visa', last4: '3184', authenticates: 'always' },
  pm_card_authenticationRequiredOnSetup: { brand: 'visa', last4: '3155', authenticates: 'first' },
  pm_card_createDispute: { brand: 'visa', last4: '0259', disputes: true },
  /** Only this fake has the card: Stripe has slow payments only with bank debits. */
  pm_card_processing: { brand: 'visa', last4: '1111', processes: true },
};

const BY_LAST4 = new Map(Object.values(CARDS).map((card) => [card.last4, card]));

/**
 * Returns the behaviour of a test card, such as `pm_card_visa`.
 *
 * @throws StripeApiError 404 if the card is unknown
 */
export function findTestCard(id: string): CardBehaviour {
  const card = Object.hasOwn(CARDS, id) ? CARDS[id] : undefined;
  if (!card) throw createMissingError('PaymentMethod', id, 'payment_method');
  return card;
}

export const getCardBehaviour = ({ card }: Stripe.PaymentMethod): CardBehaviour =>
  BY_LAST4.get(card?.last4 ?? '') ?? { brand: 'visa', last4: card?.last4 ?? '' };
