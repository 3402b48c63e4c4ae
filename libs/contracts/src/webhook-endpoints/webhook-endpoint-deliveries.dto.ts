import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsOneOf, IsPattern, IsQueryInteger } from '../validators.js';
import { NO_CURSOR, WebhookEndpointPath } from './webhook-endpoints.dto.js';

/** `failed`: every try has failed, or the endpoint was disabled meanwhile. */
export const WEBHOOK_ENDPOINT_DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type WebhookEndpointDeliveryStatus = (typeof WEBHOOK_ENDPOINT_DELIVERY_STATUSES)[number];
/** Why a try failed. What the receiver answered is not told: it could be of a service that nobody outside may read. */
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
  @IsPattern(/^[\w-]+$/, { minLength: 1, maxLength: 64, example: 'whd_01h455vb4pex5vsknk084sn02q' }) delivery_id!: string;
}

export class WebhookEndpointDeliveriesQuery {
  @IsOptional() @IsOneOf(WEBHOOK_ENDPOINT_DELIVERY_STATUSES) status?: WebhookEndpointDeliveryStatus;
  /** The `cursor` of the page before. */
  @IsOptional() @IsPattern(/^whd_[0-7][0-9a-hjkmnp-tv-z]{25}$/, { minLength: 1, maxLength: 30, message: NO_CURSOR }) cursor?: string;
  @IsQueryInteger({ minimum: 1, maximum: 200, default: 50 }) limit: number = 50;
}

/** An event on its way to an endpoint. */
export class WebhookEndpointDelivery {
  /** @example whd_01h455vb4pex5vsknk084sn02q */
  id!: string;
  endpoint_id!: string;
  /** The header `webhook-id`: the id of the event; of a test that of the delivery. The same with every try and replay. */
  message_id!: string;
  /** Null for a test. */
  event_id!: string | null;
  /** @example billing.plan_changed */
  event_type!: string;
  /** The tenant of the event. */
  tenant_id!: string;
  @ApiProperty({ enum: WEBHOOK_ENDPOINT_DELIVERY_STATUSES }) status!: WebhookEndpointDeliveryStatus;
  @ApiProperty({ type: 'integer' }) attempts!: number;
  /** Null where there will be none. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true }) next_attempt_at!: string | null;
  /** What the last try was answered; null where it was not. */
  @ApiProperty({ type: 'integer', nullable: true }) last_status_code!: number | null;
  /** Why the last try failed; null where it did not. */
  @ApiProperty({ type: 'string', enum: WEBHOOK_ENDPOINT_DELIVERY_ERRORS, nullable: true }) last_error!: WebhookEndpointDeliveryError | null;
  @ApiProperty({ format: 'date-time' }) created_at!: string;
  /** Null while it is pending. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true }) finished_at!: string | null;
}

/** A delivery with what is posted. */
export class WebhookEndpointDeliveryDetail extends WebhookEndpointDelivery {
  /** The body of the request. */
  @ApiProperty({ type: 'object', additionalProperties: true }) payload!: Record<string, unknown>;
}

export class WebhookEndpointDeliveriesResponse {
  /** The newest first. */
  items!: WebhookEndpointDelivery[];
  /** For the next page; null on the last one. */
  cursor!: string | null;
}
