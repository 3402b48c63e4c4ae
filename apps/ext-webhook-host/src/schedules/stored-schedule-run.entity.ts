import { SCHEDULE_RUN_STATUSES, type ScheduleRunStatus, type ScheduleRunTrigger } from '@platform/contracts';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

const STATUSES = `status IN ('${SCHEDULE_RUN_STATUSES.join("', '")}')`;

/** A run of a schedule. A schedule for each user has one row for all runs of one time. */
@Entity('schedule_runs')
@Index('schedule_runs_time_key', ['appId', 'name', 'scheduledFor'], { unique: true, where: "trigger = 'schedule'" })
@Index('schedule_runs_unfinished_key', ['appId', 'name', 'trigger'], {
  unique: true,
  where: "status IN ('pending', 'running')",
})
@Index('schedule_runs_app_idx', ['appId', 'name', 'id'])
@Index('schedule_runs_finished_idx', ['finishedAt'])
@Check('schedule_runs_trigger_check', "trigger IN ('schedule', 'manual')")
@Check('schedule_runs_status_check', STATUSES)
@Check('schedule_runs_finished_check', "(finished_at IS NULL) = (status IN ('pending', 'running'))")
@Check('schedule_runs_users_check', 'users_succeeded + users_failed + users_skipped <= users_total')
export class StoredScheduleRun {
  /** Ordered by time. */
  @PrimaryColumn('text') id!: string;
  @Column('text') appId!: string;
  @Column('text') name!: string;
  @Column('text') trigger!: ScheduleRunTrigger;
  @Column('timestamptz') scheduledFor!: Date;
  @Column('text', { default: 'pending' }) status!: ScheduleRunStatus;
  @Column('integer', { default: 0 }) attempts!: number;
  /** Entry in the outbox that drives the run; null for a skipped run. */
  @Column('text', { nullable: true }) jobId!: string | null;
  /** Collection whose users each get a run. Null: one run without a user. */
  @Column('text', { nullable: true }) forEachUser!: string | null;
  /** Cursor in the list of these users; the next page begins after it. */
  @Column('text', { nullable: true }) userCursor!: string | null;
  @Column('boolean', { default: false }) hasAllUsers!: boolean;
  @Column('integer', { default: 0 }) usersTotal!: number;
  @Column('integer', { default: 0 }) usersSucceeded!: number;
  @Column('integer', { default: 0 }) usersFailed!: number;
  /** Users for whom the app may not act. */
  @Column('integer', { default: 0 }) usersSkipped!: number;
  @Column('timestamptz', { nullable: true }) startedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) finishedAt!: Date | null;
  @Column('integer', { nullable: true }) durationMs!: number | null;
  @Column('text', { nullable: true }) error!: string | null;
}

/** An unfinished or failed run for one user. */
@Entity('schedule_user_runs')
@Check('schedule_user_runs_status_check', "status IN ('pending', 'running', 'failed')")
export class StoredScheduleUserRun {
  @PrimaryColumn('text') runId!: string;
  @ManyToOne(() => StoredScheduleRun, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'run_id', foreignKeyConstraintName: 'schedule_user_runs_run_fkey' })
  run?: Relation<StoredScheduleRun>;
  @PrimaryColumn('text') userId!: string;
  @Column('text', { default: 'pending' }) status!: 'pending' | 'running' | 'failed';
  @Column('integer', { default: 0 }) attempts!: number;
  @Column('text') jobId!: string;
  @Column('text', { nullable: true }) error!: string | null;
}
