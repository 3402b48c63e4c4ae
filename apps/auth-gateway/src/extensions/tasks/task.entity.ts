import { TASK_STATUSES, type TaskStatus } from '@platform/contracts';
import type { Narrowing } from '@platform/guards';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { App } from '../../apps/model/app.entity.js';
import { User } from '../../identity/accounts/user.entity.js';

/** A call that continues after its request. */
@Entity('tasks')
@Index('tasks_slot_key', ['userId', 'slot'], { unique: true, where: 'finished_at IS NULL' })
@Index('tasks_user_idx', ['tenantId', 'userId', 'finishedAt'])
@Index('tasks_app_idx', ['appId'])
@Index('tasks_active_idx', ['leaseUntil'], { where: 'finished_at IS NULL' })
@Index('tasks_finished_idx', ['finishedAt'])
@Check('tasks_status_check', `status IN ('${TASK_STATUSES.join("', '")}')`)
@Check('tasks_finished_check', "(status IN ('succeeded', 'failed', 'cancelled')) = (finished_at IS NOT NULL)")
@Check('tasks_params_check', '(finished_at IS NULL) = (params IS NOT NULL)')
@Check('tasks_lease_check', "(status IN ('running', 'cancelling')) = (lease_until IS NOT NULL AND run_id IS NOT NULL)")
@Check('tasks_result_check', "(status IN ('succeeded', 'failed')) = (result IS NOT NULL)")
@Check('tasks_slot_check', 'slot BETWEEN 1 AND 50')
@Check('tasks_progress_check', 'progress BETWEEN 0 AND 100')
export class Task {
  @PrimaryColumn('text') id!: string;
  @Column('text') userId!: string;
  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'tasks_user_fkey' })
  user?: Relation<User>;
  @Column('text') tenantId!: string;
  @Column('text') appId!: string;
  @ManyToOne(() => App, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'app_id', foreignKeyConstraintName: 'tasks_app_fkey' })
  app?: Relation<App>;
  @Column('text') function!: string;
  /** JSON text; null after the task has finished. */
  @Column('text', { nullable: true }) params!: string | null;
  /** Permission limit of the credential that requested the task; null for the user in person. */
  @Column('jsonb', { nullable: true }) narrowing!: Narrowing | null;
  /**
   * Slot of the user that the task takes until it finishes. The user's role says how many there
   * are.
   */
  @Column('smallint') slot!: number;
  @Column('text', { default: 'queued' }) status!: TaskStatus;
  @Column('smallint', { default: 0 }) progress!: number;
  @Column('text', { nullable: true }) message!: string | null;
  /** Time at which the progress was last published. */
  @Column('timestamptz', { nullable: true }) toldAt!: Date | null;
  /** True if the function only reads. Then the task can run again after its process stopped. */
  @Column('boolean') isRepeatable!: boolean;
  /** Number of times that the task was started. */
  @Column('smallint', { default: 0 }) attempts!: number;
  /** Current run of the task. Only this run can store a result. */
  @Column('text', { nullable: true }) runId!: string | null;
  /** Renewed by the process that runs the task. After this time, the process counts as stopped. */
  @Column('timestamptz', { nullable: true }) leaseUntil!: Date | null;
  /** A `CallResponse` as JSON text. */
  @Column('text', { nullable: true }) result!: string | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
  @Column('timestamptz', { nullable: true }) finishedAt!: Date | null;
}
