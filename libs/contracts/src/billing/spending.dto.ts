import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { OfUser } from '../of-user.dto.js';
import { IsWholeNumber } from '../validators.js';
import { MAX_CREDITS } from './credits.js';

/** What may be spent for the user in a month (UTC) without them, in credits. */
export class SpendingResponse {
  /**
   * For calls in runs that began while nobody was there: of schedules, of events and of webhooks, and whatever these call. Null: any amount.
   */
  @ApiProperty({ type: 'integer', nullable: true, required: true }) unattended_limit!: number | null;
  /** For calls that apps make of other apps while the user is there. Null: any amount. */
  @ApiProperty({ type: 'integer', nullable: true, required: true }) other_apps_limit!: number | null;
  /** In this month, with what is held for calls under way. */
  @ApiProperty({ type: 'integer' }) unattended_spent!: number;
  @ApiProperty({ type: 'integer' }) other_apps_spent!: number;
  month_starts_at!: Date;
  resets_at!: Date;
}

/** What is absent stays as it is. */
export class UpdateSpendingRequest extends OfUser {
  /** Null: any amount. */
  @IsOptional() @IsWholeNumber(0, MAX_CREDITS) unattended_limit?: number | null;
  /** Null: any amount. */
  @IsOptional() @IsWholeNumber(0, MAX_CREDITS) other_apps_limit?: number | null;
}
