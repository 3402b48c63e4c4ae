import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import type { EntryKind } from './ledger-booking.entity.js';
import { Wallet } from './wallet.entity.js';

/**
 * Debt that a movement left because the wallet had too few credits. Written once, like a ledger
 * entry. Payments of the debt are ledger entries of the kind `debt_payment`.
 */
@Entity('ledger_debts')
@Index('ledger_debts_wallet_idx', ['walletId'])
@Check('ledger_debts_idem_key_check', 'length(idem_key) BETWEEN 1 AND 300')
@Check('ledger_debts_amount_check', 'amount BETWEEN 1 AND 1000000000000')
export class LedgerDebt {
  @PrimaryColumn('text') idemKey!: string;
  @Column('bigint') walletId!: string;
  @ManyToOne(() => Wallet)
  @JoinColumn({ name: 'wallet_id', foreignKeyConstraintName: 'ledger_debts_wallet_fkey' })
  wallet?: Relation<Wallet>;
  @Column('bigint') amount!: string;
  @Column('text') kind!: EntryKind;
  @Column('text', { nullable: true }) appId!: string | null;
  @Column('text', { nullable: true }) ref!: string | null;
  @Column('timestamptz', { default: () => 'billing_now()' }) at!: Date;
}
