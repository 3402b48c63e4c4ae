import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { SPENDING_CLASSES, type SpendingClass } from './spending-class.js';
import { Wallet } from './wallet.entity.js';

/**
 * A reservation: credits that nothing else can spend, for example of a running call. The row is
 * deleted when the reservation is captured or released, or after it has expired.
 */
@Entity('wallet_holds')
@Index('wallet_holds_expiry_idx', ['expiresAt'])
@Index('wallet_holds_wallet_idx', ['walletId'])
@Check('wallet_holds_id_check', 'length(id) BETWEEN 1 AND 300')
@Check('wallet_holds_amount_check', 'amount BETWEEN 1 AND 1000000000000')
@Check('wallet_holds_class_check', `spending_class IN ('${SPENDING_CLASSES.join("', '")}')`)
@Check('wallet_holds_spending_check', '(spending_class IS NULL) = (spending_month IS NULL)')
export class WalletReservation {
  @PrimaryColumn('text') id!: string;
  @Column('bigint') walletId!: string;
  @ManyToOne(() => Wallet)
  @JoinColumn({ name: 'wallet_id', foreignKeyConstraintName: 'wallet_holds_wallet_fkey' })
  wallet?: Relation<Wallet>;
  @Column('bigint') amount!: string;
  /**
   * Spending limit of the user that the reservation counts for; null if the user spends in person.
   */
  @Column('text', { nullable: true }) spendingClass!: SpendingClass | null;
  @Column('date', { nullable: true }) spendingMonth!: string | null;
  @Column('timestamptz', { default: () => 'billing_now()' }) createdAt!: Date;
  @Column('timestamptz') expiresAt!: Date;
}
