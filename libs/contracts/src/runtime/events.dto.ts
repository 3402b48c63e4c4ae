import { IsOptional, ValidateIf } from 'class-validator';
import { IsRawObject } from '../deploys.dto.js';
import { IsTime } from '../moments.js';
import { IsAppId, IsLine, IsListOfTexts, IsPattern, IsTenantId, IsUuid, IsWholeNumber } from '../validators.js';
import { IsRunGrant } from './run-grants.dto.js';

/** Maximum number of event handlers in a chain, in which each handler publishes the next event. */
export const MAX_EVENT_HOPS = 8;
/** Maximum size of the data as JSON. */
export const MAX_EVENT_BYTES = 64 * 1024;
/** Source of events that no app published. */
export const PLATFORM_SOURCE = 'platform';

const EVENT_TYPE = /^[A-Za-z0-9][\w-]*([.:][\w-]+)+$/;
const USER_ID = /^[\w-]+$/;

/**
 * An event that the gateway sends to the host. A retry with the same `event_id` has no second
 * effect.
 */
export class BusEvent {
  @IsUuid() event_id!: string;
  /**
   * Type of the event.
   * @example notes.note_added
   */
  @IsPattern(EVENT_TYPE, { minLength: 3, maxLength: 150 }) type!: string;
  @IsTenantId() tenant_id!: string;
  /** User of the event; null if it belongs to no user. */
  @ValidateIf((_event, value) => value !== null) @IsPattern(USER_ID, { minLength: 1, maxLength: 64 }) user_id!:
    string | null;
  /** App that published the event, or `platform`. */
  @IsLine(64) source!: string;
  @IsRawObject() data!: Record<string, unknown>;
  /** Number of event handlers in the chain that led to it. */
  @IsWholeNumber(0, MAX_EVENT_HOPS) hop!: number;
  @IsTime() timestamp!: Date;
}

/** An event that an app published, sent by the host. The user and the app are in the run grant. */
export class PublishedEventRequest {
  @IsRunGrant() grant!: string;
  /** Id of the event. A retry with the same id has no second effect. */
  @IsUuid() event_id!: string;
  /** Type of the event. It begins with the id of the app and a dot. */
  @IsPattern(EVENT_TYPE, { minLength: 3, maxLength: 150 }) type!: string;
  @IsRawObject() data!: Record<string, unknown>;
  @IsTime() timestamp!: Date;
}

/**
 * Asks which of these apps an event reaches. The gateway published the event or received it from
 * the host.
 */
export class EventSubscribersRequest {
  @IsUuid() event_id!: string;
  @IsListOfTexts(1_000, 64) app_ids!: string[];
}

export class EventSubscribersResponse {
  app_ids!: string[];
}

/** Maximum number of apps in one page. */
export const EVENT_AUDIENCE_PAGE = 1_000;

/** Asks which apps an event could reach, including apps without a handler for it. */
export class EventAudienceRequest {
  @IsUuid() event_id!: string;
  /** Last app id of the previous page. */
  @IsOptional() @IsAppId() after?: string;
}

export class EventAudienceResponse {
  /** App ids in order. */
  app_ids!: string[];
  has_more!: boolean;
}
