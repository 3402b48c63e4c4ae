import { DELIVERY_STATUSES, type DeliveryStatus } from '@platform/contracts';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { StoredEvent } from '../kernel/event-bus/stored-event.entity.js';

/** Delivery of an event to one of its subscribers. */
@Entity('event_deliveries')
@Index('event_deliveries_app_idx', ['appId', 'eventId'])
@Index('event_deliveries_app_status_idx', ['appId', 'status', 'eventId'])
@Index('event_deliveries_finished_idx', ['finishedAt'])
@Index('event_deliveries_backlog_idx', ['source'], { where: 'finished_at IS NULL' })
@Check('event_deliveries_status_check', `status IN ('${DELIVERY_STATUSES.join("', '")}')`)
@Check('event_deliveries_finished_check', `(finished_at IS NOT NULL) = (status IN ('succeeded', 'dead'))`)
export class StoredEventDelivery {
  @PrimaryColumn('uuid') eventId!: string;
  @ManyToOne(() => StoredEvent, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'event_id', foreignKeyConstraintName: 'event_deliveries_event_fkey' })
  event?: Relation<StoredEvent>;
  @PrimaryColumn('text') appId!: string;
  /**
   * Source of the event if the same developer made both apps: the delivery then counts against the
   * backlog of the source. Null otherwise.
   */
  @Column('text', { nullable: true }) source!: string | null;
  @Column('text', { default: 'pending' }) status!: DeliveryStatus;
  @Column('integer', { default: 0 }) attempts!: number;
  @Column('text', { nullable: true }) error!: string | null;
  /** Entry in the outbox that drives the delivery; empty if there never was one. */
  @Column('text') jobId!: string;
  /** Approximate. */
  @Column('timestamptz', { nullable: true }) nextAttemptAt!: Date | null;
  @Column('timestamptz', { nullable: true }) finishedAt!: Date | null;
}
