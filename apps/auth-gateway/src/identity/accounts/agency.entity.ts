import type { AgencySettings, AgencyTheme } from '@platform/contracts';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique, type Relation } from 'typeorm';
import { Tenant } from './tenant.entity.js';

/** Part of a tenant with its own name, settings and theme. */
@Entity('agencies')
@Unique('agencies_domain_key', ['domain'])
@Index('agencies_created_idx', ['tenantId', 'createdAt', 'agencyId'])
@Check('agencies_agency_id_check', "agency_id ~ '^[a-z0-9][a-z0-9_-]{2,49}$' AND agency_id <> 'default'")
@Check('agencies_domain_check', 'domain = lower(domain)')
@Check('agencies_settings_size_check', 'octet_length(settings::text) <= 65536')
export class Agency {
  @PrimaryColumn('text') tenantId!: string;
  @ManyToOne(() => Tenant)
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'agencies_tenant_fkey' })
  tenant?: Relation<Tenant>;
  @PrimaryColumn('text') agencyId!: string;
  @Column('text') displayName!: string;
  @Column('text', { nullable: true }) domain!: string | null;
  /** Settings as they were sent. Responses add fallbacks, such as `logo_dark_url`. */
  @Column('jsonb', { default: {} }) settings!: AgencySettings;
  /** Null: the standard theme of the platform. */
  @Column('jsonb', { nullable: true }) theme!: AgencyTheme | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
