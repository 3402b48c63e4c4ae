import { IsOptional, ValidateIf, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import { IsRawObject } from '../deploys.dto.js';
import { IsAppId, IsLine, IsListOfTexts, IsOneOf, IsPattern, IsTenantId, IsText, IsTrueOrFalse, IsWholeNumber } from '../validators.js';
import { MAX_EVENT_HOPS } from './events.dto.js';
import { IsRunGrant } from './run-grants.dto.js';
import { WEBHOOK_CHANNELS, type WebhookChannel } from './webhook-address.js';

/** The user that a function runs for, as the gateway knows them. */
export class RunUser {
  @IsPattern(/^[\w-]+$/, { minLength: 1, maxLength: 64 }) user_id!: string;
  @IsText(320) email!: string;
  @IsTenantId() tenant_id!: string;
  @IsText(64) role!: string;
  /** Effective ones, or fewer where the credential has fewer. */
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

/** A function of one version of an app, and for whom it runs. Whether they may call it, and the params, are checked already. */
export class RunRequest {
  /** Proves to the gateway what this run may ask of it. */
  @IsRunGrant() grant!: string;
  @IsAppId() app_id!: string;
  @IsLine(64) version!: string;
  /** Of the canonical document, in hexadecimal. */
  @IsPattern(/^[0-9a-f]{64}$/, { maxLength: 64 }) sha256!: string;
  @IsLine(128) function!: string;
  @IsRawObject() params!: Record<string, unknown>;
  /** Null for a run that belongs to no user: a webhook has called the function. */
  @ValidateIf((_request, value) => value !== null)
  @ValidateNested({ message: 'Input should be a valid dictionary' })
  @Type(() => RunUser)
  user!: RunUser | null;
  @IsTenantId() tenant_id!: string;
  /** What the run is told of the tenant. */
  @IsOptional() @ValidateNested({ message: 'Input should be a valid dictionary' }) @Type(() => RunTenant) tenant?: RunTenant | null;
  /** The functions that called each other to come here, as `app.function`, the first one first. */
  @IsListOfTexts(32, 256) chain!: string[];
  @IsWholeNumber(1, 1_800_000) timeout_ms!: number;
  /** It goes on after the request that asked for it: it may take longer, and tells the gateway how far it is. */
  @IsOptional() @IsTrueOrFalse() is_task?: boolean;
  /** Where the webhooks of the app are. `live` unless told. */
  @IsOptional() @IsOneOf(WEBHOOK_CHANNELS) channel?: WebhookChannel;
  /** Of the events that the run publishes: how many handlers of events led to it. 0 unless told. */
  @IsOptional() @IsWholeNumber(0, MAX_EVENT_HOPS + 1) hop?: number;
}
