import { Check, Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';

/** Monthly limits for spending without the user. Without a row the defaults apply. */
@Entity('spending_limits')
@Check('spending_limits_unattended_check', 'unattended BETWEEN 0 AND 1000000000000')
@Check('spending_limits_other_apps_check', 'other_apps BETWEEN 0 AND 1000000000000')
export class SpendingLimits {
  @PrimaryColumn('text') userId!: string;
  @OneToOne('User')
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'spending_limits_user_fkey' })
  user?: Relation<object>;
  /** Null: no limit. */
  @Column('bigint', { nullable: true }) unattended!: string | null;
  @Column('bigint', { nullable: true }) otherApps!: string | null;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}
