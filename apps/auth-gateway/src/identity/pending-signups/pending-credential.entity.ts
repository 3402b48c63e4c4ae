import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique, type Relation } from 'typeorm';
import { Tenant } from '../accounts/tenant.entity.js';

/**
 * A signup that nobody has confirmed: the password and the names that came with it, and the link that makes exactly these good. There may
 * be several of one address, and none of them is an account.
 */
@Entity('pending_credentials')
@Unique('pending_credentials_token_key', ['tokenHash'])
@Index('pending_credentials_email_idx', ['tenantId', 'email', 'createdAt'])
@Check('pending_credentials_email_check', 'email = lower(email)')
@Check('pending_credentials_mail_check', 'num_nonnulls(mail_id, token_hash, link_expires_at) IN (0, 3)')
export class PendingCredential {
  /** The id that the user gets. */
  @PrimaryColumn('text') id!: string;
  @Column('text') tenantId!: string;
  @ManyToOne(() => Tenant)
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'pending_credentials_tenant_fkey' })
  tenant?: Relation<Tenant>;
  /** As it is stored, compared and mailed. */
  @Column('text') email!: string;
  @Column('text', { select: false }) passwordHash!: string;
  @Column('text', { nullable: true }) firstName!: string | null;
  @Column('text', { nullable: true }) lastName!: string | null;
  /** Where the signup came from: the mail says it, so that the owner of the address knows their own. */
  @Column('text', { nullable: true }) ipAddress!: string | null;
  @Column('text', { nullable: true }) userAgent!: string | null;
  /** Whether its first mail has to wait, since the recipient got too many. */
  @Column('boolean', { default: false }) mailDeferred!: boolean;
  /** The job of the latest mail. Ids sort by time, so a newer mail replaces an older one and never the reverse. */
  @Column('text', { nullable: true }) mailId!: string | null;
  /** SHA-256 of the link's token, which is derived from `mailId` and a key of the server. */
  @Column('bytea', { nullable: true }) tokenHash!: Buffer | null;
  @Column('timestamptz', { nullable: true }) linkExpiresAt!: Date | null;
  @Index('pending_credentials_created_idx') @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
