import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsOneOf, IsPattern, IsQueryInteger } from '../validators.js';
import { NO_CURSOR, WebhookEndpointPath } from './webhook-endpoints.dto.js';

/** Statuses of a delivery. `failed`: all attempts failed, or the endpoint was disabled. */
export const WEBHOOK_ENDPOINT_DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type WebhookEndpointDeliveryStatus = (typeof WEBHOOK_ENDPOINT_DELIVERY_STATUSES)[number];
/**
 * Reasons why an attempt failed. The answer of the receiver is not included, because it could come
 * from a service that is not public.
 */
export const WEBHOOK_ENDPOINT_DELIVERY_ERRORS = [
  'status',
  'redirect',
  'gone',
  'timeout',
  'connection',
  'dns',
  'address_refused',
  'url_refused',
  'endpoint_disabled',
  'backlog_full',
] as const;
export type WebhookEndpointDeliveryError = (typeof WEBHOOK_ENDPOINT_DELIVERY_ERRORS)[number];

export class WebhookEndpointDeliveryPath extends WebhookEndpointPath {
  /** Id of the delivery. */
  @IsPattern(/^[\w-]+$/, { minLength: 1, maxLength: 64, example: 'whd_01h455vb4pex5vsknk084sn02q' })
  delivery_id!: string;
}

export class WebhookEndpointDeliveriesQuery {
  /** Only deliveries with this status. */
  @IsOptional() @IsOneOf(WEBHOOK_ENDPOINT_DELIVERY_STATUSES) status?: WebhookEndpointDeliveryStatus;
  /** The `cursor` of the previous page. */
  @IsOptional()
  @IsPattern(/^whd_[0-7][0-9a-hjkmnp-tv-z]{25}$/, { minLength: 1, maxLength: 30, message: NO_CURSOR })
  cursor?: string;
  /** Maximum number of items in the answer. */
  @IsQueryInteger({ minimum: 1, maximum: 200, default: 50 }) limit: number = 50;
}

/** The delivery of an event to an endpoint. */
export class WebhookEndpointDelivery {
  /**
   * Id of the delivery.
   * @example whd_01h455vb4pex5vsknk084sn02q
   */
  id!: string;
  /** Id of the endpoint. */
  endpoint_id!: string;
  /**
   * Value of the header `webhook-id`: the id of the event, or of the delivery for a test. It is the
   * same for all attempts and replays, so that receivers can ignore duplicates.
   */
  message_id!: string;
  /** Id of the event; null for a test. */
  event_id!: string | null;
  /**
   * Type of the event.
   * @example billing.plan_changed
   */
  event_type!: string;
  /** Tenant of the event. */
  tenant_id!: string;
  /** Status of the delivery. `failed`: all attempts failed, or the endpoint was disabled. */
  @ApiProperty({ enum: WEBHOOK_ENDPOINT_DELIVERY_STATUSES }) status!: WebhookEndpointDeliveryStatus;
  /** Number of attempts so far. */
  @ApiProperty({ type: 'integer' }) attempts!: number;
  /** Time of the next attempt; null if there is none. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true }) next_attempt_at!: string | null;
  /** HTTP status of the answer to the last attempt; null without an answer. */
  @ApiProperty({ type: 'integer', nullable: true }) last_status_code!: number | null;
  /** Reason why the last attempt failed; null if it did not. */
  @ApiProperty({ type: 'string', enum: WEBHOOK_ENDPOINT_DELIVERY_ERRORS, nullable: true })
  last_error!: WebhookEndpointDeliveryError | null;
  /** Time of creation. */
  @ApiProperty({ format: 'date-time' }) created_at!: string;
  /** Time at which the delivery succeeded or finally failed; null while it is pending. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true }) finished_at!: string | null;
}

/** A delivery with its payload. */
export class WebhookEndpointDeliveryDetail extends WebhookEndpointDelivery {
  /** Body of the request. */
  @ApiProperty({ type: 'object', additionalProperties: true }) payload!: Record<string, unknown>;
}

export class WebhookEndpointDeliveriesResponse {
  /** Newest first. */
  items!: WebhookEndpointDelivery[];
  /** Cursor of the next page; null on the last page. */
  cursor!: string | null;
}
