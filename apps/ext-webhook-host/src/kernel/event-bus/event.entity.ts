import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An event of the bus: of an app, or of the platform. */
@Entity('events')
@Index('events_created_idx', ['createdAt'], { type: 'brin' })
@Index('events_backlog_idx', ['source'], { where: 'given_at IS NULL' })
@Check('events_hop_check', 'hop BETWEEN 0 AND 8')
export class StoredEvent {
  /** In the order of time. */
  @PrimaryColumn('uuid') id!: string;
  @Column('text') type!: string;
  @Column('text') tenantId!: string;
  /** Null for an event that is nobody's. */
  @Column('text', { nullable: true }) userId!: string | null;
  /** The app that has published it, or `platform`. */
  @Column('text') source!: string;
  @Column('jsonb') data!: Record<string, unknown>;
  /** How many handlers of events led to it. */
  @Column('smallint') hop!: number;
  /** Of an app, until the gateway knows it: the grant of the run that has published it, sealed for this event. */
  @Column('text', { nullable: true }) sealedGrant!: string | null;
  /** Of an app: when the gateway was told of it, whichever release did; then its grant is gone. */
  @Column('timestamptz', { nullable: true }) postedAt!: Date | null;
  /** Why it is given to nobody; null unless that is so. */
  @Column('text', { nullable: true }) dropped!: string | null;
  /** When it happened. */
  @Column('timestamptz') at!: Date;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  /** When it was given to its subscribers; null before. */
  @Column('timestamptz', { nullable: true }) givenAt!: Date | null;
}
