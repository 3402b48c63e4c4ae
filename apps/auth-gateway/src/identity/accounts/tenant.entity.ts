import type { DbBackend, Isolation } from '@platform/contracts';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

@Entity('tenants')
@Index('tenants_parent_idx', ['parentTenantId', 'id'])
@Check('tenants_id_check', "id ~ '^[a-z0-9][a-z0-9_-]{0,62}$'")
@Check('tenants_db_backend_check', "db_backend = 'postgresql'")
@Check('tenants_isolation_check', "isolation IN ('shared', 'dedicated')")
@Check('tenants_dedicated_check', "(isolation = 'dedicated') = (sealed_db_config IS NOT NULL)")
@Check('tenants_max_connections_check', 'max_connections BETWEEN 1 AND 500')
@Check('tenants_parent_check', 'parent_tenant_id <> id')
@Check('tenants_default_check', "id <> 'default' OR is_active")
@Check('tenants_auth_methods_check', "allowed_auth_methods <@ '{email,api_key}' AND allowed_auth_methods <> '{}'")
@Check('tenants_default_auth_methods_check', "id <> 'default' OR 'email' = ANY (allowed_auth_methods)")
export class Tenant {
  /** Id in the REST API, such as `default` or `acme`. */
  @PrimaryColumn('text') id!: string;
  @Column('text') name!: string;
  @Column('boolean', { default: true }) isActive!: boolean;
  @Column('text', { default: 'postgresql' }) dbBackend!: DbBackend;
  @Column('text', { default: 'shared' }) isolation!: Isolation;
  @Column('text', { array: true, default: '{email,api_key}' }) allowedAuthMethods!: string[];
  @Column('integer', { default: 10 }) maxConnections!: number;
  @Column('jsonb', { default: {} }) features!: Record<string, unknown>;
  /** Never changes after creation, so that a tenant cannot be above itself. */
  @Column('text', { nullable: true }) parentTenantId!: string | null;
  @ManyToOne(() => Tenant, { nullable: true })
  @JoinColumn({ name: 'parent_tenant_id', foreignKeyConstraintName: 'tenants_parent_fkey' })
  parent?: Relation<Tenant> | null;
  @Column('boolean', { default: false }) canResell!: boolean;
  @Column('jsonb', { default: {} }) customPricing!: Record<string, unknown>;
  @Column('jsonb', { default: {} }) uiConfig!: Record<string, unknown>;
  @Column('text', { nullable: true, select: false }) sealedDbConfig!: string | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}
