import { IsOptional, ValidateIf, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import { IsRawObject } from '../deploys.dto.js';
import {
  IsAppId,
  IsLine,
  IsListOfTexts,
  IsOneOf,
  IsPattern,
  IsTenantId,
  IsText,
  IsTrueOrFalse,
  IsWholeNumber,
} from '../validators.js';
import { MAX_EVENT_HOPS } from './events.dto.js';
import { IsRunGrant } from './run-grants.dto.js';
import { WEBHOOK_CHANNELS, type WebhookChannel } from './webhook-address.js';

/** The user of a run, as the gateway knows them. */
export class RunUser {
  @IsPattern(/^[\w-]+$/, { minLength: 1, maxLength: 64 }) user_id!: string;
  @IsText(320) email!: string;
  @IsTenantId() tenant_id!: string;
  @IsText(64) role!: string;
  /** Effective scopes, limited to those of the credential. */
  @IsListOfTexts(1_000, 200) scopes!: string[];
  @IsOptional() @IsText(64) agency_id?: string | null;
  @IsOptional() @IsText(64) org_id?: string | null;
  @IsOptional() @IsRawObject() attributes?: Record<string, unknown> | null;
}

export class RunTenant {
  @IsText(200) name!: string;
  @IsTrueOrFalse() is_active!: boolean;
  @IsRawObject() features!: Record<string, unknown>;
  @IsOneOf(['shared', 'dedicated']) isolation!: 'shared' | 'dedicated';
}

/**
 * A function of one version of an app, and the user for whom it runs. The gateway has already
 * checked the permission and the parameters.
 */
export class RunRequest {
  /** Run grant: the permission of this run at the gateway. */
  @IsRunGrant() grant!: string;
  @IsAppId() app_id!: string;
  @IsLine(64) version!: string;
  /** SHA-256 of the canonical document, in hexadecimal. */
  @IsPattern(/^[0-9a-f]{64}$/, { maxLength: 64 }) sha256!: string;
  @IsLine(128) function!: string;
  @IsRawObject() params!: Record<string, unknown>;
  /** Null for a run without a user, such as a call by a webhook. */
  @ValidateIf((_request, value) => value !== null)
  @ValidateNested({ message: 'Input should be a valid dictionary' })
  @Type(() => RunUser)
  user!: RunUser | null;
  @IsTenantId() tenant_id!: string;
  /** Details of the tenant that the run can read. */
  @IsOptional()
  @ValidateNested({ message: 'Input should be a valid dictionary' })
  @Type(() => RunTenant)
  tenant?: RunTenant | null;
  /** Functions that called each other before this call, as `app.function`, the first one first. */
  @IsListOfTexts(32, 256) chain!: string[];
  @IsWholeNumber(1, 1_800_000) timeout_ms!: number;
  /**
   * True for a task: it continues after the request, can take longer and reports its progress to
   * the gateway.
   */
  @IsOptional() @IsTrueOrFalse() is_task?: boolean;
  /** Channel of the webhook addresses of the app. Default: `live`. */
  @IsOptional() @IsOneOf(WEBHOOK_CHANNELS) channel?: WebhookChannel;
  /** Number of event handlers that led to the run, for the events that it publishes. Default: 0. */
  @IsOptional() @IsWholeNumber(0, MAX_EVENT_HOPS + 1) hop?: number;
}
