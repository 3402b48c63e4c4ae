import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, ValidateBy } from 'class-validator';
import { IsNotBlank } from '../developer/public-texts.js';
import { OfUser } from '../of-user.dto.js';
import { NeedsOneOf } from '../schema-rules.js';
import { IsLine, IsOneOf, IsProse, IsQueryInteger, IsWholeNumber } from '../validators.js';
import { CREDITS_PER_CENT, MAX_CREDITS } from './credits.js';

/** `pending` → `approved` → `paid`, or `rejected`. */
export const PAYOUT_STATUSES = ['pending', 'approved', 'paid', 'rejected'] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

/** Those that are not over. */
export const OPEN_PAYOUT_STATUSES = ['pending', 'approved'] as const;
export type OpenPayoutStatus = (typeof OPEN_PAYOUT_STATUSES)[number];

/** Credits. */
export const MIN_PAYOUT = 10_000;

const IsPayoutAmount = (): PropertyDecorator =>
  applyDecorators(
    IsWholeNumber(MIN_PAYOUT, MAX_CREDITS),
    ApiProperty({ multipleOf: CREDITS_PER_CENT, example: 25_000 }),
    ValidateBy(
      { name: 'isOfWholeCents', validator: { validate: (value) => typeof value !== 'number' || value % CREDITS_PER_CENT === 0 } },
      { message: `Input should be a multiple of ${CREDITS_PER_CENT}`, context: { type: 'multiple_of' } },
    ),
  );

/** One of `amount_tokens` and `amount`. */
@NeedsOneOf('amount_tokens', 'amount')
export class PayoutRequestCreate extends OfUser {
  /** Credits; ten of them are a US cent. */
  @IsOptional() @IsPayoutAmount() amount_tokens?: number | null;
  /** The same as `amount_tokens`. */
  @IsOptional() @IsPayoutAmount() amount?: number | null;
  /** The way of payment of your kept account; without one `manual`, as agreed with those who run the platform. Another one is refused. */
  @IsOptional() @IsLine(50) @IsNotBlank() payout_method?: string | null;
  /** For who pays. */
  @IsOptional() @IsProse(500) notes?: string | null;
}

export class PayoutResponse {
  @ApiProperty({ type: 'integer' }) id!: number;
  developer_id!: string;
  /** Credits. */
  @ApiProperty({ type: 'integer' }) amount_tokens!: number;
  /**
   * As it was worth when it was asked for.
   * @example 25.00
   */
  amount_usd!: string;
  @ApiProperty({ enum: PAYOUT_STATUSES }) status!: PayoutStatus;
  /** @example manual */
  method!: string;
  /** Of the developer. */
  notes!: string | null;
  /** Of who decided. */
  admin_note!: string | null;
  /** By which the payment is found; null unless it is paid. */
  reference!: string | null;
  requested_at!: Date;
  /** When it was paid or rejected; null before. */
  processed_at!: Date | null;
}

export class ListPayoutsQuery {
  @IsQueryInteger({ minimum: 1, maximum: 200, default: 50 }) limit: number = 50;
  @IsQueryInteger({ minimum: 0, maximum: 1_000_000, default: 0 }) offset: number = 0;
}

export class ListOpenPayoutsQuery {
  /** `pending`: to be decided about; `approved`: to be paid. */
  @IsOneOf(OPEN_PAYOUT_STATUSES, 'pending') status: OpenPayoutStatus = 'pending';
  @IsQueryInteger({ minimum: 1, maximum: 500, default: 100 }) limit: number = 100;
  @IsQueryInteger({ minimum: 0, maximum: 1_000_000, default: 0 }) offset: number = 0;
}

/** A payout that is not over, for who decides about it. */
export class OpenPayoutResponse {
  @ApiProperty({ type: 'integer' }) id!: number;
  /** The id of the developer. */
  developer!: string;
  nickname!: string | null;
  email!: string;
  /** Credits. */
  @ApiProperty({ type: 'integer' }) tokens!: number;
  /** @example 25.00 */
  usd!: string;
  @ApiProperty({ enum: OPEN_PAYOUT_STATUSES }) status!: OpenPayoutStatus;
  /** Way of payment of the kept account, else `manual`. */
  method!: string;
  /** Account to pay to, as the developer kept it by their password. Null where they keep none, or `destination_problem` says why it cannot be read. Pay to no account that stands in `notes`. */
  destination!: string | null;
  /** Why the kept account cannot be read, such as that its row was changed in the database: ask the developer before you pay. Null where it can. */
  destination_problem!: string | null;
  /** Time at which the developer set that account; null without one. */
  destination_set_at!: Date | null;
  /** Of the developer. */
  notes!: string | null;
  admin_note!: string | null;
  /** Credits that the developer owes the platform, such as for a dispute. While there are some, the payout is not approved. */
  @ApiProperty({ type: 'integer', example: 0 }) debt!: number;
  /**
   * Upper bound of its credits that were earned in the last days in which cards are disputed (`CARD_DISPUTE_DAYS`), so that the money of their users may still be taken
   * back.
   */
  @ApiProperty({ type: 'integer', example: 4_000 }) disputable_tokens!: number;
  requested_at!: Date;
}

export class PayoutPath {
  @IsQueryInteger({ minimum: 1, maximum: 2_147_483_647 }) payout_id!: number;
}

export class ApprovePayoutRequest {
  /** For the developer. */
  @IsProse(500) @ApiProperty({ required: false, default: '' }) note: string = '';
}

export class RejectPayoutRequest {
  /** For the developer. */
  @IsProse(500) @ApiProperty({ required: false, default: '' }) note: string = '';
  /**
   * What it is now. `approved` has to be said, for a payout that cannot be paid: who looks at a list of before must not give back credits of which
   * another is paying the money.
   */
  @IsOneOf(OPEN_PAYOUT_STATUSES, 'pending') from: OpenPayoutStatus = 'pending';
}

export class PayPayoutRequest {
  /** By which the payment is found, such as that of the bank. */
  @IsLine(200) @IsNotBlank() reference!: string;
}
