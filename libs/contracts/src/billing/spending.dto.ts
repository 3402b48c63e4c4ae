import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { ActingUserBody } from '../acting-user-body.dto.js';
import { IsWholeNumber } from '../validators.js';
import { MAX_CREDITS } from './credits.js';

/**
 * Limits, in credits per month (UTC), on the credits that calls may spend without the user's direct
 * action.
 */
export class SpendingResponse {
  /**
   * Limit for calls of runs that start without the user: runs of schedules, events and webhooks,
   * and all calls that they make. Null: no limit.
   */
  @ApiProperty({ type: 'integer', nullable: true, required: true }) unattended_limit!: number | null;
  /** Limit for calls that apps make to other apps while the user is present. Null: no limit. */
  @ApiProperty({ type: 'integer', nullable: true, required: true }) other_apps_limit!: number | null;
  /**
   * Credits spent this month by runs that started without the user, including the reservations of
   * running calls.
   */
  @ApiProperty({ type: 'integer' }) unattended_spent!: number;
  /**
   * Credits spent this month by calls of apps to other apps, including the reservations of running
   * calls.
   */
  @ApiProperty({ type: 'integer' }) other_apps_spent!: number;
  /** Start of the month (UTC). */
  month_starts_at!: Date;
  /** End of the month (UTC). Then both sums restart at 0. */
  resets_at!: Date;
}

/** Changes the spending limits. A field that is absent keeps its value. */
export class UpdateSpendingRequest extends ActingUserBody {
  /** Credits per month (UTC) for runs that start without the user. Null: no limit. */
  @IsOptional() @IsWholeNumber(0, MAX_CREDITS) unattended_limit?: number | null;
  /** Credits per month (UTC) for calls that apps make to other apps. Null: no limit. */
  @IsOptional() @IsWholeNumber(0, MAX_CREDITS) other_apps_limit?: number | null;
}
