import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsQueryInteger } from '../validators.js';

/** How far back analytics go at most. */
export const MAX_ANALYTICS_DAYS = 365;

export class AppAnalyticsQuery {
  /** Today included. Default: 30, or as many as the tier allows when those are fewer. */
  @IsOptional() @IsQueryInteger({ minimum: 1, maximum: MAX_ANALYTICS_DAYS }) days?: number;
}

export class RevenueOfDay {
  /** @example 2026-11-21 */
  day!: string;
  /** Credits: the developer's shares. */
  @ApiProperty({ type: 'integer' }) revenue!: number;
}

export class CallsOfFunction {
  function!: string;
  @ApiProperty({ type: 'integer' }) calls!: number;
  /** Credits: the developer's shares. */
  @ApiProperty({ type: 'integer' }) revenue!: number;
}

export class AppAnalyticsResponse {
  app_id!: string;
  @ApiProperty({ type: 'integer' }) days!: number;
  @ApiProperty({ type: 'integer' }) total_calls!: number;
  /** Credits: the developer's shares in these days, those that are not booked yet included. */
  @ApiProperty({ type: 'integer' }) total_revenue!: number;
  @ApiProperty({ type: 'integer' }) unique_users!: number;
  /** A row for each day (UTC), the oldest first. */
  revenue_chart!: RevenueOfDay[];
  /** Those that were called most, first; at most 10. */
  top_functions!: CallsOfFunction[];
}
