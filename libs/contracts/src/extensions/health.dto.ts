import { ApiProperty } from '@nestjs/swagger';

export const KNOWN_HEALTH_STATUSES = ['healthy', 'degraded', 'unhealthy'] as const;
export type KnownHealthStatus = (typeof KNOWN_HEALTH_STATUSES)[number];
export const APP_HEALTH_STATUSES = [...KNOWN_HEALTH_STATUSES, 'unknown'] as const;
export type AppHealthStatus = (typeof APP_HEALTH_STATUSES)[number];

/**
 * Health of an app. Only `status` is present if the health is unknown or the caller has no access
 * to it.
 */
export class AppHealthResponse {
  /**
   * Computed from the last call of each user in the last hour. `degraded`: it failed for at least
   * 10% of the users. `unhealthy`: it failed for at least 50% of five or more users. `unknown`: no
   * published app with this id runs here.
   */
  @ApiProperty({ enum: APP_HEALTH_STATUSES }) status!: AppHealthStatus;
  /** Id of the app. */
  app_id?: string;
  /** Version that runs. */
  version?: string;
  /** Time of the computation. It is repeated after 30 seconds. */
  @ApiProperty({ format: 'date-time', required: false }) checked_at?: string;
}
