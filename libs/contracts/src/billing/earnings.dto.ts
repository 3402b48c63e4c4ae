import { ApiProperty } from '@nestjs/swagger';

export class EarningsResponse {
  /** Credits that the developer earned with all calls so far. */
  @ApiProperty({ type: 'integer' }) total_earnings!: number;
  /**
   * Credits that the platform kept of the earning credits that paid for these calls. The platform
   * fee of reported actions is not included.
   */
  @ApiProperty({ type: 'integer' }) total_platform_share!: number;
  /** Earned credits that are neither paid out nor part of an approved payout. */
  @ApiProperty({ type: 'integer' }) pending_payout!: number;
  /** Credits that were paid out. */
  @ApiProperty({ type: 'integer' }) paid_out!: number;
  /**
   * Credits that the developer can request as a payout now, if the tier allows payouts. Credits in
   * open payout requests are not included.
   */
  @ApiProperty({ type: 'integer' }) available!: number;
}

export class EarningsOfDay {
  /**
   * Day in UTC.
   * @example 2026-11-21
   */
  day!: string;
  /** Credits that the developer earned on this day. */
  @ApiProperty({ type: 'integer' }) total!: number;
}

export class AppEarningsResponse {
  /** Id of the app. */
  app_id!: string;
  /** Credits that the developer earned with all calls of the app so far. */
  @ApiProperty({ type: 'integer' }) total_earnings!: number;
  /** Number of calls that earned credits for the developer. */
  @ApiProperty({ type: 'integer' }) action_count!: number;
  /** Days (UTC) with earnings, oldest first, as far back as the tier's analytics reach. */
  by_period!: EarningsOfDay[];
}
