import { PAYOUT_STATUSES } from '../billing/payouts.dto.js';
import { define } from './event-definition.js';
import { credits, flag, id, oneOf, text, textOrNull, time } from './fields.js';

const keyScope = 'billing:read';
const cents = (description: string) => ({ type: 'integer', description: `${description}, in cents.` }) as const;

export const BILLING_EVENTS = {
  'billing.topup_initiated': define({
    description:
      'A user or an automatic top-up started a purchase of credits. `billing.payment_changed` reports the result of the payment.',
    payload: { credits: credits('Credits to buy.'), is_automatic: flag('True for an automatic top-up.') },
    audience: 'user',
    onBus: true,
    keyScope,
  }),
  'billing.plan_changed': define({
    description: 'A plan started, changed or ended (then `plan` is `free`). There is no event for a renewal.',
    payload: { previous_plan: text('Id of the previous plan.'), plan: text('Id of the current plan.') },
    audience: 'user',
    onBus: true,
    keyScope,
  }),
  'billing.subscription_cancelled': define({
    description: 'A user cancelled a plan. It continues until `ends_at`.',
    payload: { plan: text('Id of the plan.'), ends_at: time('Time at which the plan ends.') },
    audience: 'user',
    onBus: true,
    keyScope,
  }),
  'billing.subscription_changed': define({
    description:
      'A cancelled plan was resumed, a change to a smaller plan was scheduled, a payment is due, or a plan ended because it was not paid.',
    payload: {
      plan: text('Id of the plan.'),
      change: oneOf(['resumed', 'change_scheduled', 'payment_due', 'ended_unpaid'], 'Kind of the change.'),
      next_plan: textOrNull('Id of the plan that starts when the period ends; null if no change is scheduled.'),
    },
    audience: 'user',
    keyScope,
  }),
  'billing.refund_changed': define({
    description: 'A refund of a payment was requested, is pending, succeeded or failed.',
    payload: {
      refund_id: id('Id of the refund.'),
      payment_id: id('Id of the payment, as in `GET /v1/billing/payments`.'),
      status: oneOf(['requested', 'pending', 'succeeded', 'failed'], 'Status now.'),
      amount_cents: cents('Refunded amount'),
      currency: text('Currency code (ISO 4217) in lower case.'),
    },
    audience: 'user',
    keyScope,
  }),
  'billing.dispute_changed': define({
    description: 'The bank of a user opened a dispute about a payment, or decided it.',
    payload: {
      dispute_id: id('Id of the dispute.'),
      payment_id: id('Id of the payment, as in `GET /v1/billing/payments`.'),
      status: text('Status at the payment provider, such as `needs_response`, `won` or `lost`.'),
      amount_cents: cents('Amount'),
      currency: text('Currency code (ISO 4217) in lower case.'),
    },
    audience: 'user',
    keyScope,
  }),
  'billing.payment_changed': define({
    description: 'A payment succeeded, failed, was cancelled, or waits for the user or the bank.',
    payload: {
      payment_id: id('Id of the payment, as in `GET /v1/billing/payments`.'),
      purpose: text('Purpose, such as `topup`, `checkout` or `renewal`.'),
      status: text('Status now, as in `GET /v1/billing/payments`.'),
      amount_cents: cents('Amount'),
      currency: text('Currency code (ISO 4217) in lower case.'),
      failure_code: textOrNull('Error code of the payment provider; null if nothing failed.'),
    },
    audience: 'user',
    keyScope,
  }),
  'wallet.changed': define({
    description:
      'Credits were added or spent. The event follows some seconds later and combines several changes: the newest event has the current balance.',
    payload: {
      balance: credits('Credits in the wallet, including reserved ones.'),
      seq: { type: 'integer', description: 'Number of the last change.' },
    },
    audience: 'user',
    keyScope,
  }),
  'payout.changed': define({
    description: 'A developer requested a payout, or it was approved, paid or rejected.',
    payload: {
      payout_id: { type: 'integer', description: 'Id of the payout.' },
      status: oneOf(PAYOUT_STATUSES, 'Status now.'),
      amount_tokens: credits('Credits to pay out.'),
    },
    audience: 'user',
    keyScope,
  }),
};
