import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsTrueOrFalse, IsWholeNumber, Matches } from '../validators.js';

export const AUTO_TOPUP_PAUSES = ['declined', 'frequency', 'daily_cap', 'monthly_cap'] as const;
export const AUTO_TOPUP_STOPS = [
  'declined',
  'authentication_required',
  'card_removed',
  'refunded',
  'disputed',
] as const;

const IsCardIdOrEmpty = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ maxLength: 255, example: 'pm_1MtwBwLkdIwHu7ixEo9k2nZx' }),
    Matches(/^[A-Za-z0-9_]*$/, 255),
  );

/** Automatic top-up: the platform buys credits when the balance is below a threshold. */
export class AutoTopUpSettings {
  /** True if automatic top-up is enabled. */
  enabled!: boolean;
  /**
   * Percentage of the plan's included credits (`cap` of the wallet). The platform buys credits when
   * the balance is below it.
   */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 50, example: 10 }) threshold_pct!: number;
  /**
   * Credits of one purchase. If one purchase does not reach the threshold, the platform buys a
   * multiple of this amount at once.
   */
  @ApiProperty({ type: 'integer', example: 20_000 }) recharge_tokens!: number;
  /** Price of `recharge_tokens` in US cents. */
  @ApiProperty({ type: 'integer', example: 2_000 }) recharge_cents!: number;
  /** Id of the saved card that pays. Empty: the default card. */
  payment_method_id!: string;
  /** Maximum amount in US cents that automatic top-ups may charge in a day (UTC). */
  @ApiProperty({ type: 'integer', example: 10_000 }) daily_cap_cents!: number;
  /** Maximum amount in US cents that automatic top-ups may charge in a month (UTC). */
  @ApiProperty({ type: 'integer', example: 50_000 }) monthly_cap_cents!: number;
  /**
   * Current threshold in credits, computed from `threshold_pct`. 0 if the plan includes no credits;
   * the platform then buys nothing.
   */
  @ApiProperty({ type: 'integer', example: 3_000 }) threshold_tokens!: number;
  /**
   * Time of the user's last consent to automatic payments; null if automatic top-up is disabled.
   */
  consented_at!: Date | null;
  /** Time until which automatic top-up is paused; null if it is not paused. */
  paused_until!: Date | null;
  /**
   * Reason of the pause. `declined`: the card was declined. `frequency`: three purchases within ten
   * minutes. `daily_cap`, `monthly_cap`: the limit of the day or the month is reached. Null if it
   * is not paused.
   */
  @ApiProperty({ enum: AUTO_TOPUP_PAUSES, nullable: true, required: true }) paused_reason!:
    (typeof AUTO_TOPUP_PAUSES)[number] | null;
  /**
   * Reason why the platform disabled automatic top-up. `declined`: the card was declined three
   * times in a row. `authentication_required`: the bank requires the user to confirm payments.
   * `card_removed`: the card was removed. `refunded`, `disputed`: a payment was refunded or
   * disputed. Null if the platform did not disable it.
   */
  @ApiProperty({ enum: AUTO_TOPUP_STOPS, nullable: true, required: true }) stopped_reason!:
    (typeof AUTO_TOPUP_STOPS)[number] | null;
}

/** Changes the settings of automatic top-up. A field that is absent keeps its value. */
export class AutoTopUpUpdate {
  /** True gives consent to payments that the platform starts without the user. */
  @IsTrueOrFalse() enabled!: boolean;
  /** Percentage of the plan's included credits below which the platform buys credits. */
  @IsOptional() @IsWholeNumber(1, 50) threshold_pct?: number;
  /** Credits of one purchase; a multiple of 10. */
  @IsOptional() @IsWholeNumber(500, 999_999_990) @ApiProperty({ example: 20_000 }) recharge_tokens?: number;
  /**
   * Price of `recharge_tokens` in US cents, as the client showed it to the user. It must be a tenth
   * of `recharge_tokens`.
   */
  @IsOptional() @IsWholeNumber(1, 99_999_999) @ApiProperty({ example: 2_000 }) recharge_cents?: number;
  /** Id of a saved card. Empty: the default card at the time of each payment. */
  @IsOptional() @IsCardIdOrEmpty() payment_method_id?: string;
  /** Maximum amount in US cents per day (UTC). It must not be less than `recharge_cents`. */
  @IsOptional() @IsWholeNumber(50, 10_000_000) @ApiProperty({ example: 10_000 }) daily_cap_cents?: number;
  /** Maximum amount in US cents per month (UTC). It must not be less than `daily_cap_cents`. */
  @IsOptional() @IsWholeNumber(50, 10_000_000) @ApiProperty({ example: 50_000 }) monthly_cap_cents?: number;
}
