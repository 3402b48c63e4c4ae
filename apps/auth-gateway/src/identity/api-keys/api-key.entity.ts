import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique, type Relation } from 'typeorm';
import { User } from '../accounts/user.entity.js';

/** API key of a user, for programs. Only a hash of its secret part is stored. */
@Entity('api_keys')
@Unique('api_keys_lookup_key', ['lookup'])
@Index('api_keys_user_idx', ['userId', 'createdAt'])
export class ApiKey {
  @PrimaryColumn('text') id!: string;
  @Column('text') userId!: string;
  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'api_keys_user_fkey' })
  user?: Relation<User>;
  /** Part of the key by which it is found. */
  @Column('text') lookup!: string;
  /** SHA-256 of the secret part. The secret is random and long, so the hash does not reveal it. */
  @Column('bytea') secretHash!: Buffer;
  /** Version of the hash method, so that a new method can be introduced later. */
  @Column('smallint', { default: 1 }) hashVersion!: number;
  @Column('text') name!: string;
  @Column('text', { array: true }) scopes!: string[];
  @Column('timestamptz', { nullable: true }) lastUsedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) expiresAt!: Date | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
