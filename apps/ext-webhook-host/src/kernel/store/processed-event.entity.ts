import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An external event that a run of an app has taken up, or has finished. */
@Entity('processed_events')
@Index('processed_events_expiry_idx', ['expiresAt'])
export class ProcessedEvent {
  @PrimaryColumn('text') tenantId!: string;
  @PrimaryColumn('text') appId!: string;
  @PrimaryColumn('text') eventId!: string;
  @Column('text') runId!: string;
  /**
   * Id of the work on the event, the same in all attempts. Ids of things that the attempts create
   * are derived from it.
   */
  @Column('uuid') workId!: string;
  /** Delivery of which the run is an attempt, if the platform itself retries. */
  @Column('text', { nullable: true }) delivery!: string | null;
  @Column('boolean', { default: false }) done!: boolean;
  /**
   * Until then no other run takes the event up. If it is not done, a run that failed or was killed
   * loses it after this time.
   */
  @Column('timestamptz') expiresAt!: Date;
}
