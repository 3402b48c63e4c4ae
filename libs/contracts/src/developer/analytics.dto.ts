import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsQueryInteger } from '../validators.js';

/** Maximum number of days that analytics reach back. */
export const MAX_ANALYTICS_DAYS = 365;

export class AppAnalyticsQuery {
  /** Number of days, including today. Default: 30, or the maximum of the tier if that is less. */
  @IsOptional() @IsQueryInteger({ minimum: 1, maximum: MAX_ANALYTICS_DAYS }) days?: number;
}

export class RevenueOfDay {
  /**
   * Day in UTC.
   * @example 2026-11-21
   */
  day!: string;
  /** Credits that the developer earned. */
  @ApiProperty({ type: 'integer' }) revenue!: number;
}

export class CallsOfFunction {
  /** Name of the function. */
  function!: string;
  /** Number of calls. */
  @ApiProperty({ type: 'integer' }) calls!: number;
  /** Credits that the developer earned. */
  @ApiProperty({ type: 'integer' }) revenue!: number;
}

export class AppAnalyticsResponse {
  /** Id of the app. */
  app_id!: string;
  /** Number of days, including today. */
  @ApiProperty({ type: 'integer' }) days!: number;
  /** Number of calls in these days. */
  @ApiProperty({ type: 'integer' }) total_calls!: number;
  /**
   * Credits that the developer earned in these days, including earnings that are not booked yet.
   */
  @ApiProperty({ type: 'integer' }) total_revenue!: number;
  /** Number of different users that called the app in these days. */
  @ApiProperty({ type: 'integer' }) unique_users!: number;
  /** An entry for each day (UTC), oldest first. */
  revenue_chart!: RevenueOfDay[];
  /** Functions with the most calls first; at most 10. */
  top_functions!: CallsOfFunction[];
}
