import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsTimeOrDay } from './moments.js';
import { IsQueryInteger, IsText } from './validators.js';

export class AuditQuery {
  @IsOptional() @IsText(200) actor_id?: string;
  @IsOptional() @IsText(100) target_type?: string;
  @IsOptional() @IsText(200) target_id?: string;
  /** One, or with `*` at its end all that begin so: `role.*`. @example role.updated */
  @IsOptional() @IsText(100) action?: string;
  @IsOptional() @IsText(100) source?: string;
  /** From this moment on. Without a time it is the beginning of the day, and without a time zone UTC. */
  @IsOptional() @IsTimeOrDay() from?: Date;
  /** Before this moment, read as `from`. */
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
  /** The user whose key it is, or whom the service acted for. */
  on_behalf_of!: string | null;
  /** @example role.updated */
  action!: string;
  target_type!: string;
  target_id!: string;
  before_state!: Record<string, unknown> | null;
  after_state!: Record<string, unknown> | null;
  metadata!: Record<string, unknown>;
  /** The same as `actor_type`. */
  source!: string;
  ip_address!: string | null;
  user_agent!: string | null;
  request_id!: string | null;
}

export class AuditPageResponse {
  /** The newest first. */
  items!: AuditEntryResponse[];
  /** How many match; counted up to 1000 beyond this page. */
  @ApiProperty({ type: 'integer' }) total!: number;
  /** False when there are more than `total`. */
  total_is_exact!: boolean;
  @ApiProperty({ type: 'integer' }) page!: number;
  @ApiProperty({ type: 'integer' }) per_page!: number;
}
