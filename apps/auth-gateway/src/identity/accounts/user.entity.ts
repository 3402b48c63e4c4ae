import type { NotificationSettings } from '@platform/contracts';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique, type Relation } from 'typeorm';
import { Agency } from './agency.entity.js';
import { Role } from './role.entity.js';
import { Tenant } from './tenant.entity.js';

@Entity('users')
@Unique('users_tenant_email_key', ['tenantId', 'emailCanonical'])
@Unique('users_nickname_key', ['nickname'])
@Index('users_folded_idx', { synchronize: false })
@Index('users_list_idx', ['tenantId', 'createdAt', 'id'], { where: 'erased_at IS NULL' })
@Index('users_active_idx', ['tenantId', 'isActive', 'createdAt', 'id'], { where: 'erased_at IS NULL' })
@Index('users_role_idx', ['tenantId', 'role', 'createdAt', 'id'])
@Index('users_scopes_idx', { synchronize: false })
@Check('users_email_canonical_check', 'email_canonical = lower(email_canonical)')
@Check('users_nickname_check', "nickname ~ '^[a-z0-9][a-z0-9_-]{1,28}[a-z0-9]$'")
export class User {
  /** The `platform_id` of the REST API. */
  @PrimaryColumn('text') id!: string;
  @Column('text') tenantId!: string;
  @ManyToOne(() => Tenant)
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'users_tenant_fkey' })
  tenant?: Relation<Tenant>;
  /** Address for mails. Equal to `emailCanonical`. */
  @Column('text') email!: string;
  /** Identifies the account within its tenant. */
  @Column('text') emailCanonical!: string;
  /**
   * PHC string of argon2id; null for an account without a password. Code that sets another password
   * must call `SessionsService.endUserSessions` in the same transaction.
   */
  @Column('text', { nullable: true, select: false }) passwordHash!: string | null;
  /**
   * Number that is raised when all logins of the user end (`SessionsService.endUserSessions`).
   * Pending logins and device tokens contain the epoch in which they were made and are valid only
   * in that epoch.
   */
  @Column('integer', { default: 0 }) credentialsEpoch!: number;
  @Column('text', { nullable: true }) firstName!: string | null;
  @Column('text', { nullable: true }) lastName!: string | null;
  /** Name under which a developer publishes apps. Unique on the platform. */
  @Column('text', { nullable: true }) nickname!: string | null;
  @Column('text', { default: 'user' }) role!: string;
  @ManyToOne(() => Role, { onUpdate: 'CASCADE' })
  @JoinColumn([
    { name: 'tenant_id', referencedColumnName: 'tenantId', foreignKeyConstraintName: 'users_role_fkey' },
    { name: 'role', referencedColumnName: 'name', foreignKeyConstraintName: 'users_role_fkey' },
  ])
  roleOfTenant?: Relation<Role>;
  /** Scopes granted to the user in addition to the defaults of the role. */
  @Column('text', { array: true, default: '{}' }) scopes!: string[];
  /**
   * Scopes denied to the user; a denial overrides every grant. The history is in `scope_denials`.
   */
  @Column('text', { array: true, default: '{}' }) deniedScopes!: string[];
  @Column('jsonb', { default: {} }) attributes!: Record<string, unknown>;
  /**
   * True if apps and automations must ask the user before they write data. Null: the role decides.
   */
  @Column('boolean', { nullable: true }) confirmationEnabled!: boolean | null;
  /** Channels through which apps can notify the user; null: all channels. */
  @Column('jsonb', { nullable: true }) notificationSettings!: NotificationSettings | null;
  @Column('text', { nullable: true }) agencyId!: string | null;
  @ManyToOne(() => Agency)
  @JoinColumn([
    { name: 'tenant_id', referencedColumnName: 'tenantId', foreignKeyConstraintName: 'users_agency_fkey' },
    { name: 'agency_id', referencedColumnName: 'agencyId', foreignKeyConstraintName: 'users_agency_fkey' },
  ])
  agency?: Relation<Agency>;
  @Column('text', { nullable: true }) orgId!: string | null;
  @Column('text', { default: 'email' }) authMethod!: string;
  @Column('integer', { nullable: true }) casesUserId!: number | null;
  @Column('boolean', { default: true }) isActive!: boolean;
  @Column('timestamptz', { nullable: true }) lastLoginAt!: Date | null;
  /** Time when all provisioning steps were done. */
  @Column('timestamptz', { nullable: true }) provisionedAt!: Date | null;
  /** Time when the account was deleted permanently. */
  @Column('timestamptz', { nullable: true }) erasedAt!: Date | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
