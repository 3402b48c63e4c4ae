import { Injectable } from '@nestjs/common';
import { isTopup, Payments, PlanNotices, Settlements, type PaymentRow, type PlanNotice } from '@platform/billing';
import type { EntityManager } from 'typeorm';
import { publishEvent } from '../../kernel/events/publish-event.js';
import { PlatformEvents } from './platform-events.js';

/**
 * What apps and automations of a user hear of the user's plan and credits. It names no price and no card: an app learns no more than
 * what it may read of its user's plan and credits anyway.
 */
@Injectable()
export class BillingEvents {
  constructor(
    private readonly events: PlatformEvents,
    payments: Payments,
    plans: PlanNotices,
    settlements: Settlements,
  ) {
    payments.onBegun((em, payment) => this.begun(em, payment));
    plans.onNotice((em, notice) => this.ofPlan(em, notice));
    settlements.onChange(ofPayment);
  }

  private async begun(em: EntityManager, payment: PaymentRow): Promise<void> {
    if (!isTopup(payment)) return;
    const { tenant_id: tenantId, user_id: userId, purpose, credits } = payment;
    const data = { credits: Number(credits), is_automatic: purpose === 'auto_topup' };
    await this.events.publish(em, { type: 'billing.topup_initiated', tenantId, userId, data });
  }

  private async ofPlan(em: EntityManager, notice: PlanNotice): Promise<void> {
    const { tenantId, userId } = notice;
    switch (notice.kind) {
      case 'changed':
        await this.events.publish(em, {
          type: 'billing.plan_changed',
          tenantId,
          userId,
          data: { previous_plan: notice.from, plan: notice.to },
        });
        return;
      case 'cancelled':
        await this.events.publish(em, {
          type: 'billing.subscription_cancelled',
          tenantId,
          userId,
          data: { plan: notice.plan, ends_at: notice.endsAt.toISOString() },
        });
        return;
      case 'resumed':
      case 'change_scheduled':
      case 'card_missing':
      case 'card_refused':
      case 'ended_unpaid':
        return;
    }
  }
}

async function ofPayment(em: EntityManager, payment: PaymentRow): Promise<void> {
  await publishEvent(em, {
    type: 'billing.payment_changed',
    tenantId: payment.tenant_id,
    userId: payment.user_id,
    data: {
      payment_id: payment.id,
      purpose: payment.purpose,
      status: payment.status,
      amount_cents: payment.amount_cents,
      currency: payment.currency,
      failure_code: payment.failure_code,
    },
  });
}
