import { IsOptional } from 'class-validator';
import { IsRawObject } from '../deploys.dto.js';
import { NOTIFICATION_PRIORITIES, type NotificationPriority } from '../notifications.dto.js';
import { IsLine, IsListOfTexts, IsOneOf, IsProse, IsQueryInteger } from '../validators.js';
import { IsRunGrant } from './run-grants.dto.js';

/** What the host of extensions asks the gateway for, under `/v1/internal/`. */

/** As many digits as a query may have. */
const MAX_REVISION = 999_999_999_999_999;

/** Which version of an app runs. */
export class AppRuntime {
  app_id!: string;
  version!: string;
  /** Of the canonical document, in hexadecimal. */
  sha256!: string;
  /** Of the developer: where its webhooks run. */
  tenant_id!: string;
  developer_id!: string;
  /** Whether the marketplace has it, and users may call it. */
  is_active!: boolean;
  /** Whether nothing of it runs by itself: it is suspended, or the draft of a developer who may not sign in. */
  is_suspended!: boolean;
}

/** With all that its runs are held to. */
export class AppRuntimeInfo extends AppRuntime {
  /** Where it may send requests, `*` for everywhere. Null for a version from before there were such lists: it may send them anywhere, too. */
  hosts!: string[] | null;
  /** What of its context it may use, as `capabilitiesOf` names it. Null for a version from before there were such lists: everything. */
  capabilities!: string[] | null;
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
  runtime!: AppRuntime | null;
}

export class AppRuntimeChangesResponse {
  items!: AppRuntimeChange[];
  /** Where to go on, at once or later. */
  next!: number;
  has_more!: boolean;
}

/** The settings of the grant's app, for its tenant and user. */
export class AppConfigRequest {
  @IsRunGrant() grant!: string;
}

export class AppConfigResponse {
  /** Nested: the setting `mail.sender` is `config.mail.sender`. */
  config!: Record<string, unknown>;
}

/** A call of another app by a run. */
export class InternalCallRequest {
  /** Of the run that calls: for whom, in which tenant, with which scopes and after which calls, is in it. */
  @IsRunGrant() grant!: string;
  @IsLine(128) function!: string;
  @IsOptional() @IsRawObject() params?: Record<string, unknown> | null = {};
  /** Functions of the grant's own app that called each other inside the run, the one that calls now last. They can only end a chain sooner. */
  @IsOptional() @IsListOfTexts(32, 256) via?: string[];
}

/** A handler reached for what its kind of call has not. */
export class CapabilityDenialRequest {
  @IsRunGrant() grant!: string;
  /** @example notify */
  @IsLine(100) capability!: string;
  /** The handler, or the method that was called. */
  @IsLine(200) call!: string;
}

/** To the user of the grant. */
export class HostNotificationRequest {
  @IsRunGrant() grant!: string;
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
