import type { GivenKey } from '@platform/guards';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { App } from '../../apps/model/app.entity.js';
import { Tenant } from '../../identity/accounts/tenant.entity.js';
import { User } from '../../identity/accounts/user.entity.js';

/** A copy of what the Registry says of a user's app. The row of a removed install stays, or an older change could bring it back. */
@Entity('installs')
@Index('installs_app_idx', ['tenantId', 'appId', 'userId'], { where: 'removed_at IS NULL' })
@Index('installs_of_app_idx', ['appId'])
@Check('installs_granted_scopes_check', "NOT granted_scopes && '{*}' AND (removed_at IS NULL OR granted_scopes = '{}')")
export class Install {
  @PrimaryColumn('text') userId!: string;
  @ManyToOne(() => User) @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'installs_user_fkey' }) user?: Relation<User>;
  @PrimaryColumn('text') appId!: string;
  @ManyToOne(() => App, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'app_id', foreignKeyConstraintName: 'installs_app_fkey' })
  app?: Relation<App>;
  /** The user's. */
  @Column('text') tenantId!: string;
  @ManyToOne(() => Tenant) @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'installs_tenant_fkey' }) tenant?: Relation<Tenant>;
  /** The Registry's: of two states of an install the one with the higher revision is newer. */
  @Column('bigint') revision!: string;
  @Column('timestamptz') installedAt!: Date;
  @Column('timestamptz', { nullable: true }) removedAt!: Date | null;
  /** What was agreed to, by keys and in person; nothing once the app is removed, or installed anew: a trigger sees to that. */
  @Column('text', { array: true, default: '{}' }) grantedScopes!: string[];
  /**
   * The API keys without which it grants no more than what was granted in person; null where nobody but the user granted anything. What
   * counts is `GRANTED_SCOPES`.
   */
  @Column('jsonb', { nullable: true }) grantedBy!: GivenKey | null;
  /** With `grantedBy`: what was granted before, without any key. Null where a key installed the app. */
  @Column('text', { array: true, nullable: true }) grantedInPerson!: string[] | null;
  /** The version of the app's prices that the user agreed to by installing it themself: they pay no more. Null: nothing that costs. */
  @Column('integer', { nullable: true }) agreedPriceVersion!: number | null;
  /** The version for which the user was told that it asks for more. */
  @Column('text', { nullable: true }) askedVersion!: string | null;
}
