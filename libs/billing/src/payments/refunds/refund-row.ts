import { columns, type RowOf } from '@platform/persistence';
import type { EntityManager } from 'typeorm';
import { PaymentRefund } from '../payment-refund.entity.js';
import { PAYMENT_COLUMNS, type PaymentRow } from '../payment-row.js';
import { PaymentDispute } from './payment-dispute.entity.js';

export const REFUND_COLUMNS = columns(
  PaymentRefund,
  [
    'id',
    'tenantId',
    'paymentId',
    'number',
    'amountCents',
    'reason',
    'status',
    'note',
    'providerRefundId',
    'credits',
    'debt',
    'failure',
    'createdAt',
    'completedAt',
  ],
  'r',
);
export type RefundRow = RowOf<typeof REFUND_COLUMNS>;

export const DISPUTE_COLUMNS = columns(
  PaymentDispute,
  ['id', 'tenantId', 'paymentId', 'amountCents', 'status', 'reason', 'credits', 'debt', 'takenAt', 'returnedAt'],
  'd',
);
export type DisputeRow = RowOf<typeof DISPUTE_COLUMNS>;

/** Idempotency key of a refund at the provider, the same in every process. */
export const toRefundProviderKey = ({ payment_id, number }: Pick<RefundRow, 'payment_id' | 'number'>): string =>
  `refund:${payment_id}:${number}`;

/**
 * Locks the payment with this intent, and before it the user, in the order of account deletion.
 * Undefined if it is no payment of the platform.
 */
export async function lockPayment(em: EntityManager, intentId: string): Promise<PaymentRow | undefined> {
  const [payment] = await em.query<PaymentRow[]>(
    `SELECT ${PAYMENT_COLUMNS} FROM payments p JOIN users u ON u.id = p.user_id
     WHERE p.provider_intent_id = $1 FOR KEY SHARE OF u FOR NO KEY UPDATE OF p`,
    [intentId],
  );
  return payment;
}

/** True if the platform could not give the user the paid item, so that the money is refunded. */
export async function isUndelivered(em: Pick<EntityManager, 'query'>, paymentId: string): Promise<boolean> {
  const rows = await em.query<unknown[]>(
    "SELECT FROM payment_refunds WHERE payment_id = $1 AND reason = 'not_deliverable'",
    [paymentId],
  );
  return rows.length > 0;
}
