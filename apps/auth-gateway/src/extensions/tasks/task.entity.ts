import { TASK_STATUSES, type TaskStatus } from '@platform/contracts';
import type { Narrowing } from '@platform/guards';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { App } from '../../apps/model/app.entity.js';
import { User } from '../../identity/accounts/user.entity.js';

/** A call that goes on after its request. */
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
  /** As JSON; null once it is over. */
  @Column('text', { nullable: true }) params!: string | null;
  /** What the credential was given that asked; null for the user in person. */
  @Column('jsonb', { nullable: true }) narrowing!: Narrowing | null;
  /** Which of the places of the user it has until it is over: of these there are as many as their role says. */
  @Column('smallint') slot!: number;
  @Column('text', { default: 'queued' }) status!: TaskStatus;
  @Column('smallint', { default: 0 }) progress!: number;
  @Column('text', { nullable: true }) message!: string | null;
  /** When its progress was published last. */
  @Column('timestamptz', { nullable: true }) toldAt!: Date | null;
  /** Whether the function only reads, and so may run again when the process ended that ran it. */
  @Column('boolean') isRepeatable!: boolean;
  /** How often it has begun. */
  @Column('smallint', { default: 0 }) attempts!: number;
  /** Of the process that runs it: only it says what became of the task. */
  @Column('text', { nullable: true }) runId!: string | null;
  /** Renewed by that process; past: it has ended. */
  @Column('timestamptz', { nullable: true }) leaseUntil!: Date | null;
  /** A `CallResponse` as JSON. */
  @Column('text', { nullable: true }) result!: string | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
  @Column('timestamptz', { nullable: true }) finishedAt!: Date | null;
}
