import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsAppId, IsOneOf, IsPattern, IsQueryInteger } from '../validators.js';
import { WEBHOOK_CHANNELS, type WebhookChannel } from './webhook-address.js';

/** `dead`: every try has failed. */
export const DELIVERY_STATUSES = ['pending', 'running', 'succeeded', 'dead'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export class WebhookDeliveriesQuery {
  @IsOptional() @IsOneOf(DELIVERY_STATUSES) status?: DeliveryStatus;
  /** The `cursor` of the page before. */
  @IsOptional() @IsPattern(/^[\w=.:-]+$/, { minLength: 1, maxLength: 200 }) cursor?: string;
  @IsQueryInteger({ minimum: 1, maximum: 200, default: 50 }) limit: number = 50;
}

export class WebhookDeliveryPath {
  @IsAppId() app_id!: string;
  @IsPattern(/^[\w-]+$/, { minLength: 1, maxLength: 64 }) delivery_id!: string;
}

/** A request to a webhook with an inbox: stored when it came, handled until that succeeds or the tries are used up. */
export class WebhookDelivery {
  delivery_id!: string;
  app_id!: string;
  /** `draft`: it came for the app while that was not published, and is handled only while it is not. */
  @ApiProperty({ enum: WEBHOOK_CHANNELS }) channel!: WebhookChannel;
  /** Without slashes at its ends. */
  path!: string;
  method!: string;
  @ApiProperty({ enum: DELIVERY_STATUSES }) status!: DeliveryStatus;
  @ApiProperty({ type: 'integer' }) attempts!: number;
  /** What the last try answered; null before the first. */
  @ApiProperty({ type: 'integer', nullable: true }) status_code!: number | null;
  /** Why the last try failed; null when it did not. */
  error!: string | null;
  @ApiProperty({ format: 'date-time' }) received_at!: string;
  /** Null when there will be none. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true }) next_attempt_at!: string | null;
  /** Null before it is `succeeded` or `dead`. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true }) finished_at!: string | null;
}

export class WebhookDeliveriesResponse {
  /** The newest first. */
  items!: WebhookDelivery[];
  /** For the next page; null on the last one. */
  cursor!: string | null;
}
