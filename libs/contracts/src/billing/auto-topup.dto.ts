import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsTrueOrFalse, IsWholeNumber, Matches } from '../validators.js';

export const AUTO_TOPUP_PAUSES = ['declined', 'frequency', 'daily_cap', 'monthly_cap'] as const;
export const AUTO_TOPUP_STOPS = ['declined', 'authentication_required', 'card_removed', 'refunded', 'disputed'] as const;

const IsCardIdOrEmpty = (): PropertyDecorator =>
  applyDecorators(ApiProperty({ maxLength: 255, example: 'pm_1MtwBwLkdIwHu7ixEo9k2nZx' }), Matches(/^[A-Za-z0-9_]*$/, 255));

/** How the user lets credits be bought when few are left. */
export class AutoTopUpSettings {
  enabled!: boolean;
  /** Of the credits that the plan brings (`cap` of the wallet). Below it, credits are bought. */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 50, example: 10 }) threshold_pct!: number;
  /** Credits that are bought; as many times as much at once where that leaves fewer than the threshold. */
  @ApiProperty({ type: 'integer', example: 20_000 }) recharge_tokens!: number;
  /** What they cost. */
  @ApiProperty({ type: 'integer', example: 2_000 }) recharge_cents!: number;
  /** The saved card that pays; empty: the default one. */
  payment_method_id!: string;
  /** US cents that are paid in a day (UTC) at most. */
  @ApiProperty({ type: 'integer', example: 10_000 }) daily_cap_cents!: number;
  /** US cents that are paid in a month (UTC) at most. */
  @ApiProperty({ type: 'integer', example: 50_000 }) monthly_cap_cents!: number;
  /** What the percentage comes to now. 0 where the plan brings no credits: then nothing is bought. */
  @ApiProperty({ type: 'integer', example: 3_000 }) threshold_tokens!: number;
  /** When the user last consented to what is enabled; null where it is not. */
  consented_at!: Date | null;
  /** Nothing is bought before; null where that is over. */
  paused_until!: Date | null;
  /** Why: the card was declined; three were bought in ten minutes; or what may be paid in a day or a month was. */
  @ApiProperty({ enum: AUTO_TOPUP_PAUSES, nullable: true, required: true }) paused_reason!: (typeof AUTO_TOPUP_PAUSES)[number] | null;
  /** Why it was disabled without the user: declined three times in a row, a bank that wants to see them, or a card that is gone. */
  @ApiProperty({ enum: AUTO_TOPUP_STOPS, nullable: true, required: true }) stopped_reason!: (typeof AUTO_TOPUP_STOPS)[number] | null;
}

/** What is absent stays as it is. */
export class AutoTopUpUpdate {
  /** To enable it is to consent to payments without the user. */
  @IsTrueOrFalse() enabled!: boolean;
  @IsOptional() @IsWholeNumber(1, 50) threshold_pct?: number;
  /** Credits, by tens, as a top-up. */
  @IsOptional() @IsWholeNumber(500, 999_999_990) @ApiProperty({ example: 20_000 }) recharge_tokens?: number;
  /** What they cost, as the client showed it: a tenth of `recharge_tokens`. */
  @IsOptional() @IsWholeNumber(1, 99_999_999) @ApiProperty({ example: 2_000 }) recharge_cents?: number;
  /** Empty: the default card, whichever that is. */
  @IsOptional() @IsCardIdOrEmpty() payment_method_id?: string;
  /** No less than `recharge_cents`. */
  @IsOptional() @IsWholeNumber(50, 10_000_000) @ApiProperty({ example: 10_000 }) daily_cap_cents?: number;
  /** No less than `daily_cap_cents`. */
  @IsOptional() @IsWholeNumber(50, 10_000_000) @ApiProperty({ example: 50_000 }) monthly_cap_cents?: number;
}
