import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsTimeOrDay } from './moments.js';
import { IsQueryInteger, IsText } from './validators.js';

export class AuditQuery {
  /** Only entries of this actor. */
  @IsOptional() @IsText(200) actor_id?: string;
  /** Only entries about this type of target, such as `role`. */
  @IsOptional() @IsText(100) target_type?: string;
  /** Only entries about the target with this id. */
  @IsOptional() @IsText(200) target_id?: string;
  /**
   * Action to find. With `*` at the end: all actions with this beginning, such as `role.*`.
   * @example role.updated
   */
  @IsOptional() @IsText(100) action?: string;
  /** Only entries of this type of actor, as in `actor_type`. */
  @IsOptional() @IsText(100) source?: string;
  /**
   * Only entries at or after this time. A date alone means its start; without a time zone the time
   * is UTC.
   */
  @IsOptional() @IsTimeOrDay() from?: Date;
  /** Only entries before this time. Same formats as `from`. */
  @IsOptional() @IsTimeOrDay() to?: Date;
  /** Number of the page, from 1. */
  @IsQueryInteger({ minimum: 1, maximum: 10_000, default: 1 }) page: number = 1;
  /** Maximum number of items in a page. */
  @IsQueryInteger({ minimum: 1, maximum: 200, default: 50 }) per_page: number = 50;
}

export class AuditEntryResponse {
  /** Id of the entry. */
  id!: string;
  /** Time of the action. */
  created_at!: Date;
  /** Id of the tenant. */
  tenant_id!: string;
  /** Id of the user, API key, service or job that acted. */
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
  /** Type of the target, such as `role`. */
  target_type!: string;
  /** Id of the target. */
  target_id!: string;
  /** Target before the action; null if the action records none. */
  before_state!: Record<string, unknown> | null;
  /** Target after the action; null if the action records none. */
  after_state!: Record<string, unknown> | null;
  /** Additional data about the action. */
  metadata!: Record<string, unknown>;
  /** Same as `actor_type`. */
  source!: string;
  /** IP address of the client; null if it is not known. */
  ip_address!: string | null;
  /** User agent of the client; null if it is not known. */
  user_agent!: string | null;
  /** Id of the request; null without a request. */
  request_id!: string | null;
}

export class AuditPageResponse {
  /** Newest first. */
  items!: AuditEntryResponse[];
  /** Number of entries that match. The count stops 1000 entries after this page. */
  @ApiProperty({ type: 'integer' }) total!: number;
  /** False if more entries match than `total` says. */
  total_is_exact!: boolean;
  /** Number of the page, from 1. */
  @ApiProperty({ type: 'integer' }) page!: number;
  /** Maximum number of items in a page. */
  @ApiProperty({ type: 'integer' }) per_page!: number;
}
