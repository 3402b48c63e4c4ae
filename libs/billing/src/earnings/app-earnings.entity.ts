import { Column, Entity, PrimaryColumn } from 'typeorm';

const KEY = { primaryKeyConstraintName: 'app_earnings_pkey' };

/**
 * All booked earnings of a developer from one app: the sum of `earnings_by_day`, so that no read
 * has to add up all days.
 */
@Entity('app_earnings')
export class AppEarnings {
  @PrimaryColumn('text', KEY) developerId!: string;
  @PrimaryColumn('text', KEY) appId!: string;
  @Column('bigint') calls!: string;
  @Column('bigint') earnedBase!: string;
  @Column('bigint') share!: string;
}
