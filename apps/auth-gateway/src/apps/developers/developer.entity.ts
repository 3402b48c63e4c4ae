import { DEVELOPER_TIERS, type DeveloperTier } from '@platform/contracts';
import { Check, Column, Entity, Index, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { User } from '../../identity/accounts/user.entity.js';

export { DEVELOPER_TIERS, type DeveloperTier };

/** A user with apps. Their handle is `users.nickname`. */
@Entity('developers')
@Index('developers_tier_expiry_idx', ['tierExpiresAt'], { where: 'tier_expires_at IS NOT NULL' })
@Check('developers_tier_check', `tier IN ('${DEVELOPER_TIERS.join("', '")}')`)
@Check('developers_tier_term_check', 'tier_term >= 0')
export class Developer {
  @PrimaryColumn('text') userId!: string;
  @OneToOne(() => User)
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'developers_user_fkey' })
  user?: Relation<User>;
  @Column('text') displayName!: string;
  @Column('text', { nullable: true }) website!: string | null;
  @Column('text', { default: '' }) description!: string;
  @Column('text', { default: 'explorer' }) tier!: DeveloperTier;
  /** Number of paid years, used in the key of each payment. */
  @Column('integer', { default: 0 }) tierTerm!: number;
  /**
   * End of the paid year, when the next year is charged. Null for a free or given tier, which does
   * not end.
   */
  @Column('timestamptz', { nullable: true }) tierExpiresAt!: Date | null;
  @Column('timestamptz', { default: () => 'now()' }) registeredAt!: Date;
}
