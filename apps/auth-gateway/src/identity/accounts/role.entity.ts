import { ROLE_DEFAULTS, type RoleResponse } from '@platform/contracts';
import { Check, Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, Unique, type Relation } from 'typeorm';
import { Tenant } from './tenant.entity.js';

@Entity('roles')
@Unique('roles_tenant_name_key', ['tenantId', 'name'])
@Check(
  'roles_confirmation_policy_check',
  "confirmation_policy IN ('enforced', 'default_on', 'default_off', 'disabled')",
)
@Check('roles_max_concurrent_tasks_check', 'max_concurrent_tasks BETWEEN 1 AND 50')
@Check('roles_monthly_action_limit_check', 'monthly_action_limit >= 0')
@Check('roles_context_window_check', 'context_window BETWEEN 5 AND 200')
export class Role {
  @PrimaryColumn('text') id!: string;
  @Column('text') tenantId!: string;
  @ManyToOne(() => Tenant)
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'roles_tenant_fkey' })
  tenant?: Relation<Tenant>;
  @Column('text') name!: string;
  @Column('text') displayName!: string;
  @Column('text', { array: true, default: '{}' }) defaultScopes!: string[];
  /** Attributes that `cascade` writes to the users of the role. */
  @Column('jsonb', { default: {} }) defaultAttributes!: Record<string, unknown>;
  @Column('text', { array: true, default: '{}' }) defaultExtensions!: string[];
  @Column('text', { default: ROLE_DEFAULTS.confirmation_policy })
  confirmationPolicy!: RoleResponse['confirmation_policy'];
  @Column('integer', { default: ROLE_DEFAULTS.max_concurrent_tasks }) maxConcurrentTasks!: number;
  /** 0: no limit. */
  @Column('integer', { default: ROLE_DEFAULTS.monthly_action_limit }) monthlyActionLimit!: number;
  @Column('integer', { default: ROLE_DEFAULTS.context_window }) contextWindow!: number;
  @Column('boolean', { default: false }) isSystem!: boolean;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
