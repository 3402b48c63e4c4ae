import {
  WEBHOOK_DISABLED_REASONS,
  WEBHOOK_ENDPOINT_STATUSES,
  type WebhookDisabledReason,
  type WebhookEndpointStatus,
} from '@platform/contracts';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique, type Relation } from 'typeorm';
import { Tenant } from '../../../../identity/accounts/tenant.entity.js';
import { User } from '../../../../identity/accounts/user.entity.js';

/** URL to which events of a tenant are posted. */
@Entity('webhook_endpoints')
@Unique('webhook_endpoints_slot_key', ['tenantId', 'slot'])
@Index('webhook_endpoints_created_by_idx', ['createdBy'])
@Check('webhook_endpoints_slot_check', 'slot BETWEEN 1 AND 20')
@Check('webhook_endpoints_all_tenants_check', "NOT all_tenants OR tenant_id = 'default'")
@Check('webhook_endpoints_status_check', `status IN ('${WEBHOOK_ENDPOINT_STATUSES.join("', '")}')`)
@Check('webhook_endpoints_reason_check', `disabled_reason IN ('${WEBHOOK_DISABLED_REASONS.join("', '")}')`)
@Check('webhook_endpoints_disabled_check', "(status = 'disabled') = (disabled_reason IS NOT NULL)")
@Check('webhook_endpoints_previous_check', '(sealed_previous_secret IS NULL) = (previous_secret_until IS NULL)')
export class WebhookEndpointEntity {
  @PrimaryColumn('text') id!: string;
  @Column('text') tenantId!: string;
  @ManyToOne(() => Tenant, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'webhook_endpoints_tenant_fkey' })
  tenant?: Relation<Tenant>;
  /** Number from 1 to 20, unique in the tenant. It limits the number of endpoints. */
  @Column('smallint') slot!: number;
  /** True if the endpoint receives events of all tenants. */
  @Column('boolean', { default: false }) allTenants!: boolean;
  @Column('text') url!: string;
  @Column('text', { default: '' }) description!: string;
  @Column('text', { array: true }) eventTypes!: string[];
  @Column('text', { default: 'enabled' }) status!: WebhookEndpointStatus;
  /** Null while the endpoint is enabled. */
  @Column('text', { nullable: true }) disabledReason!: WebhookDisabledReason | null;
  @Column('text', { select: false }) sealedSecret!: string;
  /** Secret before the last rotation. It also signs for a while. */
  @Column('text', { nullable: true, select: false }) sealedPreviousSecret!: string | null;
  @Column('timestamptz', { nullable: true }) previousSecretUntil!: Date | null;
  /** Time of the first failure since the last delivery that arrived; null after a success. */
  @Column('timestamptz', { nullable: true }) failingSince!: Date | null;
  /** Time at which the creator was last told that the endpoint was disabled. */
  @Column('timestamptz', { nullable: true }) toldAt!: Date | null;
  /** The endpoint receives events after this position. */
  @Column('bigint') fromPosition!: string;
  @Column('text', { nullable: true }) createdBy!: string | null;
  @ManyToOne(() => User, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'created_by', foreignKeyConstraintName: 'webhook_endpoints_created_by_fkey' })
  creator?: Relation<User>;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}
