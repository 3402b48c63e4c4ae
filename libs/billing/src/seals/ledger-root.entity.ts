import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * What the gateway says of the seals of one night, under a key that the database does not have. Each root names the one before it. The last
 * has no MAC while its seals are being made.
 */
@Entity('ledger_roots')
@Check('ledger_roots_number_check', 'number >= 1')
@Check('ledger_roots_open_check', 'num_nulls(sealed_at, hash, previous, key_id, mac) IN (0, 5)')
export class LedgerRoot {
  /** 1 for the first. */
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'ledger_roots_pkey' }) number!: string;
  /** How many seals it has. */
  @Column('bigint', { default: 0 }) seals!: string;
  /** How many entries these cover. */
  @Column('bigint', { default: 0 }) entries!: string;
  @Column('timestamptz', { nullable: true }) sealedAt!: Date | null;
  /** Of its seals, in the order of their wallets. */
  @Column('bytea', { nullable: true }) hash!: Buffer | null;
  /** The MAC of the root before; empty for the first. */
  @Column('text', { nullable: true }) previous!: string | null;
  @Column('text', { nullable: true }) keyId!: string | null;
  @Column('text', { nullable: true }) mac!: string | null;
}
