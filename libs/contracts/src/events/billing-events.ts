import { PAYOUT_STATUSES } from '../billing/payouts.dto.js';
import { define } from './event-definition.js';
import { credits, flag, id, oneOf, text, textOrNull, time } from './fields.js';

const keyScope = 'billing:read';
const cents = (description: string) => ({ type: 'integer', description: `${description} In cents.` }) as const;

export const BILLING_EVENTS = {
  'billing.topup_initiated': define({
    description:
      'A user begins to buy credits, or they are bought because few are left. Whether they were paid says `billing.payment_changed`.',
    payload: { credits: credits('That are bought.'), is_automatic: flag('By themselves.') },
    audience: 'user',
    onBus: true,
    keyScope,
  }),
  'billing.plan_changed': define({
    description: 'A plan begins, becomes another, or ends (then `plan` is `free`); not when it is renewed.',
    payload: { previous_plan: text('Its id.'), plan: text('Its id.') },
    audience: 'user',
    onBus: true,
    keyScope,
  }),
  'billing.subscription_cancelled': define({
    description: 'A user has cancelled: the plan goes on until then.',
    payload: { plan: text('Its id.'), ends_at: time('When it ends.') },
    audience: 'user',
    onBus: true,
    keyScope,
  }),
  'billing.subscription_changed': define({
    description: 'A plan goes on after it was cancelled, will become a smaller one, could not be paid, or has ended since it was not paid.',
    payload: {
      plan: text('Its id.'),
      change: oneOf(['resumed', 'change_scheduled', 'payment_due', 'ended_unpaid'], 'What happened to it.'),
      next_plan: textOrNull('The id of the plan that takes its place when its period ends; null unless one is scheduled.'),
    },
    audience: 'user',
    keyScope,
  }),
  'billing.refund_changed': define({
    description: 'A refund of a payment is on its way, was paid back or has failed.',
    payload: {
      refund_id: id('Of the refund.'),
      payment_id: id('As in `GET /v1/billing/payments`.'),
      status: oneOf(['requested', 'pending', 'succeeded', 'failed'], 'Now.'),
      amount_cents: cents('What goes back.'),
      currency: text('ISO 4217, in lower case.'),
    },
    audience: 'user',
    keyScope,
  }),
  'billing.dispute_changed': define({
    description: 'The bank of a user takes a payment back, or has decided about it.',
    payload: {
      dispute_id: id('Of the dispute.'),
      payment_id: id('As in `GET /v1/billing/payments`.'),
      status: text('Of the provider, such as `needs_response`, `won` or `lost`.'),
      amount_cents: cents('What it is about.'),
      currency: text('ISO 4217, in lower case.'),
    },
    audience: 'user',
    keyScope,
  }),
  'billing.payment_changed': define({
    description: 'A payment was paid, failed, was given up, or waits for its user or their bank.',
    payload: {
      payment_id: id('As in `GET /v1/billing/payments`.'),
      purpose: text('Such as `topup`, `checkout` or `renewal`.'),
      status: text('Now, as there.'),
      amount_cents: cents('What it is about.'),
      currency: text('ISO 4217, in lower case.'),
      failure_code: textOrNull('Of the provider; null where nothing failed.'),
    },
    audience: 'user',
    keyScope,
  }),
  'wallet.changed': define({
    description: 'Credits came in or were spent. Told some seconds later, of many movements together: the newest event says what there is.',
    payload: {
      balance: credits('In the wallet, held ones included.'),
      seq: { type: 'integer', description: 'The number of the last movement.' },
    },
    audience: 'user',
    keyScope,
  }),
  'payout.changed': define({
    description: 'A developer has asked for a payout, or it was approved, paid or rejected.',
    payload: {
      payout_id: { type: 'integer', description: 'Of the payout.' },
      status: oneOf(PAYOUT_STATUSES, 'Now.'),
      amount_tokens: credits('That leave the wallet of earnings.'),
    },
    audience: 'user',
    keyScope,
  }),
};
