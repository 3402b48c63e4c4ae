import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A schedule of the version of an app that runs, and when it is due next. */
@Entity('schedules')
@Index('schedules_due_idx', ['dueAt'])
export class StoredSchedule {
  @PrimaryColumn('text') appId!: string;
  @PrimaryColumn('text') name!: string;
  @Column('text') cron!: string;
  @Column('text', { nullable: true }) forEachUser!: string | null;
  @Column('text') version!: string;
  @Column('text') sha256!: string;
  /** Of the developer. */
  @Column('text') tenantId!: string;
  @Column('boolean') isSuspended!: boolean;
  /** By the schedule; null while the app is suspended, and when it will never be. */
  @Column('timestamptz', { nullable: true }) nextFor!: Date | null;
  /** A moment after, so that not everything that is scheduled for the full hour begins at once. */
  @Column('timestamptz', { nullable: true }) dueAt!: Date | null;
}
