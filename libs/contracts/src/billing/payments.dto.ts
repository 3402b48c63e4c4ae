import { ApiProperty } from '@nestjs/swagger';
import { IsQueryInteger } from '../validators.js';

export const PAYMENT_HISTORY_STATUSES = ['pending', 'succeeded', 'failed', 'refunded'] as const;
export type PaymentHistoryStatus = (typeof PAYMENT_HISTORY_STATUSES)[number];

export class ListPaymentsQuery {
  /** Maximum number of items in the answer. */
  @IsQueryInteger({ minimum: 1, maximum: 200, default: 50 }) limit: number = 50;
  /** Number of items to skip. */
  @IsQueryInteger({ minimum: 0, maximum: 999_999_999_999, default: 0 }) offset: number = 0;
}

/** A payment of the user. */
export class PaymentHistoryItem {
  /**
   * Id of the payment at the payment provider.
   * @example pi_3MtwBwLkdIwHu7ix28a3tqPa
   */
  payment_intent_id!: string;
  /** Amount in cents of the currency. */
  @ApiProperty({ type: 'integer' }) amount_cents!: number;
  /**
   * Currency code (ISO 4217) in lower case.
   * @example usd
   */
  currency!: string;
  /**
   * True if the user must pay or confirm the payment: call POST
   * /v1/billing/payments/{payment_intent_id}/continue.
   */
  requires_action!: boolean;
  /** Credits that the user gets for the payment. */
  @ApiProperty({ type: 'integer' }) tokens!: number;
  /** Status of the payment. */
  @ApiProperty({ enum: PAYMENT_HISTORY_STATUSES }) status!: PaymentHistoryStatus;
  /**
   * Type of the payment.
   * @example topup
   */
  @ApiProperty({ enum: ['topup', 'subscription'] }) type!: 'topup' | 'subscription';
  /**
   * Purpose of the payment.
   * @example topup
   */
  purpose!: string;
  /** Id of the plan that the payment is for; null for a top-up. */
  plan!: string | null;
  /** Amount in cents that was refunded so far. */
  @ApiProperty({ type: 'integer' }) refunded_cents!: number;
  /**
   * Message of the payment provider about the last decline, to show to the user; null if no attempt
   * was declined.
   */
  failure_reason!: string | null;
  /** Time of creation. */
  created_at!: Date;
  /** Time at which the payment succeeded or failed; null while it is pending. */
  completed_at!: Date | null;
  /** Address of the provider's receipt; empty if there is none. */
  receipt_url!: string;
}

/** The data that a client needs to continue a payment that is not finished. */
export class ContinuedPayment {
  /**
   * Id of the payment at the payment provider.
   * @example pi_3MtwBwLkdIwHu7ix28a3tqPa
   */
  payment_intent_id!: string;
  /** Status of the payment. */
  @ApiProperty({ enum: PAYMENT_HISTORY_STATUSES }) status!: PaymentHistoryStatus;
  /**
   * Secret for the payment form of the provider. Its holder can pay this payment, so give it only
   * to the user's browser. Null if nothing is left to pay.
   */
  client_secret!: string | null;
  /** Public key for the payment form of the provider. It is not a secret. */
  publishable_key!: string;
  /** Amount in cents of the currency. */
  @ApiProperty({ type: 'integer' }) amount_cents!: number;
  /**
   * Currency code (ISO 4217) in lower case.
   * @example usd
   */
  currency!: string;
}

/** Confirms that the platform stored an event of the payment provider. */
export class WebhookReceipt {
  /** Always true. */
  received!: true;
}
