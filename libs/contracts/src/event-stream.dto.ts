import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { DEFAULT_TENANT, IsPattern, IsTenantId } from './validators.js';

export class EventStreamQuery {
  /**
   * Tenant whose events a backend follows. Default: the tenant of the user that the backend names,
   * otherwise `default`. Users can only name their own tenant.
   */
  @IsOptional() @IsTenantId() @ApiProperty({ default: DEFAULT_TENANT }) tenant_id?: string;
  /** User whose events a backend follows. */
  @IsOptional() @IsPattern(/^[\w-]*$/, { minLength: 0, maxLength: 64 }) @ApiProperty({ default: '' }) user_id?: string;
  /**
   * Service token, access token or API key, for clients that cannot send a header, such as the
   * `EventSource` of browsers.
   */
  @IsOptional()
  @IsPattern(/^[\x21-\x7e]*$/, { minLength: 0, maxLength: 8_192 })
  @ApiProperty({ default: '' })
  token?: string;
  /**
   * Sources of the wanted events, separated by commas. Default: all. The source of a platform event
   * is the first part of its type: `billing`, `task` for `task_update`, `chat` for `chat_message`.
   * Events that apps publish have the source `extension`.
   */
  @IsOptional()
  @IsPattern(/^[a-z_]*(,[a-z_]+)*$/, { minLength: 0, maxLength: 500, example: 'billing,extension' })
  @ApiProperty({ default: '' })
  source_types?: string;
  /** Same as the header `Last-Event-ID`. If both are present, the header is used. */
  @IsOptional() @IsPattern(/^[\x21-\x7e]*$/, { minLength: 0, maxLength: 64 }) last_event_id?: string;
}

export class EventStreamStatsResponse {
  /**
   * Number of users and tenants with at least one client. One that has clients at two processes
   * counts twice.
   */
  @ApiProperty({ type: 'integer' }) channels!: number;
  /** Number of open streams. */
  @ApiProperty({ type: 'integer' }) clients!: number;
  /** Number of gateway processes with open streams. */
  @ApiProperty({ type: 'integer' }) processes!: number;
}
