import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A schedule of the running version of an app, with its next time. */
@Entity('schedules')
@Index('schedules_due_idx', ['dueAt'])
export class StoredSchedule {
  @PrimaryColumn('text') appId!: string;
  @PrimaryColumn('text') name!: string;
  @Column('text') cron!: string;
  @Column('text', { nullable: true }) forEachUser!: string | null;
  @Column('text') version!: string;
  @Column('text') sha256!: string;
  /** Tenant of the developer. */
  @Column('text') tenantId!: string;
  @Column('boolean') isSuspended!: boolean;
  /** Next time by the cron expression; null while the app is suspended, and if there is none. */
  @Column('timestamptz', { nullable: true }) nextFor!: Date | null;
  /**
   * Time of the start: a moment after `nextFor`, so that schedules of the full hour do not all
   * begin at once.
   */
  @Column('timestamptz', { nullable: true }) dueAt!: Date | null;
}
