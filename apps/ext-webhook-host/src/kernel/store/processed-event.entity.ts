import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An event from outside that a run of an app has taken up, or has done. */
@Entity('processed_events')
@Index('processed_events_expiry_idx', ['expiresAt'])
export class ProcessedEvent {
  @PrimaryColumn('text') tenantId!: string;
  @PrimaryColumn('text') appId!: string;
  @PrimaryColumn('text') eventId!: string;
  @Column('text') runId!: string;
  /** Of the work on it, in however many attempts; what these make has ids that follow from it. */
  @Column('uuid', { nullable: true }) workId!: string | null;
  /** What the run is an attempt at, where the platform itself tries again. */
  @Column('text', { nullable: true }) delivery!: string | null;
  @Column('boolean', { default: false }) done!: boolean;
  /** Until then nobody else takes it up: while it is not done, a run that failed or was killed holds it no longer. */
  @Column('timestamptz') expiresAt!: Date;
}
