import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { LedgerBooking } from '../ledger/ledger-booking.entity.js';
import { LedgerRoot } from './ledger-root.entity.js';

const KEY = { primaryKeyConstraintName: 'wallet_seals_pkey' };

/**
 * Hash of some entries of a wallet at the time when they were sealed. The hash includes the
 * previous seal, so it also covers all earlier entries.
 */
@Entity('wallet_seals')
@Index('wallet_seals_root_idx', ['rootNumber', 'walletId', 'uptoSeq'])
@Check('wallet_seals_hash_check', 'length(hash) = 32')
@Check('wallet_seals_marks_check', 'length(marks) BETWEEN 8 AND 8000 AND length(marks) % 8 = 0')
export class WalletSeal {
  @PrimaryColumn('bigint', KEY) walletId!: string;
  /** Number of the last entry in the seal. */
  @PrimaryColumn('bigint', KEY) uptoSeq!: string;
  @ManyToOne(() => LedgerBooking)
  @JoinColumn([
    { name: 'wallet_id', referencedColumnName: 'walletId', foreignKeyConstraintName: 'wallet_seals_entry_fkey' },
    { name: 'upto_seq', referencedColumnName: 'seq', foreignKeyConstraintName: 'wallet_seals_entry_fkey' },
  ])
  entry?: Relation<LedgerBooking>;
  @Column('bigint') rootNumber!: string;
  @ManyToOne(() => LedgerRoot)
  @JoinColumn({ name: 'root_number', foreignKeyConstraintName: 'wallet_seals_root_fkey' })
  root?: Relation<LedgerRoot>;
  /** SHA-256 of the hash of the previous seal and of the hashes of the entries. */
  @Column('bytea') hash!: Buffer;
  /**
   * Eight bytes of the hash of each entry. They identify the entry that was changed; the proof
   * itself is `hash`.
   */
  @Column('bytea') marks!: Buffer;
}
