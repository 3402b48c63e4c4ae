import type { ActionType } from '@platform/contracts';
import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/**
 * A call of a function, after it was made. It outlives its user and its app, so it has no foreign
 * keys to them.
 */
@Entity('actions')
@Unique('actions_trace_key', ['traceId'])
@Index('actions_user_idx', ['tenantId', 'userId', 'createdAt', 'id'])
@Index('actions_app_idx', ['appId', 'createdAt'])
// On `created_at AT TIME ZONE 'UTC'`.
@Index('actions_time_idx', { synchronize: false })
@Check('actions_action_type_check', "action_type IN ('read', 'write', 'destructive')")
@Check('actions_duration_check', 'duration_ms >= 0')
@Check('actions_amounts_check', 'least(tokens_used, action_price, extension_price, platform_fee) >= 0')
export class Action {
  @PrimaryColumn('text') id!: string;
  @Column('text') traceId!: string;
  /** Null for a run without a user, and after the user was deleted. */
  @Column('text', { nullable: true }) userId!: string | null;
  @Column('text') tenantId!: string;
  @Column('text') appId!: string;
  @Column('text') function!: string;
  @Column('text', { nullable: true }) actionType!: ActionType | null;
  @Column('text') status!: string;
  @Column('text', { nullable: true }) errorCode!: string | null;
  @Column('text', { nullable: true }) error!: string | null;
  @Column('bigint', { nullable: true }) durationMs!: string | null;
  @Column('bigint', { default: 0 }) tokensUsed!: string;
  @Column('bigint', { default: 0 }) actionPrice!: string;
  @Column('bigint', { default: 0 }) extensionPrice!: string;
  @Column('bigint', { default: 0 }) platformFee!: string;
  @Column('jsonb', { default: {} }) details!: Record<string, unknown>;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { nullable: true }) completedAt!: Date | null;
}
