import type Stripe from 'stripe';
import type {
  BalanceMovement,
  DisputeStatus,
  IntentStatus,
  PaymentIntent,
  ProviderDecline,
  ProviderDispute,
  ProviderEvent,
  ProviderRefund,
  ProviderRefundStatus,
  SavedCard,
} from '../payment-provider.js';

export function toIntent(intent: Stripe.PaymentIntent): PaymentIntent {
  const { last_payment_error: failure, latest_charge: charge } = intent;
  return {
    id: intent.id,
    status: intent.status as IntentStatus,
    amountCents: intent.amount,
    receivedCents: intent.amount_received,
    currency: intent.currency,
    customerId: idOf(intent.customer),
    isLive: intent.livemode,
    clientSecret: intent.client_secret,
    metadata: intent.metadata,
    declinedChargeId: (isDecline(failure) && failure?.charge) || null,
    failure: failure && {
      code: failure.decline_code ?? failure.code ?? failure.type,
      message: failure.message ?? 'The payment failed.',
    },
    receiptUrl: typeof charge === 'object' ? (charge?.receipt_url ?? null) : null,
    paymentMethodId: idOf(intent.payment_method),
  };
}

export const toCard = ({ id, customer, type, card, created }: Stripe.PaymentMethod): SavedCard => ({
  id,
  customerId: idOf(customer),
  type,
  brand: card?.display_brand ?? card?.brand ?? '',
  last4: card?.last4 ?? '',
  expMonth: card?.exp_month ?? 0,
  expYear: card?.exp_year ?? 0,
  createdAt: new Date(created * 1_000),
});

export const toRefund = ({
  id,
  status,
  payment_intent,
  amount,
  currency,
  metadata,
  failure_reason,
}: Stripe.Refund): ProviderRefund => ({
  id,
  status: (status ?? 'pending') as ProviderRefundStatus,
  intentId: idOf(payment_intent),
  amountCents: amount,
  currency,
  metadata: metadata ?? {},
  failure: failure_reason ?? null,
});

export const toDispute = ({
  id,
  status,
  payment_intent,
  amount,
  currency,
  reason,
  created,
}: Stripe.Dispute): ProviderDispute => ({
  id,
  status: status as DisputeStatus,
  intentId: idOf(payment_intent),
  amountCents: amount,
  currency,
  reason,
  createdAt: new Date(created * 1_000),
});

const MOVEMENT_KINDS: Readonly<Record<string, BalanceMovement['kind']>> = {
  charge: 'payment',
  refund: 'refund',
  refund_failure: 'refund_failure',
  dispute: 'dispute',
  dispute_reversal: 'dispute_reversal',
};

/**
 * Converts an entry of Stripe's balance; null if it is not money of a customer. `source` must be
 * expanded. If the balance is in another currency, the amount of the source is used.
 */
export function toMovement({
  reporting_category,
  source,
  amount,
  exchange_rate: rate,
}: Stripe.BalanceTransaction): BalanceMovement | null {
  const kind = MOVEMENT_KINDS[reporting_category];
  if (!kind || !source || typeof source === 'string') return null;
  const { id: objectId, amount: ofSource, payment_intent } = source as Stripe.Charge | Stripe.Refund | Stripe.Dispute;
  return { kind, objectId, intentId: idOf(payment_intent), amountCents: rate === null ? Math.abs(amount) : ofSource };
}

/**
 * Converts an event of Stripe. Reads the ids of the event's object, and the error of a declined
 * attempt. The other fields show the object at the time of the event, so they are not read.
 */
export function toEvent({
  id,
  type,
  created,
  data,
}: Pick<Stripe.Event, 'id' | 'type' | 'created' | 'data'>): ProviderEvent {
  const object = data.object as { id?: unknown; object?: unknown; payment_intent?: string | { id: string } | null };
  const objectId = textOf(object.id);
  const intentId = object.object === 'payment_intent' ? objectId : idOf(object.payment_intent);
  const decline = findDecline(id, type, created, data.object as TriedIntent);
  return { id, type, objectId, intentId: intentId || null, ...(decline && { decline }) };
}

/** Payment intent or set-up intent, with the fields of a declined attempt. */
interface TriedIntent {
  id?: unknown;
  customer?: string | { id: string } | null;
  last_payment_error?: TryError | null;
  last_setup_error?: TryError | null;
  latest_attempt?: string | { id: string } | null;
}
interface TryError {
  code?: string;
  decline_code?: string;
  charge?: string;
}

/** Error code of a bank that wants the customer to confirm. It is not a decline. */
const NEEDS_CUSTOMER = 'authentication_required';
const isDecline = (error: TryError | null | undefined): boolean =>
  !!error && (error.decline_code ?? error.code) !== NEEDS_CUSTOMER;

/**
 * Declined attempt that an event reports; null for any other event, if the bank only wants the
 * customer to confirm, and without a customer. An attempt without a question to the bank has no
 * charge; its event id identifies it.
 */
function findDecline(eventId: string, type: string, created: unknown, intent: TriedIntent): ProviderDecline | null {
  const attempts: Readonly<Record<string, { error: TryError | null | undefined; id: string | null | undefined }>> = {
    'payment_intent.payment_failed': { error: intent.last_payment_error, id: intent.last_payment_error?.charge },
    'setup_intent.setup_failed': { error: intent.last_setup_error, id: idOf(intent.latest_attempt) },
  };
  const attempt = Object.hasOwn(attempts, type) ? attempts[type] : undefined;
  const customerId = idOf(intent.customer);
  if (!attempt || !isDecline(attempt.error) || customerId === null) return null;
  const declinedAt = typeof created === 'number' ? new Date(created * 1_000) : new Date();
  return { attemptId: attempt.id ?? eventId, customerId, intentId: textOf(intent.id), declinedAt };
}

/**
 * Parses the body of a webhook. Null if it is not an event, or if an id is malformed: events are
 * stored in batches, and one malformed id would make the whole batch fail.
 */
export function parseStripeEvent(body: Buffer): ProviderEvent | null {
  try {
    const event = JSON.parse(body.toString('utf8')) as Stripe.Event | null;
    const found = event?.object === 'event' && toEvent(event);
    if (!found) return null;
    const { id, type, objectId, intentId, decline } = found;
    const declined = decline ? [decline.attemptId, decline.customerId, decline.intentId] : [];
    return [id, type, ...declined].every(isName) && [objectId, intentId].every((name) => !name || isName(name))
      ? found
      : null;
  } catch {
    return null;
  }
}

const isName = (value: unknown): boolean => typeof value === 'string' && /^[\x21-\x7e]{1,255}$/.test(value);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const idOf = (reference: string | { id: string } | null | undefined): string | null =>
  typeof reference === 'object' ? (reference?.id ?? null) : (reference ?? null);
