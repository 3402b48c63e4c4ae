import { ApiProperty } from '@nestjs/swagger';

export class EarningsResponse {
  /** Credits: the developer's shares of all calls so far. */
  @ApiProperty({ type: 'integer' }) total_earnings!: number;
  /** Credits: of those that earn by which these calls were paid, what is not the developer's. The platform's fee of reported actions is not in it. */
  @ApiProperty({ type: 'integer' }) total_platform_share!: number;
  /** Credits that are earned and neither paid out nor approved to be. */
  @ApiProperty({ type: 'integer' }) pending_payout!: number;
  /** Credits that were paid out. */
  @ApiProperty({ type: 'integer' }) paid_out!: number;
  /** Credits that a payout can be asked for now, where the tier has payouts: what is asked for already is not among them. */
  @ApiProperty({ type: 'integer' }) available!: number;
}

export class EarningsOfDay {
  /** @example 2026-11-21 */
  day!: string;
  /** Credits. */
  @ApiProperty({ type: 'integer' }) total!: number;
}

export class AppEarningsResponse {
  app_id!: string;
  /** Credits: the developer's shares of all calls of the app so far. */
  @ApiProperty({ type: 'integer' }) total_earnings!: number;
  /** The calls that the developer has a share of. */
  @ApiProperty({ type: 'integer' }) action_count!: number;
  /** The days (UTC) on which something was earned, the oldest first, as far back as the tier's analytics go. */
  by_period!: EarningsOfDay[];
}
