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
 * Idempotency key of a payment at the provider, the same in every process.
 *
 * @param customerId current customer of a user who also has a former one, because the provider
 * refuses a key that returns with another customer. Null for the first customer of a user.
 */
export const toProviderKey = (
  { scope, attempt }: Pick<PaymentRow, 'scope' | 'attempt'>,
  customerId: string | null,
): string => `${scope}:a${attempt}${customerId === null ? '' : `:${customerId}`}`;

/** True if the payment buys credits. */
export const isTopup = ({ purpose }: Pick<PaymentRow, 'purpose'>): boolean =>
  TOPUP_PURPOSES.some((one) => one === purpose);

/**
 * True if the payment has the status `failed` or `canceled`. The provider can still report it as
 * paid.
 */
export const isFailedOrCanceled = ({ status }: Pick<PaymentRow, 'status'>): boolean =>
  status === 'failed' || status === 'canceled';
