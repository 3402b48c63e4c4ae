import { ApiProperty } from '@nestjs/swagger';
import { IsQueryInteger } from '../validators.js';

export const PAYMENT_HISTORY_STATUSES = ['pending', 'succeeded', 'failed', 'refunded'] as const;
export type PaymentHistoryStatus = (typeof PAYMENT_HISTORY_STATUSES)[number];

export class ListPaymentsQuery {
  @IsQueryInteger({ minimum: 1, maximum: 200, default: 50 }) limit: number = 50;
  @IsQueryInteger({ minimum: 0, maximum: 999_999_999_999, default: 0 }) offset: number = 0;
}

/** A payment of a user. */
export class PaymentHistoryItem {
  /** @example pi_3MtwBwLkdIwHu7ix28a3tqPa */
  payment_intent_id!: string;
  @ApiProperty({ type: 'integer' }) amount_cents!: number;
  /** @example usd */
  currency!: string;
  /** Whether it waits for its user to pay or confirm it: POST /v1/billing/payments/{payment_intent_id}/continue. */
  requires_action!: boolean;
  /** Credits that it brings. */
  @ApiProperty({ type: 'integer' }) tokens!: number;
  @ApiProperty({ enum: PAYMENT_HISTORY_STATUSES }) status!: PaymentHistoryStatus;
  /** @example topup */
  @ApiProperty({ enum: ['topup', 'subscription'] }) type!: 'topup' | 'subscription';
  /** @example topup */
  purpose!: string;
  /** Of a payment for a plan. */
  plan!: string | null;
  /** What of it went back. */
  @ApiProperty({ type: 'integer' }) refunded_cents!: number;
  /** Why it was declined the last time, by the provider, for people. */
  failure_reason!: string | null;
  created_at!: Date;
  /** When it was over, one way or the other. */
  completed_at!: Date | null;
  /** The provider's receipt, empty where there is none. */
  receipt_url!: string;
}

/** How a payment that waits for its user goes on. */
export class ContinuedPayment {
  /** @example pi_3MtwBwLkdIwHu7ix28a3tqPa */
  payment_intent_id!: string;
  @ApiProperty({ enum: PAYMENT_HISTORY_STATUSES }) status!: PaymentHistoryStatus;
  /** For the provider's form. It lets who has it pay this payment, so it belongs to the user alone. Null where there is nothing to pay any more. */
  client_secret!: string | null;
  /** Of the provider's form, for browsers. No secret. */
  publishable_key!: string;
  @ApiProperty({ type: 'integer' }) amount_cents!: number;
  /** @example usd */
  currency!: string;
}

/** That an event of the payment provider is stored. */
export class WebhookReceipt {
  received!: true;
}
