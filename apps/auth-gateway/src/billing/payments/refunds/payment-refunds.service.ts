import { Injectable } from '@nestjs/common';
import { PaymentsRepository, RefundRefused, RefundsService, type RefundRow } from '@platform/billing';
import type { RefundPaymentRequest, RefundPaymentResponse } from '@platform/contracts';
import type { Caller } from '@platform/guards';
import { ServiceUnavailable } from '@platform/platform';
import { DataSource } from 'typeorm';
import { AccountDeletionService } from '../../../kernel/account-deletion/account-deletion.service.js';
import { recordAudit } from '../../../kernel/audit/record-audit.js';
import { assertPlatformCaller } from '../../../organisation/current-tenant/platform-callers.js';
import { PaymentErrors } from '../payments.errors.js';
import { RefundErrors, toRefundError } from './refunds.errors.js';

/** Refunds that administrators of the platform make. */
@Injectable()
export class PaymentRefundsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly refunds: RefundsService,
    private readonly payments: PaymentsRepository,
    accountDeletion: AccountDeletionService,
  ) {
    // Clears the notes. Refunds and amounts stay.
    accountDeletion.addDataStep(async (tenant, userId) => {
      await tenant.query(
        `UPDATE payment_refunds r SET note = NULL FROM payments p
         WHERE p.id = r.payment_id AND p.user_id = $1 AND r.tenant_id = $tenant AND r.note IS NOT NULL`,
        [userId],
      );
    });
  }

  /**
   * Refunds a payment. If the provider is not available, the refund stays `requested` and the sweep
   * asks the provider again. Safe to retry with the same `requestId`.
   *
   * @throws AppError 403 `insufficient_scope` if the caller is neither an administrator of the
   * platform nor a trusted backend; 404 `payment.not_found`; 409 `refund.not_paid` if it is not
   * paid, `refund.nothing_left` or `refund.too_much` if less is left, `refund.denied` if the
   * provider refuses.
   */
  async refundPayment(
    caller: Caller,
    intentId: string,
    request: RefundPaymentRequest,
    requestId: string | null,
  ): Promise<RefundPaymentResponse> {
    assertPlatformCaller(caller);
    const begun = await this.createRefund(intentId, request, requestId);
    const refund = await this.sendRefund(begun);
    if (refund.status === 'failed') throw RefundErrors.denied(refund.failure);
    const payment = await this.payments.findPayment(refund.payment_id);
    if (!payment) throw PaymentErrors.notFound();
    return {
      refund_id: refund.id,
      payment_intent_id: intentId,
      status: refund.status,
      amount_cents: refund.amount_cents,
      refunded_cents: payment.refunded_cents,
      left_cents: await this.refunds.getRefundableCents(this.dataSource, payment),
      credits_taken: Number(refund.credits),
      debt: Number(refund.debt),
    };
  }

  private createRefund(
    intentId: string,
    { amount_cents, note }: RefundPaymentRequest,
    requestId: string | null,
  ): Promise<RefundRow> {
    return this.dataSource
      .transaction(async (em) => {
        const { refund, payment, isNew } = await this.refunds.createRefund(em, {
          intentId,
          amountCents: amount_cents ?? undefined,
          note,
          requestId,
        });
        if (isNew) {
          await recordAudit(em, {
            action: 'payment.refund_requested',
            target: { type: 'payment', id: payment.id },
            tenantId: payment.tenant_id,
            metadata: { refund_id: refund.id, amount_cents: refund.amount_cents },
          });
        }
        return refund;
      })
      .catch((error: unknown) => {
        throw error instanceof RefundRefused ? toRefundError(error) : error;
      });
  }

  private async sendRefund(refund: RefundRow): Promise<RefundRow> {
    try {
      return (await this.refunds.submitRefund(refund.id)) ?? refund;
    } catch (error) {
      if (error instanceof ServiceUnavailable) return refund;
      throw error;
    }
  }
}
