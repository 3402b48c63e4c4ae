import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique, type Relation } from 'typeorm';
import { Tenant } from '../accounts/tenant.entity.js';

/**
 * Unconfirmed signup: its password and names, and the link that activates exactly these. An address
 * can have several of them. None of them is an account.
 */
@Entity('pending_credentials')
@Unique('pending_credentials_token_key', ['tokenHash'])
@Index('pending_credentials_email_idx', ['tenantId', 'email', 'createdAt'])
@Check('pending_credentials_email_check', 'email = lower(email)')
@Check('pending_credentials_mail_check', 'num_nonnulls(mail_id, token_hash, link_expires_at) IN (0, 3)')
export class PendingCredential {
  /** Id of the future user. */
  @PrimaryColumn('text') id!: string;
  @Column('text') tenantId!: string;
  @ManyToOne(() => Tenant)
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'pending_credentials_tenant_fkey' })
  tenant?: Relation<Tenant>;
  /** Canonical address, in the form in which addresses are stored, compared and mailed. */
  @Column('text') email!: string;
  @Column('text', { select: false }) passwordHash!: string;
  @Column('text', { nullable: true }) firstName!: string | null;
  @Column('text', { nullable: true }) lastName!: string | null;
  /**
   * Client address of the signup. The mail shows it, so that the owner of the mailbox recognises
   * their own signup.
   */
  @Column('text', { nullable: true }) ipAddress!: string | null;
  @Column('text', { nullable: true }) userAgent!: string | null;
  /** True if the first mail must wait because the recipient has received too many. */
  @Column('boolean', { default: false }) mailDeferred!: boolean;
  /**
   * Job of the latest mail. Ids sort by time, so a newer mail replaces an older one and never the
   * reverse.
   */
  @Column('text', { nullable: true }) mailId!: string | null;
  /**
   * SHA-256 of the token in the link. The token is derived from `mailId` and a key of the server.
   */
  @Column('bytea', { nullable: true }) tokenHash!: Buffer | null;
  @Column('timestamptz', { nullable: true }) linkExpiresAt!: Date | null;
  @Index('pending_credentials_created_idx') @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
