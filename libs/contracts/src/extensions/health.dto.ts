import { ApiProperty } from '@nestjs/swagger';

export const KNOWN_HEALTH_STATUSES = ['healthy', 'degraded', 'unhealthy'] as const;
export type KnownHealthStatus = (typeof KNOWN_HEALTH_STATUSES)[number];
export const APP_HEALTH_STATUSES = [...KNOWN_HEALTH_STATUSES, 'unknown'] as const;
export type AppHealthStatus = (typeof APP_HEALTH_STATUSES)[number];

/** How an app does. Where nothing is known of it, or nobody may know it, there is the `status` alone. */
export class AppHealthResponse {
  /**
   * `degraded`: for at least one in ten of those who called it in the last hour the last call failed; `unhealthy`: for half of five or more; `unknown`: no published app
   * that runs here.
   */
  @ApiProperty({ enum: APP_HEALTH_STATUSES }) status!: AppHealthStatus;
  app_id?: string;
  /** Which one runs. */
  version?: string;
  /** When that was so; it is looked at again after half a minute. */
  @ApiProperty({ format: 'date-time', required: false }) checked_at?: string;
}
