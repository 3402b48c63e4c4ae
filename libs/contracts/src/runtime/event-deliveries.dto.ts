import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsAppId, IsOneOf, IsQueryInteger, IsUuid } from '../validators.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from './webhook-deliveries.dto.js';

export class EventDeliveriesQuery {
  @IsOptional() @IsOneOf(DELIVERY_STATUSES) status?: DeliveryStatus;
  /** The `cursor` of the page before. */
  @IsOptional() @IsUuid() cursor?: string;
  @IsQueryInteger({ minimum: 1, maximum: 200, default: 50 }) limit: number = 50;
}

export class EventDeliveryPath {
  @IsAppId() app_id!: string;
  @IsUuid() event_id!: string;
}

/** An event that the app has a handler for. */
export class EventDelivery {
  event_id!: string;
  app_id!: string;
  /** @example notes.note_added */
  type!: string;
  /** The app that has published it, or `platform`. */
  source!: string;
  /** Whose event it is; null when it is nobody's. */
  user_id!: string | null;
  @ApiProperty({ enum: DELIVERY_STATUSES }) status!: DeliveryStatus;
  @ApiProperty({ type: 'integer' }) attempts!: number;
  /** Why the last try failed; null when it did not. */
  error!: string | null;
  /** When it happened. */
  @ApiProperty({ format: 'date-time' }) timestamp!: string;
  /** Null when there will be none. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true }) next_attempt_at!: string | null;
  /** Null before it is `succeeded` or `dead`. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true }) finished_at!: string | null;
}

export class EventDeliveriesResponse {
  /** The newest first. */
  items!: EventDelivery[];
  /** For the next page; null on the last one. */
  cursor!: string | null;
}
