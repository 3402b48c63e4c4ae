import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Consecutive wrong passwords of one account (or of one account on one known device). */
@Entity('login_throttles')
export class LoginThrottle {
  /** An HMAC of tenant and address, so that the table names nobody. */
  @PrimaryColumn('bytea') key!: Buffer;
  @Column('integer') failures!: number;
  @Column('timestamptz', { nullable: true }) blockedUntil!: Date | null;
  @Index('login_throttles_updated_idx') @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}
