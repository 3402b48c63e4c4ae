import { IsOptional, ValidateIf } from 'class-validator';
import { IsRawObject } from '../deploys.dto.js';
import { NOTIFICATION_PRIORITIES, type NotificationPriority } from '../notifications.dto.js';
import { IsAppId, IsLine, IsListOfTexts, IsOneOf, IsPattern, IsProse, IsQueryInteger, IsTenantId, IsWholeNumber } from '../validators.js';
import { MAX_EVENT_HOPS } from './events.dto.js';

/** What the host of extensions asks the gateway for, under `/v1/internal/`. */

/** As many digits as a query may have. */
const MAX_REVISION = 999_999_999_999_999;

const USER_ID = /^[\w-]+$/;

const IsUserId = (): PropertyDecorator => IsPattern(USER_ID, { minLength: 1, maxLength: 64, example: 'usr_01h455vb4pex5vsknk084sn02q' });

/** Which version of an app runs. */
export class AppRuntimeInfo {
  app_id!: string;
  version!: string;
  /** Of the canonical document, in hexadecimal. */
  sha256!: string;
  /** Of the developer: where its webhooks run. */
  tenant_id!: string;
  developer_id!: string;
  /** Whether the marketplace has it, and users may call it. */
  is_active!: boolean;
}

export class AppRuntimeChangesQuery {
  /** The `next` of the answer before; 0 for everything. */
  @IsQueryInteger({ minimum: 0, maximum: MAX_REVISION, default: 0 }) after: number = 0;
  @IsQueryInteger({ minimum: 1, maximum: 500, default: 200 }) limit: number = 200;
}

/** That an app runs in another version, is active or not, or is gone. */
export class AppRuntimeChange {
  app_id!: string;
  revision!: number;
  /** As it is now; null when nothing of it runs. */
  runtime!: (AppRuntimeInfo & { is_suspended: boolean }) | null;
}

export class AppRuntimeChangesResponse {
  items!: AppRuntimeChange[];
  /** Where to go on, at once or later. */
  next!: number;
  has_more!: boolean;
}

export class AppConfigQuery {
  @IsTenantId() tenant_id: string = 'default';
  @IsOptional() @IsUserId() user_id?: string;
}

export class AppConfigResponse {
  /** Nested: the setting `mail.sender` is `config.mail.sender`. */
  config!: Record<string, unknown>;
}

export class InternalCallRequest {
  @IsLine(128) function!: string;
  @IsOptional() @IsRawObject() params?: Record<string, unknown> | null = {};
  /** For whom; null for a run of no user. */
  @ValidateIf((_request, value) => value !== null) @IsUserId() user_id!: string | null;
  @IsTenantId() tenant_id: string = 'default';
  /** The functions that called each other, as `app.function`, the one that calls now last. */
  @IsListOfTexts(32, 256) chain!: string[];
  @IsAppId() from_app!: string;
  /** What the run was given, where that is less than what the user holds, as for an API key. */
  @IsOptional() @IsListOfTexts(1_000, 200) scopes?: string[];
  /** As in `RunRequest`. */
  @IsOptional() @IsWholeNumber(0, MAX_EVENT_HOPS + 1) hop?: number;
}

/** A handler reached for what its kind of call has not. */
export class CapabilityDenialRequest {
  @IsAppId() app_id!: string;
  @IsLine(64) version!: string;
  /** @example notify */
  @IsLine(100) capability!: string;
  /** The handler, or the method that was called. */
  @IsLine(200) call!: string;
  @ValidateIf((_request, value) => value !== null) @IsUserId() user_id!: string | null;
  @IsTenantId() tenant_id: string = 'default';
}

export class NotificationRequest {
  @IsAppId() app_id!: string;
  @IsUserId() user_id!: string;
  @IsTenantId() tenant_id: string = 'default';
  @IsProse(2_000) message!: string;
  /** `in_app` or `email`; what is sent by no other is answered with `sent: false`. */
  @IsLine(50) channel: string = 'in_app';
  @IsOneOf(NOTIFICATION_PRIORITIES, 'normal') priority: NotificationPriority = 'normal';
  @IsOptional() @IsLine(200) subject?: string | null;
  @IsOptional() @IsProse(20_000) body?: string | null;
}

export class NotificationSentResponse {
  /** False for a channel that there is not, and for more mails than a user is sent. */
  sent!: boolean;
}
