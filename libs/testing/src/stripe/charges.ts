import type Stripe from 'stripe';
import { EMPTY_BILLING, type FakeAccount } from './account.js';
import { addBalanceTransaction, computeFee } from './balance.js';

interface Outcome {
  declined?: { code: string; decline_code?: string; message: string };
}

/**
 * Creates the charge of a payment, paid or declined by the bank, with its event. A paid charge also
 * adds a row to the seller's balance.
 */
export function createCharge(
  account: FakeAccount,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  { declined }: Outcome,
): Stripe.Charge {
  const { state, webhooks, urlOf } = account;
  const id = state.newId('charge');
  const { amount, currency, description } = intent;
  const booked = declined
    ? null
    : addBalanceTransaction(account, {
        type: 'charge',
        category: 'charge',
        amount,
        fee: computeFee(amount),
        currency,
        source: id,
        description,
      });
  const charge: Stripe.Charge = {
    id,
    object: 'charge',
    amount,
    amount_captured: declined ? 0 : amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: booked?.id ?? null,
    billing_details: EMPTY_BILLING,
    calculated_statement_descriptor: null,
    captured: !declined,
    created: state.now(),
    currency,
    customer: intent.customer,
    description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: declined?.code ?? null,
    failure_message: declined?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: null,
    paid: !declined,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: null,
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: declined ? null : urlOf(`/receipts/${id}`),
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: declined ? 'failed' : 'succeeded',
    transfer_data: null,
    transfer_group: null,
  };
  state.put('charge', charge);
  webhooks.emit(declined ? 'charge.failed' : 'charge.succeeded', charge);
  return charge;
}
