import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, MinLength } from 'class-validator';
import { IsProse, IsWholeNumber } from '../validators.js';

/**
 * States of a refund. `requested`: the provider has not answered yet; the platform asks again.
 * `pending`: the bank has not decided yet.
 */
export const REFUND_STATES = ['requested', 'pending', 'succeeded', 'failed'] as const;
export type RefundState = (typeof REFUND_STATES)[number];

export class RefundPaymentRequest {
  /** US cents to refund. Absent: the whole rest of the payment. */
  @IsOptional() @IsWholeNumber(1, 99_999_999) amount_cents?: number | null;
  /** Reason of the refund. It is stored with the refund. */
  @IsProse(500) @MinLength(1, { message: 'String should have at least 1 character' }) note!: string;
}

export class RefundPaymentResponse {
  /** Id of the refund. */
  refund_id!: string;
  /**
   * Id of the payment at the payment provider.
   * @example pi_3MtwBwLkdIwHu7ix28a3tqPa
   */
  payment_intent_id!: string;
  /**
   * State of the refund. `requested`: the provider has not answered yet. `pending`: the bank has
   * not decided yet.
   */
  @ApiProperty({ enum: REFUND_STATES }) status!: RefundState;
  /** US cents of this refund. */
  @ApiProperty({ type: 'integer' }) amount_cents!: number;
  /** US cents of the payment that are refunded by this and all earlier refunds. */
  @ApiProperty({ type: 'integer' }) refunded_cents!: number;
  /** US cents of the payment that can still be refunded. */
  @ApiProperty({ type: 'integer' }) left_cents!: number;
  /**
   * Credits that were taken back for this refund, including `debt`. 0 until the refund has
   * succeeded.
   */
  @ApiProperty({ type: 'integer' }) credits_taken!: number;
  /** Credits that the user had already spent and now owes. */
  @ApiProperty({ type: 'integer' }) debt!: number;
}
