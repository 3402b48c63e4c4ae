import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { DEFAULT_TENANT, IsPattern, IsTenantId } from './validators.js';

export class EventStreamQuery {
  /** Of a trusted backend: the tenant, `default` unless it names one or a user. Users have their own. */
  @IsOptional() @IsTenantId() @ApiProperty({ default: DEFAULT_TENANT }) tenant_id?: string;
  /** The user whose events a trusted backend wants. */
  @IsOptional() @IsPattern(/^[\w-]*$/, { minLength: 0, maxLength: 64 }) @ApiProperty({ default: '' }) user_id?: string;
  /** Instead of a header, which the `EventSource` of browsers cannot send: a service token, an access token or an API key. */
  @IsOptional() @IsPattern(/^[\x21-\x7e]*$/, { minLength: 0, maxLength: 8_192 }) @ApiProperty({ default: '' }) token?: string;
  /**
   * The sources whose events are wanted, separated by commas; all unless told. The source of an event of the platform is what its type begins with, such as `billing`, `task` of `task_update` or `chat` of `chat_message`;
   * `extension` are those that apps publish.
   */
  @IsOptional()
  @IsPattern(/^[a-z_]*(,[a-z_]+)*$/, { minLength: 0, maxLength: 500, example: 'billing,extension' })
  @ApiProperty({ default: '' })
  source_types?: string;
  /** As the header `Last-Event-ID`, which counts where both are sent. */
  @IsOptional() @IsPattern(/^[\x21-\x7e]*$/, { minLength: 0, maxLength: 64 }) last_event_id?: string;
}

export class EventStreamStatsResponse {
  /** Users, and whole tenants, that somebody follows. One whom clients follow at two processes counts twice. */
  @ApiProperty({ type: 'integer' }) channels!: number;
  @ApiProperty({ type: 'integer' }) clients!: number;
  /** Of the gateway, at which clients follow events. */
  @ApiProperty({ type: 'integer' }) processes!: number;
}
