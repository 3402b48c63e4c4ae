import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An event from outside that a run of an app has taken up, or has done. */
@Entity('processed_events')
@Index('processed_events_expiry_idx', ['expiresAt'])
export class ProcessedEvent {
  @PrimaryColumn('text') tenantId!: string;
  @PrimaryColumn('text') appId!: string;
  @PrimaryColumn('text') eventId!: string;
  @Column('text') runId!: string;
  @Column('boolean', { default: false }) done!: boolean;
  /** Until then nobody else takes it up: while it is not done, a run that was killed holds it no longer. */
  @Column('timestamptz') expiresAt!: Date;
}
