import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { Tenant } from '../../identity/accounts/tenant.entity.js';

/** Permission that can be granted. */
@Entity('scopes')
@Index('scopes_tenant_name_key', { synchronize: false })
@Check('scopes_name_check', "name = resource || ':' || action AND name ~ '^[a-z0-9_-]{1,64}:[a-z0-9_-]{1,64}$'")
export class Scope {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' }) id!: number;
  /** Null for a scope that every tenant sees. */
  @Column('text', { nullable: true }) tenantId!: string | null;
  @ManyToOne(() => Tenant, { nullable: true })
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'scopes_tenant_fkey' })
  tenant?: Relation<Tenant>;
  /**
   * `resource:action`, never a wildcard. A trigger prevents scopes of tenants on the platform's
   * resources.
   */
  @Column('text') name!: string;
  @Column('text') resource!: string;
  @Column('text') action!: string;
  @Column('text') displayName!: string;
  @Column('text', { default: '' }) description!: string;
  @Column('text') source!: string;
  @Column('text', { nullable: true }) sourceId!: string | null;
  /** True for a scope of the platform; it cannot be deleted. */
  @Column('boolean', { default: false }) isSystem!: boolean;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
