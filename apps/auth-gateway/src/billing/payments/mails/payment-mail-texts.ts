import { GRACE_DAYS, type PaymentPurpose } from '@platform/billing';
import type { Mail } from '../../../identity/mail/mailer.service.js';
import { greeting, mail, type Recipient } from '../../../identity/mail/templates.js';
import { formatMoney } from '../../../kernel/money.js';

export interface Receipt extends Recipient {
  number: string;
  /** Description of the item on the invoice. */
  description: string;
  totalCents: number;
  currency: string;
  purpose: PaymentPurpose;
  /** True if the item could not be delivered, so that the payment is refunded. */
  isGivenBack: boolean;
}

export const receiptMail = (
  { number, description, totalCents, currency, purpose, isGivenBack, ...to }: Receipt,
  page: string,
): Mail =>
  mail(to, `Your receipt ${number}`, {
    greeting: greeting(to),
    paragraphs: [
      `We have received ${formatMoney(totalCents, currency)} for: ${description}. The number of the invoice is ${number}.`,
      ...(purpose === 'auto_topup' ? ['Your automatic top-up bought this, because few credits were left.'] : []),
      ...(isGivenBack ? ['We could no longer deliver the item that you paid for. We refund the payment in full.'] : []),
    ],
    action: { label: 'See my invoices', url: page },
    note: 'You get this mail because a payment was made for your account.',
  });

export interface UnpaidPayment extends Recipient {
  purpose: 'renewal' | 'auto_topup';
  planName: string | null;
  credits: number;
  amountCents: number;
  currency: string;
  /** Reason that the provider shows to users. */
  failureMessage: string | null;
}

const nameOf = ({ planName, credits }: UnpaidPayment): string =>
  planName === null ? `${credits.toLocaleString('en-US')} credits` : `the next month of your plan ${planName}`;

const ifUnpaid = ({ purpose }: UnpaidPayment): string =>
  purpose === 'renewal'
    ? `Your plan stays active for ${GRACE_DAYS} days after its last paid month. If the next month is not paid in that time, the plan ends. Credits that you bought stay.`
    : 'Nothing was bought. Your credits and your plan have not changed.';

export const paymentFailedMail = (payment: UnpaidPayment, page: string): Mail =>
  mail(payment, 'A payment failed', {
    greeting: greeting(payment),
    paragraphs: [
      `The payment of ${formatMoney(payment.amountCents, payment.currency)} for ${nameOf(payment)} with your saved card failed. ${payment.failureMessage ?? ''}`.trim(),
      ifUnpaid(payment),
    ],
    action: { label: 'Look at my cards', url: page },
    note: 'You get this mail because your saved card pays this automatically. You can change that on the same page.',
  });

export const confirmationNeededMail = (payment: UnpaidPayment, page: string): Mail =>
  mail(payment, 'Your bank asks you to confirm a payment', {
    greeting: greeting(payment),
    paragraphs: [
      `Your saved card should pay ${formatMoney(payment.amountCents, payment.currency)} for ${nameOf(payment)}. Your bank asks you to confirm this payment.`,
      ifUnpaid(payment),
    ],
    action: { label: 'Confirm the payment', url: page },
    note: 'You get this mail because your saved card pays this automatically. You can change that on the same page.',
  });

export interface LowBalance extends Recipient {
  balance: number;
}

export const lowBalanceMail = ({ balance, ...to }: LowBalance, page: string): Mail =>
  mail(to, 'Few credits are left', {
    greeting: greeting(to),
    paragraphs: [
      `${balance.toLocaleString('en-US')} credits are left in your wallet. Apps that cost credits stop when there are none.`,
    ],
    action: { label: 'Buy credits', url: page },
    note: 'You get this mail each time your credits run low. Automatic top-ups can buy credits for you.',
  });
