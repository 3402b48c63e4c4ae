import { DEVELOPER_TIERS, type DeveloperTier } from '@platform/contracts';
import { Check, Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { User } from '../../identity/accounts/user.entity.js';

export { DEVELOPER_TIERS, type DeveloperTier };

/** A user who makes apps. Their handle is `users.nickname`. */
@Entity('developers')
@Check('developers_tier_check', `tier IN ('${DEVELOPER_TIERS.join("', '")}')`)
export class Developer {
  @PrimaryColumn('text') userId!: string;
  @OneToOne(() => User) @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'developers_user_fkey' }) user?: Relation<User>;
  @Column('text') displayName!: string;
  @Column('text', { nullable: true }) website!: string | null;
  @Column('text', { default: '' }) description!: string;
  @Column('text', { default: 'explorer' }) tier!: DeveloperTier;
  @Column('timestamptz', { default: () => 'now()' }) registeredAt!: Date;
}
