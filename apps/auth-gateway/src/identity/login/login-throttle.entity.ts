import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Number of consecutive wrong passwords for an account, or for an account on one known device. */
@Entity('login_throttles')
export class LoginThrottle {
  /** HMAC of tenant and address, so that the table contains no personal data. */
  @PrimaryColumn('bytea') key!: Buffer;
  @Column('integer') failures!: number;
  @Column('timestamptz', { nullable: true }) blockedUntil!: Date | null;
  @Index('login_throttles_updated_idx') @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}
