import { columns, type RowOf } from '@platform/persistence';
import { Payment, TOPUP_PURPOSES } from './payment.entity.js';

export const PAYMENT_COLUMNS = columns(
  Payment,
  [
    'id',
    'tenantId',
    'userId',
    'purpose',
    'scope',
    'attempt',
    'status',
    'amountCents',
    'currency',
    'credits',
    'isLive',
    'isOffSession',
    'keepsCard',
    'paymentMethodId',
    'providerIntentId',
    'subscriptionId',
    'planId',
    'planVersion',
    'periodNumber',
    'fromPlanId',
    'fromPlanVersion',
    'failureCode',
    'failureMessage',
    'receiptUrl',
    'refundedCents',
    'returningCents',
    'createdAt',
    'completedAt',
  ],
  'p',
);
export type PaymentRow = RowOf<typeof PAYMENT_COLUMNS>;

/**
 * The key under which the provider knows a payment, whichever process asks for it.
 *
 * @param customerId of a user who had another customer before, which is gone: the provider refuses a key that comes with another customer. Null for the first customer of
 *   a user.
 */
export const providerKeyOf = ({ scope, attempt }: Pick<PaymentRow, 'scope' | 'attempt'>, customerId: string | null): string =>
  `${scope}:a${attempt}${customerId === null ? '' : `:${customerId}`}`;

/** Whether it buys credits. */
export const isTopup = ({ purpose }: Pick<PaymentRow, 'purpose'>): boolean => TOPUP_PURPOSES.some((one) => one === purpose);

/** Nothing was paid, and nothing is to be: declined or canceled. It may be paid all the same. */
export const isGivenUp = ({ status }: Pick<PaymentRow, 'status'>): boolean => status === 'failed' || status === 'canceled';
