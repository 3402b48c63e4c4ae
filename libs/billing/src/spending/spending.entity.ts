import { Check, Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Wallet } from '../ledger/wallet.entity.js';
import { SPENDING_CLASSES, type SpendingClass } from '../ledger/spending-class.js';

/**
 * Options of a column of the primary key. A function, because TypeORM stores the type of the column
 * in its options: each column needs its own object.
 */
const key = () => ({ primaryKeyConstraintName: 'spending_pkey' });

/** Credits spent without the user in a month (UTC). Includes reservations. */
@Entity('spending')
@Check('spending_class_check', `class IN ('${SPENDING_CLASSES.join("', '")}')`)
@Check('spending_spent_check', 'spent >= 0')
export class Spending {
  @PrimaryColumn('bigint', key()) walletId!: string;
  @ManyToOne(() => Wallet)
  @JoinColumn({ name: 'wallet_id', foreignKeyConstraintName: 'spending_wallet_fkey' })
  wallet?: Relation<Wallet>;
  /** First day of the month. */
  @PrimaryColumn('date', key()) month!: string;
  @PrimaryColumn('text', key()) class!: SpendingClass;
  @Column('bigint') spent!: string;
}
