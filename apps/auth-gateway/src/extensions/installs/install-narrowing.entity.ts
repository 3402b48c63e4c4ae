import type { Narrowing } from '@platform/guards';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Tenant } from '../../identity/accounts/tenant.entity.js';
import { User } from '../../identity/accounts/user.entity.js';
import type { StoredChange } from './install-narrowings.js';

/**
 * Permission limits of API keys that are changing an installation at the Registry. The change may
 * become known here in another way before the key's request ends, and its effects need the same
 * limit.
 */
@Entity('install_narrowings')
@Index('install_narrowings_changes_key', ['tenantId', 'userId', 'appId'], { unique: true })
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
  /** Common limit of all these changes. */
  @Column('jsonb') narrowing!: Narrowing;
  /** Changes that still count. */
  @Column('jsonb') changes!: StoredChange[];
  /** Time at which the last change began, or its result was lost. */
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
