import { Column, Entity, PrimaryColumn } from 'typeorm';

const KEY = { primaryKeyConstraintName: 'app_earnings_pkey' };

/** What a developer earned by an app in all, as far as it is booked: the sum of `earnings_by_day`, so that no read goes through all days. */
@Entity('app_earnings')
export class AppEarnings {
  @PrimaryColumn('text', KEY) developerId!: string;
  @PrimaryColumn('text', KEY) appId!: string;
  @Column('bigint') calls!: string;
  @Column('bigint') earnedBase!: string;
  @Column('bigint') share!: string;
}
