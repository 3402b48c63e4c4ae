import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsTrueOrFalse, IsWholeNumber, Matches } from '../validators.js';
import { PAYMENT_HISTORY_STATUSES, type PaymentHistoryStatus } from './payments.dto.js';

/**
 * Stripe accepts amounts of 50 cents to eight digits:
 * https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts.
 */
const MAX_CENTS = 99_999_999;
export const MIN_TOPUP_CENTS = 50;

/** The value must have the form of an id of a payment at the payment provider. */
export const IsIntentId = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ maxLength: 255, example: 'pi_3MtwBwLkdIwHu7ix28a3tqPa' }),
    Matches(/^[A-Za-z0-9_]+$/, 255),
  );

/** An amount of credits that clients offer. */
export class TopUpTier {
  /**
   * Credits.
   * @example 10000
   */
  @ApiProperty({ type: 'integer' }) tokens!: number;
  /**
   * Price in US cents.
   * @example 1000
   */
  @ApiProperty({ type: 'integer' }) price_cents!: number;
  /**
   * Text to show to the user.
   * @example 10,000 credits
   */
  label!: string;
}

export class TopUpConfigResponse {
  /** Public key for the payment form of the provider. It is not a secret. */
  publishable_key!: string;
  /** Amounts to offer to the user. */
  @ApiProperty({ type: [TopUpTier] }) tiers!: TopUpTier[];
  /** Smallest amount of a top-up in US cents. */
  @ApiProperty({ type: 'integer' }) custom_min_cents!: number;
  /** Largest amount of a top-up in US cents. */
  @ApiProperty({ type: 'integer' }) custom_max_cents!: number;
  /** Credits for 1 US cent. */
  @ApiProperty({ type: 'integer' }) token_rate!: number;
}

export class TopUpRequest {
  /**
   * Credits to buy; a multiple of 10. The operator can set a lower maximum: `custom_max_cents` of
   * `/v1/billing/topup-config`.
   */
  @IsWholeNumber(500, 999_999_990) @ApiProperty({ example: 10_000 }) tokens!: number;
  /** Price in US cents, as the client showed it to the user. It must be a tenth of `tokens`. */
  @IsWholeNumber(1, MAX_CENTS) @ApiProperty({ example: 1_000 }) price_cents!: number;
  /** True saves the card for payments that the platform starts without the user. */
  @IsTrueOrFalse() @ApiProperty({ required: false, default: false }) save_payment_method: boolean = false;
  /**
   * True charges the saved card immediately. If the bank requires the user's confirmation,
   * `requires_action` is true and the user must finish the payment in a browser.
   */
  @IsTrueOrFalse() @ApiProperty({ required: false, default: false }) off_session: boolean = false;
}

export class TopUpResponse {
  /**
   * Secret for the payment form of the provider. Its holder can pay this payment, so give it only
   * to the user's browser.
   */
  client_secret!: string;
  /**
   * Id of the payment at the payment provider.
   * @example pi_3MtwBwLkdIwHu7ix28a3tqPa
   */
  payment_intent_id!: string;
  /** Public key for the payment form of the provider. It is not a secret. */
  publishable_key!: string;
  /** Amount in cents of the currency. */
  @ApiProperty({ type: 'integer' }) amount_cents!: number;
  /**
   * Currency code (ISO 4217) in lower case.
   * @example usd
   */
  currency!: string;
  /** True if the payment has succeeded and the credits are in the wallet. */
  succeeded!: boolean;
  /** True if the user must finish the payment of the saved card in a browser. */
  requires_action!: boolean;
}

export class TopUpConfirmRequest {
  /** Id of the payment at the payment provider. */
  @IsIntentId() payment_intent_id!: string;
}

export class TopUpConfirmResponse {
  /** Id of the payment at the payment provider. */
  payment_intent_id!: string;
  /** Status of the payment. */
  @ApiProperty({ enum: PAYMENT_HISTORY_STATUSES }) status!: PaymentHistoryStatus;
  /**
   * Credits that the wallet got for this payment, even if an event of the provider has already
   * booked them.
   */
  @ApiProperty({ type: 'integer' }) credited!: number;
  /** Credits that the user can spend now. */
  @ApiProperty({ type: 'integer' }) balance!: number;
}
