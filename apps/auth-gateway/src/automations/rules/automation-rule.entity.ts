import { NOTIFY_MODES, RULE_STATUSES, SCHEDULED_EVENT, type NotifyMode, type RuleAction, type RuleStatus } from '@platform/contracts';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { User } from '../../identity/accounts/user.entity.js';

/** What a user has the platform do by itself. */
@Entity('automation_rules')
@Index('automation_rules_event_idx', ['userId', 'eventType', 'id'])
@Index('automation_rules_owner_idx', ['tenantId', 'userId', 'id'])
@Index('automation_rules_due_idx', ['nextAt'], { where: "status = 'active'" })
@Check('automation_rules_status_check', `status IN ('${RULE_STATUSES.join("', '")}')`)
@Check('automation_rules_notify_mode_check', `notify_mode IN ('${NOTIFY_MODES.join("', '")}')`)
@Check('automation_rules_schedule_check', `(event_type = '${SCHEDULED_EVENT}') = (schedule IS NOT NULL)`)
@Check('automation_rules_due_check', "(schedule IS NOT NULL AND status = 'active') = (next_at IS NOT NULL)")
@Check('automation_rules_limits_check', 'cooldown_seconds >= 0 AND max_per_hour BETWEEN 1 AND 1000 AND max_iterations >= 0')
@Check('automation_rules_iterations_check', "max_iterations = 0 OR trigger_count < max_iterations OR status <> 'active'")
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
  /** Five fields, UTC. */
  @Column('text', { nullable: true }) schedule!: string | null;
  @Column('timestamptz', { nullable: true }) nextAt!: Date | null;
  @Column('jsonb') actions!: RuleAction[];
  /** Of whoever wrote the actions, then: the rule never does more than they could, nor than its owner may now. */
  @Column('text', { array: true }) scopes!: string[];
  /** The API key that wrote them: the rule ends with it. Null where a person did. */
  @Column('text', { nullable: true }) apiKeyId!: string | null;
  /** Further keys that led to what it does: it ends with any of them. */
  @Column('text', { array: true, nullable: true }) otherKeyIds!: string[] | null;
  /** What these keys were given: which functions they may call. */
  @Column('text', { array: true, nullable: true }) keyScopes!: string[] | null;
  /** The app whose run wrote them: the rule calls as that app, for as long as it may act for the owner. Null where none did. */
  @Column('text', { nullable: true }) madeByApp!: string | null;
  /** Further apps that led to what it does: it ends, too, while one of them may not act for the owner. */
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
  /** When it fired, the newest first, as many as `maxPerHour`: if the last of them is an hour ago, it may fire again. */
  @Column('timestamptz', { array: true, default: () => "'{}'" }) recentTriggers!: Date[];
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
