import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * Sum of the actions (calls) of one function of an app on one day (UTC), by users of all tenants.
 */
@Entity('app_action_sums')
@Index('app_action_sums_day_idx', ['day'], { type: 'brin' })
export class AppActionSum {
  @PrimaryColumn('text') appId!: string;
  @PrimaryColumn('date') day!: string;
  /**
   * Empty for all names that are not functions of the app, because callers can invent any number of
   * names.
   */
  @PrimaryColumn('text') function!: string;
  @Column('bigint') actions!: string;
  @Column('bigint') errors!: string;
  /** Number of actions with a known duration. */
  @Column('bigint') timed!: string;
  @Column('numeric') durationMs!: string;
}
