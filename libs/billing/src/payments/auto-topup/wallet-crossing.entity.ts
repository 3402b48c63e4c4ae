import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Wallet } from '../../ledger/wallet.entity.js';

/**
 * Record that the balance of a wallet fell below its `lowMark`. A trigger inserts it. It is deleted
 * after it was handled.
 */
@Entity('wallet_crossings')
@Index('wallet_crossings_look_idx', ['lookAt'])
export class WalletCrossing {
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'wallet_crossings_pkey' }) walletId!: string;
  @ManyToOne(() => Wallet)
  @JoinColumn({ name: 'wallet_id', foreignKeyConstraintName: 'wallet_crossings_wallet_fkey' })
  wallet?: Relation<Wallet>;
  /** Number of the ledger entry with which the balance fell. */
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'wallet_crossings_pkey' }) seq!: string;
  @Column('timestamptz', { default: () => 'billing_now()' }) at!: Date;
  /** Time before which the crossing is not handled, in billing time. */
  @Column('timestamptz', { default: () => 'billing_now()' }) lookAt!: Date;
}
