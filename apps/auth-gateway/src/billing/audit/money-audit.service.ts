import { Injectable } from '@nestjs/common';
import {
  CardsService,
  DisputesService,
  PaymentsRepository,
  PlanNoticesService,
  RefundsService,
  PaymentStatusService,
  type PaymentRow,
  type PlanNotice,
} from '@platform/billing';
import { currentContext } from '@platform/platform';
import type { EntityManager } from 'typeorm';
import { recordAudit, type AuditEntry } from '../../kernel/audit/record-audit.js';

/**
 * Records each change of a user's payments, refunds, disputes, cards and plans in the audit log, in
 * the transaction of the change. The entry contains the session if the user makes the change; the
 * actor is `system` if the payment provider reports it. Entries contain no card number.
 */
@Injectable()
export class MoneyAuditService {
  constructor(
    payments: PaymentsRepository,
    paymentStatus: PaymentStatusService,
    refunds: RefundsService,
    disputes: DisputesService,
    cards: CardsService,
    plans: PlanNoticesService,
  ) {
    payments.onCreated((em, payment) => recordPayment(em, payment, 'begun'));
    paymentStatus.onChange(async (em, payment, before) => {
      if (payment.status !== before && isOver(payment)) await recordPayment(em, payment, payment.status);
    });
    refunds.onChange((em, { id, status, amount_cents }, payment) =>
      record(em, {
        action: `payment.refund_${status}`,
        ...ofPayment(payment),
        metadata: { refund_id: id, amount_cents },
      }),
    );
    disputes.onChange((em, { id, status, amount_cents, reason }, payment) =>
      record(em, {
        action: 'payment.dispute_changed',
        ...ofPayment(payment),
        after: { status },
        metadata: { dispute_id: id, amount_cents, reason },
      }),
    );
    cards.onChange((em, { kind, userId, tenantId, cardId }) =>
      record(em, {
        action: `card.${kind}`,
        target: { type: 'payment_method', id: cardId },
        tenantId,
        metadata: { user_id: userId },
      }),
    );
    plans.onNotice(recordPlan);
  }
}

const isOver = ({ status }: PaymentRow): boolean =>
  status === 'succeeded' || status === 'failed' || status === 'canceled';

const ofPayment = ({ id, tenant_id: tenantId }: PaymentRow): Pick<AuditEntry, 'target' | 'tenantId'> => ({
  target: { type: 'payment', id },
  tenantId,
});

function recordPayment(em: EntityManager, payment: PaymentRow, what: string): Promise<void> {
  const { user_id, purpose, amount_cents, currency, plan_id, failure_code } = payment;
  return record(em, {
    action: `payment.${what}`,
    ...ofPayment(payment),
    metadata: {
      user_id,
      purpose,
      amount_cents,
      currency,
      ...(plan_id !== null && { plan: plan_id }),
      ...(failure_code !== null && { failure_code }),
    },
  });
}

async function recordPlan(em: EntityManager, notice: PlanNotice): Promise<void> {
  const { tenantId, subscriptionId, userId } = notice;
  const entry = { target: { type: 'subscription', id: subscriptionId }, tenantId, metadata: { user_id: userId } };
  switch (notice.kind) {
    case 'changed':
    case 'change_scheduled':
      await record(em, {
        action: `subscription.${notice.kind}`,
        ...entry,
        before: { plan: notice.from },
        after: { plan: notice.to },
      });
      return;
    case 'cancelled':
    case 'resumed':
      await record(em, { action: `subscription.${notice.kind}`, ...entry, after: { plan: notice.plan } });
      return;
    // The failed payment and the change to the free plan have their own entries.
    case 'card_missing':
    case 'card_refused':
    case 'ended_unpaid':
      return;
  }
}

function record(em: EntityManager, entry: AuditEntry): Promise<void> {
  const sessionId = currentContext()?.sessionId;
  return recordAudit(em, {
    ...entry,
    metadata: { ...entry.metadata, ...(sessionId !== undefined && { session_id: sessionId }) },
  });
}
