import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsOptional,
  IsString,
  ValidateBy,
  type ValidationArguments,
} from 'class-validator';
import { webUrlFault } from '../https-urls.js';
import { IsTime } from '../moments.js';
import { isAtMost, IsLine, IsOneOf, IsPattern, IsTrueOrFalse } from '../validators.js';
import { isEventTypeChoice, noSuchEventType } from './webhook-event-types.js';

export const WEBHOOK_ENDPOINT_STATUSES = ['enabled', 'disabled'] as const;
export type WebhookEndpointStatus = (typeof WEBHOOK_ENDPOINT_STATUSES)[number];
/**
 * Reasons why an endpoint is disabled. `by_hand`: a user or backend disabled it. `failures`: no
 * delivery arrived for three days. `gone`: it answered 410.
 */
export const WEBHOOK_DISABLED_REASONS = ['by_hand', 'failures', 'gone'] as const;
export type WebhookDisabledReason = (typeof WEBHOOK_DISABLED_REASONS)[number];

/** Maximum number of endpoints of a tenant. */
export const MOST_WEBHOOK_ENDPOINTS = 20;
const MAX_URL_LENGTH = 2_048;
const MAX_DESCRIPTION_LENGTH = 200;
const MAX_EVENT_TYPES = 50;
const MAX_EVENT_TYPE_LENGTH = 64;
/** Error for a cursor that did not come from an answer. */
export const NO_CURSOR = 'Input should be the cursor of a previous answer';

export class WebhookEndpointPath {
  /** Id of the endpoint. */
  @IsPattern(/^[\w-]+$/, { minLength: 1, maxLength: 64, example: 'whe_01h455vb4pex5vsknk084sn02q' })
  endpoint_id!: string;
}

export class CreateWebhookEndpointRequest {
  /** Address to which events are posted: https, without credentials. */
  @IsEndpointUrl() url!: string;
  /** Description for people. */
  @IsOptional() @IsLine(MAX_DESCRIPTION_LENGTH) @ApiProperty({ default: '' }) description?: string | null;
  /**
   * Event types to deliver: types of the catalogue, groups such as `billing.*`, or `*`. Events that
   * contain messages to users are only delivered if they are named: `chat_message`,
   * `confirmation.created`, `notification.created` and `task_update`. `*` and groups such as
   * `notification.*` do not include them.
   * @example ["billing.*","user.created"]
   */
  @IsEventTypes() event_types!: string[];
  /**
   * True delivers the events of all tenants. Only administrators of the platform's own tenant and
   * backends without an acting user can set it; the endpoint belongs to that tenant.
   */
  @IsOptional() @IsTrueOrFalse() @ApiProperty({ default: false }) all_tenants?: boolean | null;
}

/** Changes an endpoint. A field that is absent or null keeps its value. */
export class UpdateWebhookEndpointRequest {
  /** Address to which events are posted. */
  @IsOptional() @IsEndpointUrl() url?: string | null;
  /** Description for people. */
  @IsOptional() @IsLine(MAX_DESCRIPTION_LENGTH) description?: string | null;
  /** Replaces all event types. Pending deliveries stay. */
  @IsOptional() @IsEventTypes() event_types?: string[] | null;
  /**
   * `disabled`: no new deliveries, and pending ones fail. `enabled`: new events are delivered from
   * now on; a replay delivers missed events.
   */
  @IsOptional() @IsOneOf(WEBHOOK_ENDPOINT_STATUSES) status?: WebhookEndpointStatus | null;
}

export class WebhookEndpoint {
  /**
   * Id of the endpoint.
   * @example whe_01h455vb4pex5vsknk084sn02q
   */
  id!: string;
  /** Id of the tenant. */
  tenant_id!: string;
  /** Address to which events are posted. */
  url!: string;
  /** Description for people. */
  description!: string;
  /** Event types that are delivered to the endpoint. */
  event_types!: string[];
  /** True if the endpoint receives the events of all tenants. */
  all_tenants!: boolean;
  /** `disabled`: nothing is delivered to the endpoint. */
  @ApiProperty({ enum: WEBHOOK_ENDPOINT_STATUSES }) status!: WebhookEndpointStatus;
  /** Reason why the endpoint is disabled; null while it is enabled. */
  @ApiProperty({ type: 'string', enum: WEBHOOK_DISABLED_REASONS, nullable: true })
  disabled_reason!: WebhookDisabledReason | null;
  /**
   * Time since which deliveries have failed; null if the last delivery arrived or none was
   * attempted. If a delivery finally fails three days after this time or later, the platform
   * disables the endpoint.
   */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true }) failing_since!: string | null;
  /**
   * Time until which the previous secret also signs requests; null if there is no previous secret.
   */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true }) previous_secret_until!: string | null;
  /** User that created the endpoint; null if a backend created it or the user was deleted. */
  created_by!: string | null;
  /** Time of creation. */
  @ApiProperty({ format: 'date-time' }) created_at!: string;
  /** Time of the last change. */
  @ApiProperty({ format: 'date-time' }) updated_at!: string;
}

/** An endpoint with its secret. Only the answers of creation and rotation contain the secret. */
export class WebhookEndpointWithSecret extends WebhookEndpoint {
  /**
   * Secret that verifies the signatures (Standard Webhooks). It cannot be read again.
   * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
   */
  secret!: string;
}

export class WebhookEndpointsResponse {
  /** Oldest first; at most 20. */
  items!: WebhookEndpoint[];
}

export class DeletedWebhookEndpointResponse {
  /**
   * Result of the request.
   * @example deleted
   */
  status!: string;
  /** Id of the endpoint. */
  id!: string;
}

export class ReplayEventsRequest {
  /** Replays events at or after this time; at most 24 hours ago. */
  @IsTime() @ApiProperty({ example: '2026-11-27T09:00:00.000Z' }) since!: Date;
  /** Replays only events before this time. Default: now. */
  @IsOptional() @IsTime() until?: Date | null;
  /** The `cursor` of the previous answer, to continue. */
  @IsOptional()
  @IsPattern(/^[1-9][0-9]{0,17}$/, { minLength: 1, maxLength: 18, example: '4711', message: NO_CURSOR })
  cursor?: string | null;
}

export class ReplayEventsResponse {
  /**
   * Number of deliveries that were started, for events that the endpoint has not received. At most
   * 1000 per request.
   */
  @ApiProperty({ type: 'integer' }) replayed!: number;
  /** Cursor to send with the next request if the period has more events; null if it has not. */
  cursor!: string | null;
}

const faultOf = (url: unknown): string | null =>
  typeof url === 'string' ? webUrlFault(url, MAX_URL_LENGTH) : 'Input should be a URL with https';

function IsEndpointUrl(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: 'string',
      format: 'uri',
      maxLength: MAX_URL_LENGTH,
      example: 'https://hooks.example.com/platform',
    }),
    IsString({ message: 'Input should be a valid string' }),
    ValidateBy(
      { name: 'isEndpointUrl', validator: { validate: (value) => faultOf(value) === null } },
      { message: ({ value }: ValidationArguments) => faultOf(value) ?? '', context: { type: 'url_parsing' } },
    ),
  );
}

function IsEventTypes(): PropertyDecorator {
  const unknownOf = (value: unknown) =>
    (Array.isArray(value) ? value.find((choice) => !isEventTypeChoice(choice)) : undefined) as unknown;
  return applyDecorators(
    ApiProperty({
      type: 'array',
      minItems: 1,
      maxItems: MAX_EVENT_TYPES,
      items: { type: 'string', maxLength: MAX_EVENT_TYPE_LENGTH },
      example: ['billing.*', 'user.created'],
    }),
    IsArray({ message: 'Input should be a valid list' }),
    ArrayMinSize(1, { message: 'List should have at least 1 item' }),
    ArrayMaxSize(MAX_EVENT_TYPES, { message: `List should have at most ${MAX_EVENT_TYPES} items` }),
    ValidateBy(
      {
        name: 'areEventTypes',
        validator: { validate: (value) => Array.isArray(value) && value.every(isEventTypeChoice) },
      },
      {
        message: ({ value }: ValidationArguments) => {
          const unknown = unknownOf(value);
          return isAtMost(MAX_EVENT_TYPE_LENGTH, unknown)
            ? noSuchEventType(unknown)
            : 'Each item should be a type of event';
        },
        context: { type: 'value_error' },
      },
    ),
  );
}
