import { ACCESS_MODES, type AccessMode } from '@platform/contracts';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { App } from '../../apps/model/app.entity.js';
import { Tenant } from '../../identity/accounts/tenant.entity.js';

/**
 * Rule of a tenant about the users who can call an app. Without a row, all users of the tenant can.
 */
@Entity('access_policies')
@Index('access_policies_app_idx', ['appId'])
@Check('access_policies_mode_check', `mode IN ('${ACCESS_MODES.join("', '")}')`)
@Check('access_policies_scopes_check', "(mode = 'restricted') = (required_scopes <> '{}')")
export class AppAccessPolicy {
  @PrimaryColumn('text') tenantId!: string;
  @ManyToOne(() => Tenant)
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'access_policies_tenant_fkey' })
  tenant?: Relation<Tenant>;
  @PrimaryColumn('text') appId!: string;
  @ManyToOne(() => App, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'app_id', foreignKeyConstraintName: 'access_policies_app_fkey' })
  app?: Relation<App>;
  @Column('text') mode!: AccessMode;
  /** A user needs all of them. */
  @Column('text', { array: true, default: '{}' }) requiredScopes!: string[];
  @Column('text', { array: true, default: '{}' }) deniedRoles!: string[];
  @Column('text', { array: true, default: '{}' }) deniedUsers!: string[];
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}
