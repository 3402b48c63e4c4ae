import type { OriginKey } from '@platform/guards';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { App } from '../../apps/model/app.entity.js';
import { Tenant } from '../../identity/accounts/tenant.entity.js';
import { User } from '../../identity/accounts/user.entity.js';

/**
 * Copy of a user's installation at the Registry. The row stays after a removal; otherwise an older
 * change could restore the installation.
 */
@Entity('installs')
@Index('installs_app_idx', ['tenantId', 'appId', 'userId'], { where: 'removed_at IS NULL' })
@Index('installs_of_app_idx', ['appId'])
@Check('installs_granted_scopes_check', "NOT granted_scopes && '{*}' AND (removed_at IS NULL OR granted_scopes = '{}')")
export class Install {
  @PrimaryColumn('text') userId!: string;
  @ManyToOne(() => User)
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'installs_user_fkey' })
  user?: Relation<User>;
  @PrimaryColumn('text') appId!: string;
  @ManyToOne(() => App, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'app_id', foreignKeyConstraintName: 'installs_app_fkey' })
  app?: Relation<App>;
  /** Tenant of the user. */
  @Column('text') tenantId!: string;
  @ManyToOne(() => Tenant)
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'installs_tenant_fkey' })
  tenant?: Relation<Tenant>;
  /** Revision at the Registry. The state with the higher revision is newer. */
  @Column('bigint') revision!: string;
  @Column('timestamptz') installedAt!: Date;
  @Column('timestamptz', { nullable: true }) removedAt!: Date | null;
  /**
   * Scopes granted by keys and in person. A trigger empties them when the app is removed or
   * installed again.
   */
  @Column('text', { array: true, default: '{}' }) grantedScopes!: string[];
  /**
   * API keys behind the granted scopes. Without one of them, only the scopes granted in person
   * count. Null if only the user granted scopes. `GRANTED_SCOPES` computes the scopes that count.
   */
  @Column('jsonb', { nullable: true }) grantedBy!: OriginKey | null;
  /** With `grantedBy`: the scopes granted without any key. Null if a key installed the app. */
  @Column('text', { array: true, nullable: true }) grantedInPerson!: string[] | null;
  /**
   * Version of the app's prices that the user agreed to; they never pay more. Null: they agreed to
   * no price.
   */
  @Column('integer', { nullable: true }) agreedPriceVersion!: number | null;
  /** Version for which the user was notified about additional scopes. */
  @Column('text', { nullable: true }) askedVersion!: string | null;
}
