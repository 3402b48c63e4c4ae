import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { LedgerBooking } from '../ledger/ledger-booking.entity.js';

/**
 * Charge with a share that is not booked yet. Booking deletes the row in the transaction that
 * credits the developer, so each share is booked once.
 */
@Entity('commission_due')
@Index('commission_due_developer_idx', ['developerId', 'walletId', 'seq'])
export class DueCommission {
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'commission_due_pkey' }) walletId!: string;
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'commission_due_pkey' }) seq!: string;
  @ManyToOne(() => LedgerBooking)
  @JoinColumn([
    { name: 'wallet_id', referencedColumnName: 'walletId', foreignKeyConstraintName: 'commission_due_entry_fkey' },
    { name: 'seq', referencedColumnName: 'seq', foreignKeyConstraintName: 'commission_due_entry_fkey' },
  ])
  entry?: Relation<LedgerBooking>;
  @Column('text') developerId!: string;
}
