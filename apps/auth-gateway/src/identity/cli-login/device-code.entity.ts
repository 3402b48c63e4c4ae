import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique, type Relation } from 'typeorm';
import { User } from '../accounts/user.entity.js';

/** Pending device login (RFC 8628). The row is deleted when its tokens are issued. */
@Entity('device_codes')
@Unique('device_codes_user_code_key', ['userCodeHash'])
@Index('device_codes_pending_idx', ['ipBucket'], { where: "status = 'pending'" })
@Check('device_codes_status_check', "status IN ('pending', 'approved', 'denied')")
@Check('device_codes_decided_check', "(status = 'pending') = (user_id IS NULL)")
export class DeviceCode {
  @PrimaryColumn('bytea') deviceHash!: Buffer;
  /** HMAC of the user code: the code has only 34 bits, so a plain hash could be reversed. */
  @Column('bytea') userCodeHash!: Buffer;
  @Column('text') codeChallenge!: string;
  @Column('text', { default: 'pending' }) status!: 'pending' | 'approved' | 'denied';
  /** User who approved or denied the login; null while it is pending. */
  @Index('device_codes_user_idx') @Column('text', { nullable: true }) userId!: string | null;
  @ManyToOne(() => User, { onDelete: 'CASCADE', nullable: true })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'device_codes_user_fkey' })
  user?: Relation<User>;
  /** Credentials epoch of the user when they decided; meaningless before. */
  @Column('integer', { default: 0 }) credentialsEpoch!: number;
  @Column('text', { nullable: true }) label!: string | null;
  @Column('text', { nullable: true }) ipAddress!: string | null;
  @Column('text') ipBucket!: string;
  @Column('text', { nullable: true }) userAgent!: string | null;
  @Index('device_codes_expires_idx') @Column('timestamptz') expiresAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
