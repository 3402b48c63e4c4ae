import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, Unique, type Relation } from 'typeorm';
import { User } from '../accounts/user.entity.js';

/**
 * Token that was mailed. Only its SHA-256 is stored; the token is derived from the id and a key of
 * the server.
 */
@Entity('mail_tokens')
@Unique('mail_tokens_user_purpose_key', ['userId', 'purpose'])
@Unique('mail_tokens_hash_key', ['hash'])
export class MailToken {
  /**
   * Id of the job that sent the mail. Ids sort by time, so a newer mail replaces an older one and
   * never the reverse.
   */
  @PrimaryColumn('text') id!: string;
  @Column('text') userId!: string;
  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'mail_tokens_user_fkey' })
  user?: Relation<User>;
  @Column('text') purpose!: string;
  @Column('bytea') hash!: Buffer;
  @Column('timestamptz') expiresAt!: Date;
}
