import { Injectable } from '@nestjs/common';
import { isTopup, PaymentsRepository, type PaymentRow } from '@platform/billing';
import type { ListPaymentsQuery, PaymentHistoryItem } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { TenantData } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { toPaymentStatus } from './payment-status.js';

@Injectable()
export class PaymentHistoryService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly payments: PaymentsRepository,
  ) {}

  /** Lists the user's payments, newest first. */
  async listPayments({ userId, tenantId }: UserCaller, page: ListPaymentsQuery): Promise<PaymentHistoryItem[]> {
    return (await this.payments.listPayments(new TenantData(this.dataSource.manager, tenantId), userId, page)).map(
      toItem,
    );
  }
}

const CANCELED = 'It was not paid, or another payment replaced it.';

const toItem = (payment: PaymentRow): PaymentHistoryItem => ({
  payment_intent_id: payment.provider_intent_id ?? '',
  amount_cents: payment.amount_cents,
  currency: payment.currency,
  requires_action: payment.status === 'open',
  tokens: Number(payment.credits),
  status: toPaymentStatus(payment),
  type: isTopup(payment) ? 'topup' : 'subscription',
  purpose: payment.purpose,
  plan: payment.plan_id,
  refunded_cents: payment.refunded_cents,
  failure_reason: payment.status === 'canceled' ? CANCELED : payment.failure_message,
  created_at: payment.created_at,
  completed_at: payment.completed_at,
  receipt_url: payment.receipt_url ?? '',
});
