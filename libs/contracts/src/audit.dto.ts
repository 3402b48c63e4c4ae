import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsTimeOrDay } from './moments.js';
import { IsQueryInteger, IsText } from './validators.js';

export class AuditQuery {
  @IsOptional() @IsText(200) actor_id?: string;
  @IsOptional() @IsText(100) target_type?: string;
  @IsOptional() @IsText(200) target_id?: string;
  /**
   * Action to find. With `*` at the end: all actions with this beginning, such as `role.*`.
   * @example role.updated
   */
  @IsOptional() @IsText(100) action?: string;
  @IsOptional() @IsText(100) source?: string;
  /**
   * Only entries at or after this time. A date alone means its start; without a time zone the time
   * is UTC.
   */
  @IsOptional() @IsTimeOrDay() from?: Date;
  /** Only entries before this time. Same formats as `from`. */
  @IsOptional() @IsTimeOrDay() to?: Date;
  @IsQueryInteger({ minimum: 1, maximum: 10_000, default: 1 }) page: number = 1;
  @IsQueryInteger({ minimum: 1, maximum: 200, default: 50 }) per_page: number = 50;
}

export class AuditEntryResponse {
  id!: string;
  created_at!: Date;
  tenant_id!: string;
  actor_id!: string;
  /** `user`, `api_key`, `service` or `system`. */
  actor_type!: string;
  /**
   * User on whose behalf the actor acted: the owner of the API key, or the user that a backend
   * named; otherwise null.
   */
  on_behalf_of!: string | null;
  /**
   * Action that was recorded.
   * @example role.updated
   */
  action!: string;
  target_type!: string;
  target_id!: string;
  /** Target before the action; null if the action records none. */
  before_state!: Record<string, unknown> | null;
  /** Target after the action; null if the action records none. */
  after_state!: Record<string, unknown> | null;
  metadata!: Record<string, unknown>;
  /** Same as `actor_type`. */
  source!: string;
  ip_address!: string | null;
  user_agent!: string | null;
  request_id!: string | null;
}

export class AuditPageResponse {
  /** Newest first. */
  items!: AuditEntryResponse[];
  /** Number of entries that match. The count stops 1000 entries after this page. */
  @ApiProperty({ type: 'integer' }) total!: number;
  /** False if more entries match than `total` says. */
  total_is_exact!: boolean;
  @ApiProperty({ type: 'integer' }) page!: number;
  @ApiProperty({ type: 'integer' }) per_page!: number;
}
