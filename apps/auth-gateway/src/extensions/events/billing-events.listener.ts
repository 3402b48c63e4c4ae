import { Injectable } from '@nestjs/common';
import {
  DisputesService,
  isTopup,
  PaymentsRepository,
  PlanNoticesService,
  RefundsService,
  PaymentStatusService,
  type PaymentRow,
  type PlanNotice,
} from '@platform/billing';
import type { EventPayload } from '@platform/contracts';
import type { EntityManager } from 'typeorm';
import { publishEvent } from '../../kernel/events/publish-event.js';
import { PlatformEventsService } from './platform-events.service.js';

/**
 * Publishes events about a user's plan, credits and payments. Those about started top-ups, changed
 * plans and cancelled plans also reach the user's apps and automations. They contain no prices of
 * plans and no card data: an app learns no more than it can read with its scopes.
 */
@Injectable()
export class BillingEventsListener {
  constructor(
    private readonly events: PlatformEventsService,
    payments: PaymentsRepository,
    plans: PlanNoticesService,
    paymentStatus: PaymentStatusService,
    refunds: RefundsService,
    disputes: DisputesService,
  ) {
    payments.onCreated((em, payment) => this.publishTopupInitiated(em, payment));
    plans.onNotice((em, notice) => this.publishPlanNotice(em, notice));
    paymentStatus.onChange(ofPayment);
    refunds.onChange(async (em, { id: refund_id, status, amount_cents }, payment) => {
      const data = { refund_id, status, amount_cents, ...named(payment) };
      await publishEvent(em, { type: 'billing.refund_changed', ...userOf(payment), data });
    });
    disputes.onChange(async (em, { id: dispute_id, status, amount_cents }, payment) => {
      const data = { dispute_id, status, amount_cents, ...named(payment) };
      await publishEvent(em, { type: 'billing.dispute_changed', ...userOf(payment), data });
    });
  }

  private async publishTopupInitiated(em: EntityManager, payment: PaymentRow): Promise<void> {
    if (!isTopup(payment)) return;
    const { tenant_id: tenantId, user_id: userId, purpose, credits } = payment;
    const data = { credits: Number(credits), is_automatic: purpose === 'auto_topup' };
    await this.events.publish(em, { type: 'billing.topup_initiated', tenantId, userId, data });
  }

  private async publishPlanNotice(em: EntityManager, notice: PlanNotice): Promise<void> {
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
      case 'change_scheduled':
        return ofSubscription(em, notice, { plan: notice.from, change: 'change_scheduled', next_plan: notice.to });
      case 'card_missing':
      case 'card_refused':
        return ofSubscription(em, notice, { plan: notice.plan, change: 'payment_due', next_plan: null });
      case 'resumed':
      case 'ended_unpaid':
        return ofSubscription(em, notice, { plan: notice.plan, change: notice.kind, next_plan: null });
    }
  }
}

const userOf = ({ tenant_id: tenantId, user_id: userId }: PaymentRow) => ({ tenantId, userId });
const named = ({ id: payment_id, currency }: PaymentRow) => ({ payment_id, currency });

async function ofSubscription(
  em: EntityManager,
  { tenantId, userId }: PlanNotice,
  data: EventPayload<'billing.subscription_changed'>,
): Promise<void> {
  await publishEvent(em, { type: 'billing.subscription_changed', tenantId, userId, data });
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
