import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { Tenant } from '../tenants/tenant.entity.js';

/** A permission that can be granted, as tenants see it. */
@Entity('scopes')
@Index('scopes_tenant_name_key', { synchronize: false })
export class Scope {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' }) id!: number;
  /** Null for what every tenant sees. */
  @Column('text', { nullable: true }) tenantId!: string | null;
  @ManyToOne(() => Tenant, { nullable: true })
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'scopes_tenant_fkey' })
  tenant?: Relation<Tenant>;
  @Column('text') name!: string;
  @Column('text') resource!: string;
  @Column('text') action!: string;
  @Column('text') displayName!: string;
  @Column('text', { default: '' }) description!: string;
  @Column('text') source!: string;
  @Column('text', { nullable: true }) sourceId!: string | null;
  /** Part of the platform itself: it cannot be deleted. */
  @Column('boolean', { default: false }) isSystem!: boolean;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
