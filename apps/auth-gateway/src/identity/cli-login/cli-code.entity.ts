import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Session } from '../sessions/session.entity.js';
import { User } from '../accounts/user.entity.js';

/**
 * Login code for one use that the panel gives to a command line. The row is kept after its use, so
 * that a second use is detected.
 */
@Entity('cli_codes')
export class CliCode {
  @PrimaryColumn('bytea') codeHash!: Buffer;
  @Index('cli_codes_user_idx') @Column('text') userId!: string;
  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'cli_codes_user_fkey' })
  user?: Relation<User>;
  /** Credentials epoch of the user when the code was made. */
  @Column('integer') credentialsEpoch!: number;
  @Column('text') codeChallenge!: string;
  @Column('text', { nullable: true }) redirectUri!: string | null;
  @Index('cli_codes_expires_idx') @Column('timestamptz') expiresAt!: Date;
  @Column('timestamptz', { nullable: true }) consumedAt!: Date | null;
  /** Session that was started with the code. */
  @Index('cli_codes_session_idx') @Column('text', { nullable: true }) sessionId!: string | null;
  @ManyToOne(() => Session, { onDelete: 'SET NULL', nullable: true })
  @JoinColumn({ name: 'session_id', foreignKeyConstraintName: 'cli_codes_session_fkey' })
  session?: Relation<Session>;
}
