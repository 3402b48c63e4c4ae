import { IsOptional, ValidateIf } from 'class-validator';
import { IsRawObject } from '../deploys.dto.js';
import { IsTime } from '../moments.js';
import { IsAppId, IsLine, IsListOfTexts, IsPattern, IsTenantId, IsUuid, IsWholeNumber } from '../validators.js';
import { IsRunGrant } from './run-grants.dto.js';

/** How many handlers of events may have led to an event, each by publishing the next. */
export const MAX_EVENT_HOPS = 8;
/** Of the data, as JSON. */
export const MAX_EVENT_BYTES = 64 * 1024;
/** The source of what no app has published. */
export const PLATFORM_SOURCE = 'platform';

const EVENT_TYPE = /^[A-Za-z0-9][\w-]*([.:][\w-]+)+$/;
const USER_ID = /^[\w-]+$/;

/** An event of the platform, from the gateway to the host. The same `event_id` again changes nothing. */
export class BusEvent {
  @IsUuid() event_id!: string;
  /** @example notes.note_added */
  @IsPattern(EVENT_TYPE, { minLength: 3, maxLength: 150 }) type!: string;
  @IsTenantId() tenant_id!: string;
  /** Whose event it is; null when it is nobody's. */
  @ValidateIf((_event, value) => value !== null) @IsPattern(USER_ID, { minLength: 1, maxLength: 64 }) user_id!: string | null;
  /** The app that has published it, or `platform`. */
  @IsLine(64) source!: string;
  @IsRawObject() data!: Record<string, unknown>;
  /** How many handlers of events led to it, one after the other. */
  @IsWholeNumber(0, MAX_EVENT_HOPS) hop!: number;
  @IsTime() timestamp!: Date;
}

/** An event that an app has published, told by the host. Whose it is, and which app has published it, is in the grant of the run. */
export class PublishedEventRequest {
  @IsRunGrant() grant!: string;
  /** The same again changes nothing. */
  @IsUuid() event_id!: string;
  /** Begins with the id of the app and a dot. */
  @IsPattern(EVENT_TYPE, { minLength: 3, maxLength: 150 }) type!: string;
  @IsRawObject() data!: Record<string, unknown>;
  @IsTime() timestamp!: Date;
}

/** Which of these apps an event reaches: one that the gateway has published, or was told of. */
export class EventSubscribersRequest {
  @IsUuid() event_id!: string;
  @IsListOfTexts(1_000, 64) app_ids!: string[];
}

export class EventSubscribersResponse {
  app_ids!: string[];
}

/** How many apps are named at once that an event could reach. */
export const EVENT_AUDIENCE_PAGE = 1_000;

/** Which apps an event could reach, whether they handle such events or not. */
export class EventAudienceRequest {
  @IsUuid() event_id!: string;
  /** The last one that was named. */
  @IsOptional() @IsAppId() after?: string;
}

export class EventAudienceResponse {
  /** By id. */
  app_ids!: string[];
  has_more!: boolean;
}
