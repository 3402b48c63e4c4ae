import { Check, Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Wallet } from '../ledger/wallet.entity.js';
import { SPENDING_CLASSES, type SpendingClass } from '../ledger/spending-class.js';

/** TypeORM keeps the type of a column in its options, so that each has its own. */
const key = () => ({ primaryKeyConstraintName: 'spending_pkey' });

/** What was spent for a user without them in a month (UTC), holds included. */
@Entity('spending')
@Check('spending_class_check', `class IN ('${SPENDING_CLASSES.join("', '")}')`)
@Check('spending_spent_check', 'spent >= 0')
export class Spending {
  @PrimaryColumn('bigint', key()) walletId!: string;
  @ManyToOne(() => Wallet) @JoinColumn({ name: 'wallet_id', foreignKeyConstraintName: 'spending_wallet_fkey' }) wallet?: Relation<Wallet>;
  /** The first day of it. */
  @PrimaryColumn('date', key()) month!: string;
  @PrimaryColumn('text', key()) class!: SpendingClass;
  @Column('bigint') spent!: string;
}
