import { Column, Entity, PrimaryColumn } from 'typeorm';

const KEY = { primaryKeyConstraintName: 'earnings_by_day_pkey' };

/** What a developer earned by a function of an app on a day (UTC), as far as it is booked. A sum of entries, for reading. */
@Entity('earnings_by_day')
export class EarningsByDay {
  @PrimaryColumn('text', KEY) developerId!: string;
  @PrimaryColumn('text', KEY) appId!: string;
  @PrimaryColumn('date', KEY) day!: string;
  @PrimaryColumn('text', KEY) function!: string;
  @Column('integer') calls!: number;
  @Column('bigint') earnedBase!: string;
  @Column('bigint') share!: string;
}
