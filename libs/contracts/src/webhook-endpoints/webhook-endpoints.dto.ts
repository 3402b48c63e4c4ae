import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsOptional, IsString, ValidateBy, type ValidationArguments } from 'class-validator';
import { webUrlFault } from '../https-urls.js';
import { IsTime } from '../moments.js';
import { isAtMost, IsLine, IsOneOf, IsPattern, IsTrueOrFalse } from '../validators.js';
import { isEventTypeChoice, noSuchEventType } from './webhook-event-types.js';

export const WEBHOOK_ENDPOINT_STATUSES = ['enabled', 'disabled'] as const;
export type WebhookEndpointStatus = (typeof WEBHOOK_ENDPOINT_STATUSES)[number];
/** `by_hand`: somebody has; `failures`: nothing has arrived for three days; `gone`: it has answered 410. */
export const WEBHOOK_DISABLED_REASONS = ['by_hand', 'failures', 'gone'] as const;
export type WebhookDisabledReason = (typeof WEBHOOK_DISABLED_REASONS)[number];

/** So many endpoints a tenant may have. */
export const MOST_WEBHOOK_ENDPOINTS = 20;
const MAX_URL_LENGTH = 2_048;
const MAX_DESCRIPTION_LENGTH = 200;
const MAX_EVENT_TYPES = 50;
const MAX_EVENT_TYPE_LENGTH = 64;
/** What is wrong with a cursor that no answer has given. */
export const NO_CURSOR = 'Input should be the cursor of an answer before';

export class WebhookEndpointPath {
  @IsPattern(/^[\w-]+$/, { minLength: 1, maxLength: 64, example: 'whe_01h455vb4pex5vsknk084sn02q' }) endpoint_id!: string;
}

export class CreateWebhookEndpointRequest {
  /** Where events are posted to: `https`, without credentials. */
  @IsEndpointUrl() url!: string;
  /** For those who look at the list. */
  @IsOptional() @IsLine(MAX_DESCRIPTION_LENGTH) @ApiProperty({ default: '' }) description?: string | null;
  /**
   * Which events: types of the catalogue, all of a kind as `billing.*`, or `*`. Neither `*` nor `confirmation.*` and `notification.*` hold what is said to people: name `chat_message`, `confirmation.created`, `notification.created` and `task_update`.
   * @example ["billing.*","user.created"]
   */
  @IsEventTypes() event_types!: string[];
  /** Events of every tenant. Only for administrators of the platform's own tenant, and trusted backends that act for nobody; the endpoint belongs to that tenant. */
  @IsOptional() @IsTrueOrFalse() @ApiProperty({ default: false }) all_tenants?: boolean | null;
}

/** What is absent or null stays as it is. */
export class UpdateWebhookEndpointRequest {
  @IsOptional() @IsEndpointUrl() url?: string | null;
  @IsOptional() @IsLine(MAX_DESCRIPTION_LENGTH) description?: string | null;
  /** Replaced whole. What waits to be delivered stays. */
  @IsOptional() @IsEventTypes() event_types?: string[] | null;
  /** `disabled`: gets nothing more, and what waits has failed. `enabled`: gets events from now on; replay brings what it has missed. */
  @IsOptional() @IsOneOf(WEBHOOK_ENDPOINT_STATUSES) status?: WebhookEndpointStatus | null;
}

export class WebhookEndpoint {
  /** @example whe_01h455vb4pex5vsknk084sn02q */
  id!: string;
  tenant_id!: string;
  url!: string;
  description!: string;
  event_types!: string[];
  /** Whether it gets the events of every tenant. */
  all_tenants!: boolean;
  @ApiProperty({ enum: WEBHOOK_ENDPOINT_STATUSES }) status!: WebhookEndpointStatus;
  /** Null while it is enabled. */
  @ApiProperty({ type: 'string', enum: WEBHOOK_DISABLED_REASONS, nullable: true }) disabled_reason!: WebhookDisabledReason | null;
  /** Since when no delivery has arrived; null where the last one did, or none was tried. It is disabled when a delivery is given up three days after it or later. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true }) failing_since!: string | null;
  /** Until when the secret before the last rotation signs, too; null where none does. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true }) previous_secret_until!: string | null;
  /** The user who made it; null where a trusted backend did, or the user is gone. */
  created_by!: string | null;
  @ApiProperty({ format: 'date-time' }) created_at!: string;
  @ApiProperty({ format: 'date-time' }) updated_at!: string;
}

/** The answers of creation and rotation are the only ones that hold the secret. */
export class WebhookEndpointWithSecret extends WebhookEndpoint {
  /**
   * Verifies the signatures (Standard Webhooks). It cannot be read again.
   * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
   */
  secret!: string;
}

export class WebhookEndpointsResponse {
  /** The oldest first; a tenant has at most 20. */
  items!: WebhookEndpoint[];
}

export class DeletedWebhookEndpointResponse {
  /** @example deleted */
  status!: string;
  id!: string;
}

export class ReplayEventsRequest {
  /** Events from this moment on; at most 24 hours ago. */
  @IsTime() @ApiProperty({ example: '2026-11-27T09:00:00.000Z' }) since!: Date;
  /** Before this moment; now, unless told. */
  @IsOptional() @IsTime() until?: Date | null;
  /** To go on: the `cursor` of the answer before. */
  @IsOptional() @IsPattern(/^[1-9][0-9]{0,17}$/, { minLength: 1, maxLength: 18, example: '4711', message: NO_CURSOR }) cursor?:
    string | null;
}

export class ReplayEventsResponse {
  /** So many deliveries begin: of events that the endpoint has not had, or whose delivery has failed. At most 1000 in one request. */
  @ApiProperty({ type: 'integer' }) replayed!: number;
  /** Ask again with it, there are more events of that time; null where there are not. */
  cursor!: string | null;
}

const faultOf = (url: unknown): string | null =>
  typeof url === 'string' ? webUrlFault(url, MAX_URL_LENGTH) : 'Input should be a URL with https';

function IsEndpointUrl(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'string', format: 'uri', maxLength: MAX_URL_LENGTH, example: 'https://hooks.example.com/platform' }),
    IsString({ message: 'Input should be a valid string' }),
    ValidateBy(
      { name: 'isEndpointUrl', validator: { validate: (value) => faultOf(value) === null } },
      { message: ({ value }: ValidationArguments) => faultOf(value) ?? '', context: { type: 'url_parsing' } },
    ),
  );
}

function IsEventTypes(): PropertyDecorator {
  const unknownOf = (value: unknown) => (Array.isArray(value) ? value.find((choice) => !isEventTypeChoice(choice)) : undefined) as unknown;
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
      { name: 'areEventTypes', validator: { validate: (value) => Array.isArray(value) && value.every(isEventTypeChoice) } },
      {
        message: ({ value }: ValidationArguments) => {
          const unknown = unknownOf(value);
          return isAtMost(MAX_EVENT_TYPE_LENGTH, unknown) ? noSuchEventType(unknown) : 'Each item should be a type of event';
        },
        context: { type: 'value_error' },
      },
    ),
  );
}
