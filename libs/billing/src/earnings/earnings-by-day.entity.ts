import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Options of a column of the primary key. A function, because TypeORM stores the type of the column
 * in its options: each column needs its own object.
 */
const key = () => ({ primaryKeyConstraintName: 'earnings_by_day_pkey' });

/**
 * Booked earnings of a developer from one function of an app on one day (UTC). A sum of ledger
 * entries, for fast reads.
 */
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
