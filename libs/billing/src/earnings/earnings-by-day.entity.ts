import { Column, Entity, PrimaryColumn } from 'typeorm';

/** TypeORM keeps the type of a column in its options, so that each has its own. */
const key = () => ({ primaryKeyConstraintName: 'earnings_by_day_pkey' });

/** What a developer earned by a function of an app on a day (UTC), as far as it is booked. A sum of entries, for reading. */
@Entity('earnings_by_day')
export class EarningsByDay {
  @PrimaryColumn('text', key()) developerId!: string;
  @PrimaryColumn('text', key()) appId!: string;
  @PrimaryColumn('date', key()) day!: string;
  @PrimaryColumn('text', key()) function!: string;
  @Column('integer') calls!: number;
  @Column('bigint') earnedBase!: string;
  @Column('bigint') share!: string;
}
