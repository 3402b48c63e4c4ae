import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsOptional, ValidateNested } from 'class-validator';
import { IsAppId, IsLine, IsListOfTexts, IsOneOf, IsPattern, IsText, IsUuid } from '../validators.js';

/**
 * Maximum length of a run grant. The gateway makes a run grant, and only the gateway can read it;
 * the host returns it with every request of a run. It proves the version and the app, the kind of
 * run, the tenant, the user (or none), the scopes and the chain of calls. The scopes decide its
 * length: usually below 2,000 characters, and much more only for a user with hundreds of named
 * scopes.
 */
export const MAX_RUN_GRANT_LENGTH = 384 * 1024;
export const IsRunGrant = (): PropertyDecorator => IsText(MAX_RUN_GRANT_LENGTH);

/** Kinds of runs that the host starts without a request of the gateway. */
export const BACKGROUND_RUN_KINDS = ['webhook', 'schedule', 'event'] as const;
export type BackgroundRunKind = (typeof BACKGROUND_RUN_KINDS)[number];

export const MAX_RUN_GRANTS = 100;
export const MAX_EXCHANGED_USERS = 1_000;

/** A run that the host is about to start. */
export class BackgroundRun {
  @IsAppId() app_id!: string;
  @IsLine(64) version!: string;
  /** SHA-256 of the canonical document, in hexadecimal. */
  @IsPattern(/^[0-9a-f]{64}$/, { maxLength: 64 }) sha256!: string;
  @IsOneOf(BACKGROUND_RUN_KINDS) kind!: BackgroundRunKind;
  /** Path of the webhook, name of the schedule, or event type to which the handler subscribes. */
  @IsLine(300) handler!: string;
  /** Id of the event, which the gateway must know. Required for the kind `event`. */
  @IsOptional() @IsUuid() event_id?: string;
}

export class RunGrantsRequest {
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_RUN_GRANTS)
  @ValidateNested({ each: true })
  @Type(() => BackgroundRun)
  runs!: BackgroundRun[];
}

export class RunGrantResponse {
  grant!: string;
  @ApiProperty({ format: 'date-time' }) expires_at!: string;
  tenant_id!: string;
  /** User of the run; null for a run without a user. */
  user_id!: string | null;
  scopes!: string[];
  /**
   * True if the run informs the app of its removal by the user. The run cannot publish events, and
   * the host asks the gateway before each use of its store and each change of its secrets.
   */
  is_removal?: boolean;
}

/**
 * Asks if the app is still removed. The run grant (the permission of a run at the gateway) is that
 * of a run that informs the app of its removal.
 */
export class RunGrantCheckRequest {
  @IsRunGrant() grant!: string;
}

export class RunGrantsResponse {
  /** Grants in the order of the requested runs; null for a run that must not start. */
  grants!: (RunGrantResponse | null)[];
}

/**
 * The run grant (the permission of a run at the gateway) of a run without a user, and the users
 * whose documents it needs.
 */
export class RunUsersRequest {
  @IsRunGrant() grant!: string;
  @IsListOfTexts(MAX_EXCHANGED_USERS, 64) user_ids!: string[];
}

export class UserOfRun {
  user_id!: string;
  tenant_id!: string;
}

export class RunUsersResponse {
  /** Users for whom the app can act, with their tenants. Other users are left out. */
  users!: UserOfRun[];
}

/**
 * The run grant (the permission of a run at the gateway) of a run of a schedule, and the users for
 * whom it continues.
 */
export class RunGrantExchangeRequest {
  @IsRunGrant() grant!: string;
  @IsListOfTexts(MAX_EXCHANGED_USERS, 64) user_ids!: string[];
}

export class RunGrantExchangeResponse {
  /** Grants for the users for whom the app can act. Other users are left out. */
  grants!: (RunGrantResponse & { user_id: string })[];
}
