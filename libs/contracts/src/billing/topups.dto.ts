import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsTrueOrFalse, IsWholeNumber, Matches } from '../validators.js';
import { PAYMENT_HISTORY_STATUSES, type PaymentHistoryStatus } from './payments.dto.js';

/** Stripe takes amounts of eight digits, and no less than 50 cents: https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts. */
const MAX_CENTS = 99_999_999;
export const MIN_TOPUP_CENTS = 50;

/** The provider's id of a payment. */
export const IsIntentId = (): PropertyDecorator =>
  applyDecorators(ApiProperty({ maxLength: 255, example: 'pi_3MtwBwLkdIwHu7ix28a3tqPa' }), Matches(/^[A-Za-z0-9_]+$/, 255));

/** An amount that clients offer. */
export class TopUpTier {
  /** @example 10000 */
  @ApiProperty({ type: 'integer' }) tokens!: number;
  /** @example 1000 */
  @ApiProperty({ type: 'integer' }) price_cents!: number;
  /** @example 10,000 credits */
  label!: string;
}

export class TopUpConfigResponse {
  /** Of the provider's form, for browsers. No secret. */
  publishable_key!: string;
  @ApiProperty({ type: [TopUpTier] }) tiers!: TopUpTier[];
  @ApiProperty({ type: 'integer' }) custom_min_cents!: number;
  @ApiProperty({ type: 'integer' }) custom_max_cents!: number;
  /** Credits for a US cent. */
  @ApiProperty({ type: 'integer' }) token_rate!: number;
}

export class TopUpRequest {
  /** Credits, by tens. An operator may sell less at once: `custom_max_cents` of `/v1/billing/topup-config`. */
  @IsWholeNumber(500, 999_999_990) @ApiProperty({ example: 10_000 }) tokens!: number;
  /** What they cost, as the client showed it: a tenth of `tokens`. */
  @IsWholeNumber(1, MAX_CENTS) @ApiProperty({ example: 1_000 }) price_cents!: number;
  /** Keeps the card for payments without the user. */
  @IsTrueOrFalse() @ApiProperty({ required: false, default: false }) save_payment_method: boolean = false;
  /** The saved card pays at once. Where its bank wants to see the user, `requires_action` says so, and a browser ends it. */
  @IsTrueOrFalse() @ApiProperty({ required: false, default: false }) off_session: boolean = false;
}

export class TopUpResponse {
  /** For the provider's form. It lets who has it pay this payment, so it belongs to the user alone. */
  client_secret!: string;
  /** @example pi_3MtwBwLkdIwHu7ix28a3tqPa */
  payment_intent_id!: string;
  /** Of the provider's form, for browsers. No secret. */
  publishable_key!: string;
  @ApiProperty({ type: 'integer' }) amount_cents!: number;
  /** @example usd */
  currency!: string;
  /** Whether it is paid, and credited, already. */
  succeeded!: boolean;
  /** Of the saved card: whether a browser has to end it. */
  requires_action!: boolean;
}

export class TopUpConfirmRequest {
  @IsIntentId() payment_intent_id!: string;
}

export class TopUpConfirmResponse {
  payment_intent_id!: string;
  @ApiProperty({ enum: PAYMENT_HISTORY_STATUSES }) status!: PaymentHistoryStatus;
  /** Credits that this payment has brought, whoever said so first. */
  @ApiProperty({ type: 'integer' }) credited!: number;
  /** Credits that can be spent now. */
  @ApiProperty({ type: 'integer' }) balance!: number;
}
