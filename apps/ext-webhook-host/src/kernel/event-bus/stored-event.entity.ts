import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An event of an app or of the platform. */
@Entity('events')
@Index('events_created_idx', ['createdAt'], { type: 'brin' })
@Index('events_backlog_idx', ['source'], { where: 'given_at IS NULL' })
@Check('events_hop_check', 'hop BETWEEN 0 AND 8')
export class StoredEvent {
  /** Ordered by time. */
  @PrimaryColumn('uuid') id!: string;
  @Column('text') type!: string;
  @Column('text') tenantId!: string;
  /** Null for an event without a user. */
  @Column('text', { nullable: true }) userId!: string | null;
  /** App that published it, or `platform`. */
  @Column('text') source!: string;
  @Column('jsonb') data!: Record<string, unknown>;
  /** Number of event handlers that led to it. */
  @Column('smallint') hop!: number;
  /**
   * Grant of the run that published it, sealed for this event. Only for an event of an app, until
   * the gateway knows it.
   */
  @Column('text', { nullable: true }) sealedGrant!: string | null;
  /** Reason for which no subscriber gets it; null if it is not dropped. */
  @Column('text', { nullable: true }) dropped!: string | null;
  /** Time at which it happened. */
  @Column('timestamptz') at!: Date;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  /** Time at which it was given to its subscribers; null before. */
  @Column('timestamptz', { nullable: true }) givenAt!: Date | null;
}
