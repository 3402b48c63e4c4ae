import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsAppId, IsOneOf, IsQueryInteger, IsUuid } from '../validators.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from './webhook-deliveries.dto.js';

export class EventDeliveriesQuery {
  /** Only deliveries with this status. */
  @IsOptional() @IsOneOf(DELIVERY_STATUSES) status?: DeliveryStatus;
  /** The `cursor` of the previous page. */
  @IsOptional() @IsUuid() cursor?: string;
  /** Maximum number of items in the answer. */
  @IsQueryInteger({ minimum: 1, maximum: 200, default: 50 }) limit: number = 50;
}

export class EventDeliveryPath {
  /** Id of the app. */
  @IsAppId() app_id!: string;
  /** Id of the event. */
  @IsUuid() event_id!: string;
}

/** The delivery of an event to an app that has a handler for it. */
export class EventDelivery {
  /** Id of the event. */
  event_id!: string;
  /** Id of the app. */
  app_id!: string;
  /**
   * Type of the event.
   * @example notes.note_added
   */
  type!: string;
  /** App that published the event, or `platform`. */
  source!: string;
  /** User of the event; null if it belongs to no user. */
  user_id!: string | null;
  /** Status of the delivery. `dead`: all attempts failed. */
  @ApiProperty({ enum: DELIVERY_STATUSES }) status!: DeliveryStatus;
  /** Number of attempts so far. */
  @ApiProperty({ type: 'integer' }) attempts!: number;
  /** Error of the last attempt; null if it did not fail. */
  error!: string | null;
  /** Time of the event. */
  @ApiProperty({ format: 'date-time' }) timestamp!: string;
  /** Time of the next attempt; null if there is none. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true }) next_attempt_at!: string | null;
  /** Time at which the delivery became `succeeded` or `dead`; null before. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true }) finished_at!: string | null;
}

export class EventDeliveriesResponse {
  /** Newest first. */
  items!: EventDelivery[];
  /** Cursor of the next page; null on the last page. */
  cursor!: string | null;
}
