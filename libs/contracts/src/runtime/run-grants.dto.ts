import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsOptional, ValidateNested } from 'class-validator';
import { IsAppId, IsLine, IsListOfTexts, IsOneOf, IsPattern, IsText, IsUuid } from '../validators.js';

/**
 * A run grant proves to the gateway on whose behalf a run asks: which version of which app, what kind of run, which tenant, which user or
 * none, with which scopes, after which chain of calls. Only the gateway can make and open one; the host passes it on as it is. Its length
 * comes from the scopes: mostly below 2,000 characters, and far more only where somebody was granted hundreds of scopes by name.
 */
export const MAX_RUN_GRANT_LENGTH = 384 * 1024;
export const IsRunGrant = (): PropertyDecorator => IsText(MAX_RUN_GRANT_LENGTH);

/** The kinds of runs that the host begins by itself. */
export const BACKGROUND_RUN_KINDS = ['webhook', 'schedule', 'event'] as const;
export type BackgroundRunKind = (typeof BACKGROUND_RUN_KINDS)[number];

export const MAX_RUN_GRANTS = 100;
export const MAX_EXCHANGED_USERS = 1_000;

/** A run that the host is about to begin. */
export class BackgroundRun {
  @IsAppId() app_id!: string;
  @IsLine(64) version!: string;
  /** Of the canonical document, in hexadecimal. */
  @IsPattern(/^[0-9a-f]{64}$/, { maxLength: 64 }) sha256!: string;
  @IsOneOf(BACKGROUND_RUN_KINDS) kind!: BackgroundRunKind;
  /** The path of the webhook, the name of the schedule, or the type as the handler of events subscribes to it. */
  @IsLine(300) handler!: string;
  /** Of the event that is handled: one that the gateway knows. Needed with the kind `event`. */
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
  /** Null for a run of no user. */
  user_id!: string | null;
  scopes!: string[];
  /**
   * Whether the run tells the app that its user has removed it: it publishes nothing, and the gateway is asked before each use of its store
   * and each change of its secrets.
   */
  is_removal?: boolean;
}

/** The grant of a run that tells an app of its removal: whether the app is still removed. */
export class RunGrantCheckRequest {
  @IsRunGrant() grant!: string;
}

export class RunGrantsResponse {
  /** In the order of the runs; null where the run may not begin. */
  grants!: (RunGrantResponse | null)[];
}

/** The grant of a run of no user, and the users whose documents it asks for. */
export class RunUsersRequest {
  @IsRunGrant() grant!: string;
  @IsListOfTexts(MAX_EXCHANGED_USERS, 64) user_ids!: string[];
}

export class UserOfRun {
  user_id!: string;
  tenant_id!: string;
}

export class RunUsersResponse {
  /** Those for whom the app may act, with the tenant of each; the others are left out. */
  users!: UserOfRun[];
}

/** The grant of a schedule's run, and the users for whom it wants to go on. */
export class RunGrantExchangeRequest {
  @IsRunGrant() grant!: string;
  @IsListOfTexts(MAX_EXCHANGED_USERS, 64) user_ids!: string[];
}

export class RunGrantExchangeResponse {
  /** Of the users for whom the app may act; the others are left out. */
  grants!: (RunGrantResponse & { user_id: string })[];
}
