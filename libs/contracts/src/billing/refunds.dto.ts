import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, MinLength } from 'class-validator';
import { IsProse, IsWholeNumber } from '../validators.js';

/** `requested`: the provider did not answer yet, and is asked again. `pending`: the bank takes its time. */
export const REFUND_STATES = ['requested', 'pending', 'succeeded', 'failed'] as const;
export type RefundState = (typeof REFUND_STATES)[number];

export class RefundPaymentRequest {
  /** US cents. Absent: all that is left of the payment. */
  @IsOptional() @IsWholeNumber(1, 99_999_999) amount_cents?: number | null;
  /** Why. It is kept with the refund. */
  @IsProse(500) @MinLength(1, { message: 'String should have at least 1 character' }) note!: string;
}

export class RefundPaymentResponse {
  refund_id!: string;
  /** @example pi_3MtwBwLkdIwHu7ix28a3tqPa */
  payment_intent_id!: string;
  @ApiProperty({ enum: REFUND_STATES }) status!: RefundState;
  @ApiProperty({ type: 'integer' }) amount_cents!: number;
  /** Of the payment, by this refund and those before. */
  @ApiProperty({ type: 'integer' }) refunded_cents!: number;
  /** That can still be refunded. */
  @ApiProperty({ type: 'integer' }) left_cents!: number;
  /** Credits that were taken back for this refund, `debt` included. 0 until it has succeeded. */
  @ApiProperty({ type: 'integer' }) credits_taken!: number;
  /** What of them was spent already: the user owes it. */
  @ApiProperty({ type: 'integer' }) debt!: number;
}
