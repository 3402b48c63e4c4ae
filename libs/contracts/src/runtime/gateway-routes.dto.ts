import { IsOptional } from 'class-validator';
import { IsRawObject } from '../deploys.dto.js';
import { NOTIFICATION_PRIORITIES, type NotificationPriority } from '../notifications.dto.js';
import { IsLine, IsListOfTexts, IsOneOf, IsProse, IsQueryInteger } from '../validators.js';
import { IsRunGrant } from './run-grants.dto.js';

/** Requests of the host to the gateway, below `/v1/internal/`. */

/** Largest integer that a query parameter can have. */
const MAX_REVISION = 999_999_999_999_999;

/** The version of an app that runs. */
export class AppRuntime {
  app_id!: string;
  version!: string;
  /** SHA-256 of the canonical document, in hexadecimal. */
  sha256!: string;
  /** Tenant of the developer. Webhooks of the app run in it. */
  tenant_id!: string;
  developer_id!: string;
  /** True if the app is in the marketplace and users can call it. */
  is_active!: boolean;
  /**
   * True if webhooks, schedules and events start no runs of the app: it is suspended, or it is a
   * draft whose developer cannot sign in.
   */
  is_suspended!: boolean;
}

/** The version of an app with the limits of its runs. */
export class AppRuntimeInfo extends AppRuntime {
  /** Hosts to which the version can send requests; `*` is any host. */
  hosts!: string[];
  /** Capabilities of the context that the version can use, named as by `capabilitiesOf`. */
  capabilities!: string[];
}

export class AppRuntimeChangesQuery {
  /** The `next` of the previous answer; 0 for the start. */
  @IsQueryInteger({ minimum: 0, maximum: MAX_REVISION, default: 0 }) after: number = 0;
  @IsQueryInteger({ minimum: 1, maximum: 500, default: 200 }) limit: number = 200;
}

/** A change of an app: another version runs, it became active or inactive, or it was deleted. */
export class AppRuntimeChange {
  app_id!: string;
  revision!: number;
  /** Current state; null if no version of the app runs. */
  runtime!: AppRuntime | null;
}

export class AppRuntimeChangesResponse {
  items!: AppRuntimeChange[];
  /** Value of `after` for the next request. */
  next!: number;
  has_more!: boolean;
}

/**
 * Asks for the settings of the app of a run grant (the permission of a run at the gateway), for its
 * tenant and its user.
 */
export class AppConfigRequest {
  @IsRunGrant() grant!: string;
}

export class AppConfigResponse {
  /** Settings as nested objects: the setting `mail.sender` is `config.mail.sender`. */
  config!: Record<string, unknown>;
}

/** A call of another app by a run. */
export class InternalCallRequest {
  /**
   * Grant of the run that calls. It contains the user, the tenant, the scopes and the previous
   * calls of the chain.
   */
  @IsRunGrant() grant!: string;
  @IsLine(128) function!: string;
  @IsOptional() @IsRawObject() params?: Record<string, unknown> | null = {};
  /**
   * Functions of the app of the grant that called each other inside the run, the current one last.
   * They only count toward the maximum length of a chain.
   */
  @IsOptional() @IsListOfTexts(32, 256) via?: string[];
}

/** Reports that a handler used a capability that its kind of run does not have. */
export class CapabilityDenialRequest {
  @IsRunGrant() grant!: string;
  /**
   * Name of the capability.
   * @example notify
   */
  @IsLine(100) capability!: string;
  /** Name of the handler, or of the method that was called. */
  @IsLine(200) call!: string;
}

/** A notification to the user of a run grant (the permission of a run at the gateway). */
export class HostNotificationRequest {
  @IsRunGrant() grant!: string;
  @IsProse(2_000) message!: string;
  /** `in_app` or `email`. For any other channel the answer is `sent: false`. */
  @IsLine(50) channel: string = 'in_app';
  @IsOneOf(NOTIFICATION_PRIORITIES, 'normal') priority: NotificationPriority = 'normal';
  @IsOptional() @IsLine(200) subject?: string | null;
  @IsOptional() @IsProse(20_000) body?: string | null;
}

export class NotificationSentResponse {
  /**
   * False if the channel does not exist, or if the user has reached the maximum number of mails.
   */
  sent!: boolean;
}
