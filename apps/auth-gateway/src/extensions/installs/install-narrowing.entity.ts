import type { Narrowing } from '@platform/guards';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Tenant } from '../../identity/accounts/tenant.entity.js';
import { User } from '../../identity/accounts/user.entity.js';
import type { NotedChange } from './install-narrowings.js';

/** That API keys are changing an install at the Registry, so that whoever hears of a change first knows how far it reaches. */
@Entity('install_narrowings')
@Index('install_narrowings_changes_key', ['tenantId', 'userId', 'appId'], { unique: true, where: 'changes IS NOT NULL' })
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
  /** As far as all of them reach. */
  @Column('jsonb') narrowing!: Narrowing;
  /** Each that counts. Null in a row of a release that kept one row for each. */
  @Column('jsonb', { nullable: true }) changes!: NotedChange[] | null;
  /** When the last of them began, or was lost. */
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
