import type { Narrowing } from '@platform/guards';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Tenant } from '../../tenants/tenant.entity.js';
import { User } from '../../users/user.entity.js';

/** That an API key is changing an install at the Registry, so that whoever hears of the change first knows how far it reaches. */
@Entity('install_narrowings')
@Index('install_narrowings_install_idx', ['userId', 'appId'])
export class InstallNarrowing {
  @PrimaryColumn('text') id!: string;
  @Column('text') tenantId!: string;
  @ManyToOne(() => Tenant)
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'install_narrowings_tenant_fkey' })
  tenant?: Relation<Tenant>;
  @Column('text') userId!: string;
  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'install_narrowings_user_fkey' })
  user?: Relation<User>;
  @Column('text') appId!: string;
  @Column('jsonb') narrowing!: Narrowing;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
