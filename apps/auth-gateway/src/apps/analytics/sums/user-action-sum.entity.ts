import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * Sum of the actions (calls of functions) of a user with one app on one day (UTC). Has no foreign
 * keys, like the table `actions`.
 */
@Entity('user_action_sums')
@Index('user_action_sums_day_idx', ['day'], { type: 'brin' })
export class UserActionSum {
  @PrimaryColumn('text') tenantId!: string;
  @PrimaryColumn('text') userId!: string;
  @PrimaryColumn('date') day!: string;
  @PrimaryColumn('text') appId!: string;
  @Column('bigint') actions!: string;
  @Column('numeric') tokensUsed!: string;
  @Column('numeric') credits!: string;
}
