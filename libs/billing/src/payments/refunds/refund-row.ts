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

/** The key under which the provider knows a refund, whichever process asks for it. */
export const refundProviderKeyOf = ({ payment_id, number }: Pick<RefundRow, 'payment_id' | 'number'>): string =>
  `refund:${payment_id}:${number}`;

/** The payment that the provider knows by this intent, and its user: the user first, as an erasure does. Undefined where it is none of ours. */
export async function lockPayment(em: EntityManager, intentId: string): Promise<PaymentRow | undefined> {
  const [payment] = await em.query<PaymentRow[]>(
    `SELECT ${PAYMENT_COLUMNS} FROM payments p JOIN users u ON u.id = p.user_id
     WHERE p.provider_intent_id = $1 FOR KEY SHARE OF u FOR NO KEY UPDATE OF p`,
    [intentId],
  );
  return payment;
}

/** Whether what was paid for could not be given any more, so that the money goes back. */
export async function wasNotDelivered(em: Pick<EntityManager, 'query'>, paymentId: string): Promise<boolean> {
  const rows = await em.query<unknown[]>("SELECT FROM payment_refunds WHERE payment_id = $1 AND reason = 'not_deliverable'", [paymentId]);
  return rows.length > 0;
}
