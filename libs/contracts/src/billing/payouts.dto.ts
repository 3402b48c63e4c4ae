import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, ValidateBy } from 'class-validator';
import { IsNotBlank } from '../developer/public-texts.js';
import { ActingUserBody } from '../acting-user-body.dto.js';
import { NeedsOneOf } from '../schema-rules.js';
import { IsLine, IsOneOf, IsProse, IsQueryInteger, IsWholeNumber } from '../validators.js';
import { CREDITS_PER_CENT, MAX_CREDITS } from './credits.js';

/**
 * Statuses of a payout: `pending` → `approved` → `paid`; or `rejected` from `pending` or
 * `approved`.
 */
export const PAYOUT_STATUSES = ['pending', 'approved', 'paid', 'rejected'] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

/** Statuses of a payout that is neither paid nor rejected. */
export const OPEN_PAYOUT_STATUSES = ['pending', 'approved'] as const;
export type OpenPayoutStatus = (typeof OPEN_PAYOUT_STATUSES)[number];

/** Smallest payout in credits. */
export const MIN_PAYOUT = 10_000;

const IsPayoutAmount = (): PropertyDecorator =>
  applyDecorators(
    IsWholeNumber(MIN_PAYOUT, MAX_CREDITS),
    ApiProperty({ multipleOf: CREDITS_PER_CENT, example: 25_000 }),
    ValidateBy(
      {
        name: 'isOfWholeCents',
        validator: { validate: (value) => typeof value !== 'number' || value % CREDITS_PER_CENT === 0 },
      },
      { message: `Input should be a multiple of ${CREDITS_PER_CENT}`, context: { type: 'multiple_of' } },
    ),
  );

/** Requests a payout. Send `amount_tokens` or `amount`. */
@NeedsOneOf('amount_tokens', 'amount')
export class PayoutRequestCreate extends ActingUserBody {
  /** Credits to pay out. 10 credits are 1 US cent. */
  @IsOptional() @IsPayoutAmount() amount_tokens?: number | null;
  /** Same as `amount_tokens`. */
  @IsOptional() @IsPayoutAmount() amount?: number | null;
  /**
   * Payment method of the account that you set with your password. Any other value is refused. If
   * you set no account, the method is `manual`: agree it with the operator of the platform.
   */
  @IsOptional() @IsLine(50) @IsNotBlank() payout_method?: string | null;
  /** Note for the administrator. */
  @IsOptional() @IsProse(500) notes?: string | null;
}

export class PayoutResponse {
  /** Id of the payout. */
  @ApiProperty({ type: 'integer' }) id!: number;
  /** User id of the developer. */
  developer_id!: string;
  /** Credits to pay out. */
  @ApiProperty({ type: 'integer' }) amount_tokens!: number;
  /**
   * Value in US dollars at the time of the request.
   * @example 25.00
   */
  amount_usd!: string;
  /** Status of the payout. */
  @ApiProperty({ enum: PAYOUT_STATUSES }) status!: PayoutStatus;
  /**
   * Payment method.
   * @example manual
   */
  method!: string;
  /** Note of the developer. */
  notes!: string | null;
  /** Note of the administrator about the decision. */
  admin_note!: string | null;
  /**
   * Reference by which the developer can find the payment, such as that of the bank; null unless it
   * is paid.
   */
  reference!: string | null;
  /** Time of the request. */
  requested_at!: Date;
  /** Time at which the payout was paid or rejected; null before. */
  processed_at!: Date | null;
}

export class ListPayoutsQuery {
  /** Maximum number of items in the answer. */
  @IsQueryInteger({ minimum: 1, maximum: 200, default: 50 }) limit: number = 50;
  /** Number of items to skip. */
  @IsQueryInteger({ minimum: 0, maximum: 1_000_000, default: 0 }) offset: number = 0;
}

export class ListOpenPayoutsQuery {
  /** `pending`: waits for a decision. `approved`: waits for the payment. */
  @IsOneOf(OPEN_PAYOUT_STATUSES, 'pending') status: OpenPayoutStatus = 'pending';
  /** Maximum number of items in the answer. */
  @IsQueryInteger({ minimum: 1, maximum: 500, default: 100 }) limit: number = 100;
  /** Number of items to skip. */
  @IsQueryInteger({ minimum: 0, maximum: 1_000_000, default: 0 }) offset: number = 0;
}

/** An open payout, for administrators. */
export class OpenPayoutResponse {
  /** Id of the payout. */
  @ApiProperty({ type: 'integer' }) id!: number;
  /** User id of the developer. */
  developer!: string;
  /** Nickname of the developer; null if there is none. */
  nickname!: string | null;
  /** Email address of the developer. */
  email!: string;
  /** Credits to pay out. */
  @ApiProperty({ type: 'integer' }) tokens!: number;
  /**
   * Value in US dollars at the time of the request.
   * @example 25.00
   */
  usd!: string;
  /** Status of the payout. */
  @ApiProperty({ enum: OPEN_PAYOUT_STATUSES }) status!: OpenPayoutStatus;
  /** Payment method of the developer's account; `manual` if the developer set no account. */
  method!: string;
  /**
   * Account to which the payout must be paid, as the developer set it with the password. Null if
   * the developer set no account, or if it cannot be read (see `destination_problem`). Never pay to
   * an account from `notes`.
   */
  destination!: string | null;
  /**
   * Reason why the account cannot be read, such as that its row was changed in the database. Ask
   * the developer before you pay. Null if there is no problem.
   */
  destination_problem!: string | null;
  /** Time at which the developer set the account; null without an account. */
  destination_set_at!: Date | null;
  /** Note of the developer. */
  notes!: string | null;
  /** Note of the administrator about the decision; null if there is none. */
  admin_note!: string | null;
  /**
   * Credits that the developer owes the platform, such as after a dispute. A payout is not approved
   * while this is above 0.
   */
  @ApiProperty({ type: 'integer', example: 0 }) debt!: number;
  /**
   * Upper bound of the credits in this payout that were earned in the last `CARD_DISPUTE_DAYS`
   * days. Customers can still dispute the card payments for these credits.
   */
  @ApiProperty({ type: 'integer', example: 4_000 }) disputable_tokens!: number;
  /** Time of the request. */
  requested_at!: Date;
}

export class PayoutPath {
  /** Id of the payout. */
  @IsQueryInteger({ minimum: 1, maximum: 2_147_483_647 }) payout_id!: number;
}

export class ApprovePayoutRequest {
  /** Note for the developer. */
  @IsProse(500) @ApiProperty({ required: false, default: '' }) note: string = '';
}

export class RejectPayoutRequest {
  /** Note for the developer. */
  @IsProse(500) @ApiProperty({ required: false, default: '' }) note: string = '';
  /**
   * Current status of the payout. Send `approved` to reject an approved payout that cannot be paid.
   * The default protects against an outdated list: it refuses to return the credits of a payout
   * that another administrator has approved and may be paying.
   */
  @IsOneOf(OPEN_PAYOUT_STATUSES, 'pending') from: OpenPayoutStatus = 'pending';
}

export class PayPayoutRequest {
  /** Reference by which the payment can be found, such as that of the bank. */
  @IsLine(200) @IsNotBlank() reference!: string;
}
