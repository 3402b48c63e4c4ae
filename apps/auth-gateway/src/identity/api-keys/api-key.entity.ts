import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique, type Relation } from 'typeorm';
import { User } from '../accounts/user.entity.js';

/** A credential of a user for programs. The secret part is never stored. */
@Entity('api_keys')
@Unique('api_keys_lookup_key', ['lookup'])
@Index('api_keys_user_idx', ['userId', 'createdAt'])
export class ApiKey {
  @PrimaryColumn('text') id!: string;
  @Column('text') userId!: string;
  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'api_keys_user_fkey' })
  user?: Relation<User>;
  /** The part of the key that finds it. */
  @Column('text') lookup!: string;
  /** SHA-256 of the secret part, which is too random to be guessed from it. */
  @Column('bytea') secretHash!: Buffer;
  /** How `secretHash` was made, so that another way can be introduced beside it. */
  @Column('smallint', { default: 1 }) hashVersion!: number;
  @Column('text') name!: string;
  @Column('text', { array: true }) scopes!: string[];
  @Column('timestamptz', { nullable: true }) lastUsedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) expiresAt!: Date | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
