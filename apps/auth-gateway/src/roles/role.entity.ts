import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, Unique, type Relation } from 'typeorm';
import { Tenant } from '../tenants/tenant.entity.js';

@Entity('roles')
@Unique('roles_tenant_name_key', ['tenantId', 'name'])
export class Role {
  @PrimaryColumn('text') id!: string;
  @Column('text') tenantId!: string;
  @ManyToOne(() => Tenant) @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'roles_tenant_fkey' }) tenant?: Relation<Tenant>;
  @Column('text') name!: string;
  @Column('text') displayName!: string;
  @Column('text', { array: true, default: '{}' }) defaultScopes!: string[];
  @Column('boolean', { default: false }) isSystem!: boolean;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
