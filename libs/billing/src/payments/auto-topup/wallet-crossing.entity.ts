import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Wallet } from '../../ledger/wallet.entity.js';

/** That the balance of a wallet fell below its `lowMark`. Written by a trigger, and gone once something came of it. */
@Entity('wallet_crossings')
@Index('wallet_crossings_look_idx', ['lookAt'])
export class WalletCrossing {
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'wallet_crossings_pkey' }) walletId!: string;
  @ManyToOne(() => Wallet)
  @JoinColumn({ name: 'wallet_id', foreignKeyConstraintName: 'wallet_crossings_wallet_fkey' })
  wallet?: Relation<Wallet>;
  /** Of the entry by which it fell. */
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'wallet_crossings_pkey' }) seq!: string;
  @Column('timestamptz', { default: () => 'billing_now()' }) at!: Date;
  /** Not looked at before, by the time of billing. */
  @Column('timestamptz', { default: () => 'billing_now()' }) lookAt!: Date;
}
