import { Check, Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { LedgerBooking } from '../ledger/ledger-booking.entity.js';

/**
 * Part of a charge that was paid with credits of test payments, so no developer earns from it.
 * Written once, together with the entry that removes the share.
 */
@Entity('forgotten_shares')
@Check('forgotten_shares_calls_check', 'calls IN (0, 1)')
@Check('forgotten_shares_base_check', 'earned_base >= 0')
@Check('forgotten_shares_share_check', 'share BETWEEN 0 AND earned_base')
export class RemovedTestShare {
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'forgotten_shares_pkey' }) walletId!: string;
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'forgotten_shares_pkey' }) seq!: string;
  @ManyToOne(() => LedgerBooking)
  @JoinColumn([
    { name: 'wallet_id', referencedColumnName: 'walletId', foreignKeyConstraintName: 'forgotten_shares_entry_fkey' },
    { name: 'seq', referencedColumnName: 'seq', foreignKeyConstraintName: 'forgotten_shares_entry_fkey' },
  ])
  entry?: Relation<LedgerBooking>;
  @Column('text') developerId!: string;
  /** 1 if all earning credits of the call came from test payments, else 0. */
  @Column('integer') calls!: number;
  @Column('bigint') earnedBase!: string;
  @Column('bigint') share!: string;
}
