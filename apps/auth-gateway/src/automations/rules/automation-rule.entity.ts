import {
  NOTIFY_MODES,
  RULE_STATUSES,
  SCHEDULED_EVENT,
  type NotifyMode,
  type RuleAction,
  type RuleStatus,
} from '@platform/contracts';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { User } from '../../identity/accounts/user.entity.js';

/** Automation rule of a user. */
@Entity('automation_rules')
@Index('automation_rules_event_idx', ['userId', 'eventType', 'id'])
@Index('automation_rules_owner_idx', ['tenantId', 'userId', 'id'])
@Index('automation_rules_due_idx', ['nextAt'], { where: "status = 'active'" })
@Check('automation_rules_status_check', `status IN ('${RULE_STATUSES.join("', '")}')`)
@Check('automation_rules_notify_mode_check', `notify_mode IN ('${NOTIFY_MODES.join("', '")}')`)
@Check('automation_rules_schedule_check', `(event_type = '${SCHEDULED_EVENT}') = (schedule IS NOT NULL)`)
@Check('automation_rules_due_check', "(schedule IS NOT NULL AND status = 'active') = (next_at IS NOT NULL)")
@Check(
  'automation_rules_limits_check',
  'cooldown_seconds >= 0 AND max_per_hour BETWEEN 1 AND 1000 AND max_iterations >= 0',
)
@Check(
  'automation_rules_iterations_check',
  "max_iterations = 0 OR trigger_count < max_iterations OR status <> 'active'",
)
@Check('automation_rules_counts_check', 'least(trigger_count, success_count, fail_count, failures_in_row) >= 0')
@Check('automation_rules_actions_check', "jsonb_typeof(actions) = 'array' AND actions <> '[]'")
export class AutomationRule {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' }) id!: number;
  @Column('text') userId!: string;
  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'automation_rules_user_fkey' })
  user?: Relation<User>;
  @Column('text') tenantId!: string;
  @Column('text') prompt!: string;
  @Column('text') interpretation!: string;
  @Column('text', { default: 'active' }) status!: RuleStatus;
  @Column('text') eventType!: string;
  /** Five cron fields, UTC. */
  @Column('text', { nullable: true }) schedule!: string | null;
  @Column('timestamptz', { nullable: true }) nextAt!: Date | null;
  @Column('jsonb') actions!: RuleAction[];
  /**
   * Scopes of the author of the actions when they were written. The rule uses only those that the
   * owner still has.
   */
  @Column('text', { array: true }) scopes!: string[];
  /**
   * API key that wrote the actions: the rule stops when it is deleted or expires. Null if a person
   * wrote them.
   */
  @Column('text', { nullable: true }) apiKeyId!: string | null;
  /**
   * Further API keys that led to the actions: the rule stops when one of them is deleted or
   * expires.
   */
  @Column('text', { array: true, nullable: true }) otherKeyIds!: string[] | null;
  /** Scopes of these keys; they decide which functions the rule can call. */
  @Column('text', { array: true, nullable: true }) keyScopes!: string[] | null;
  /**
   * App that wrote the actions: the rule calls as this app and runs only while it can act for the
   * owner. Null without one.
   */
  @Column('text', { nullable: true }) madeByApp!: string | null;
  /**
   * Further apps that led to the actions: the rule runs only while all of them can act for the
   * owner.
   */
  @Column('text', { array: true, nullable: true }) otherApps!: string[] | null;
  @Column('integer') cooldownSeconds!: number;
  @Column('integer') maxPerHour!: number;
  @Column('integer') maxIterations!: number;
  @Column('text') notifyMode!: NotifyMode;
  @Column('integer', { default: 0 }) triggerCount!: number;
  @Column('integer', { default: 0 }) successCount!: number;
  @Column('integer', { default: 0 }) failCount!: number;
  @Column('integer', { default: 0 }) failuresInRow!: number;
  @Column('text', { nullable: true }) lastError!: string | null;
  @Column('timestamptz', { nullable: true }) lastTriggered!: Date | null;
  /**
   * Times of the last firings, newest first, at most `maxPerHour` entries. The rule can fire again
   * if the last entry is an hour old.
   */
  @Column('timestamptz', { array: true, default: () => "'{}'" }) recentTriggers!: Date[];
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
