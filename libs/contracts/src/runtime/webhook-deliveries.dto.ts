import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsAppId, IsOneOf, IsPattern, IsQueryInteger } from '../validators.js';
import { WEBHOOK_CHANNELS, type WebhookChannel } from './webhook-address.js';

/** Statuses of a delivery. `dead`: all attempts failed. */
export const DELIVERY_STATUSES = ['pending', 'running', 'succeeded', 'dead'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export class WebhookDeliveriesQuery {
  /** Only deliveries with this status. */
  @IsOptional() @IsOneOf(DELIVERY_STATUSES) status?: DeliveryStatus;
  /** The `cursor` of the previous page. */
  @IsOptional() @IsPattern(/^[\w=.:-]+$/, { minLength: 1, maxLength: 200 }) cursor?: string;
  /** Maximum number of items in the answer. */
  @IsQueryInteger({ minimum: 1, maximum: 200, default: 50 }) limit: number = 50;
}

export class WebhookDeliveryPath {
  /** Id of the app. */
  @IsAppId() app_id!: string;
  /** Id of the delivery. */
  @IsPattern(/^[\w-]+$/, { minLength: 1, maxLength: 64 }) delivery_id!: string;
}

/**
 * A request to a webhook with an inbox. It was stored when it arrived, and is handled until that
 * succeeds or all attempts are used.
 */
export class WebhookDelivery {
  /** Id of the delivery. */
  delivery_id!: string;
  /** Id of the app. */
  app_id!: string;
  /**
   * `draft`: it arrived while the app was not published, and is handled only while the app is not
   * published.
   */
  @ApiProperty({ enum: WEBHOOK_CHANNELS }) channel!: WebhookChannel;
  /** Path of the webhook, without slashes at the beginning and the end. */
  path!: string;
  /** HTTP method of the request. */
  method!: string;
  /** Status of the delivery. `dead`: all attempts failed. */
  @ApiProperty({ enum: DELIVERY_STATUSES }) status!: DeliveryStatus;
  /** Number of attempts so far. */
  @ApiProperty({ type: 'integer' }) attempts!: number;
  /** HTTP status of the last attempt; null before the first. */
  @ApiProperty({ type: 'integer', nullable: true }) status_code!: number | null;
  /** Error of the last attempt; null if it did not fail. */
  error!: string | null;
  /** Time at which the request arrived. */
  @ApiProperty({ format: 'date-time' }) received_at!: string;
  /** Time of the next attempt; null if there is none. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true }) next_attempt_at!: string | null;
  /** Time at which the delivery became `succeeded` or `dead`; null before. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true }) finished_at!: string | null;
}

export class WebhookDeliveriesResponse {
  /** Newest first. */
  items!: WebhookDelivery[];
  /** Cursor of the next page; null on the last page. */
  cursor!: string | null;
}
