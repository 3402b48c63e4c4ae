import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Tenant } from '../../identity/accounts/tenant.entity.js';

/**
 * Number of reports that a version of an app used a denied capability in a tenant, without the
 * reports that are in the audit log.
 */
@Entity('capability_denials')
@Check('capability_denials_unrecorded_check', 'unrecorded >= 0')
@Index('capability_denials_counted_idx', ['countedSince'])
export class CapabilityDenial {
  @PrimaryColumn('text') tenantId!: string;
  @ManyToOne(() => Tenant, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'capability_denials_tenant_fkey' })
  tenant?: Relation<Tenant>;
  @PrimaryColumn('text') appId!: string;
  @PrimaryColumn('text') version!: string;
  @PrimaryColumn('text') capability!: string;
  @Column('timestamptz', { default: () => 'now()' }) countedSince!: Date;
  @Column('timestamptz', { default: () => 'now()' }) recordedAt!: Date;
  @Column('bigint', { default: 0 }) unrecorded!: string;
}
