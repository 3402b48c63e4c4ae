import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Statement of the gateway about the seals of one night, signed with a key that the database does
 * not have. Each root names the previous one. The last root has no MAC while its seals are being
 * made.
 */
@Entity('ledger_roots')
@Check('ledger_roots_number_check', 'number >= 1')
@Check('ledger_roots_open_check', 'num_nulls(sealed_at, hash, previous, key_id, mac) IN (0, 5)')
export class LedgerRoot {
  /** From 1. */
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'ledger_roots_pkey' }) number!: string;
  /** Number of seals. */
  @Column('bigint', { default: 0 }) seals!: string;
  /** Number of entries that the seals cover. */
  @Column('bigint', { default: 0 }) entries!: string;
  @Column('timestamptz', { nullable: true }) sealedAt!: Date | null;
  /** Hash of the seals, in the order of their wallets. */
  @Column('bytea', { nullable: true }) hash!: Buffer | null;
  /** MAC of the previous root; empty for the first. */
  @Column('text', { nullable: true }) previous!: string | null;
  @Column('text', { nullable: true }) keyId!: string | null;
  @Column('text', { nullable: true }) mac!: string | null;
}
