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

/** That an event of the payment provider is stored. */
export class WebhookReceipt {
  received!: true;
}
