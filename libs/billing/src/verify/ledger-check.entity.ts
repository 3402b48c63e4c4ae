import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** Single row: result of the last check of the whole ledger. */
@Entity('ledger_checks')
@Check('ledger_checks_one_row_check', 'singleton')
export class LedgerCheck {
  @PrimaryColumn('boolean', { default: true, primaryKeyConstraintName: 'ledger_checks_pkey' }) singleton!: true;
  @Column('timestamptz') checkedAt!: Date;
  @Column('bigint') wallets!: string;
  @Column('bigint') entries!: string;
  @Column('bigint') problems!: string;
}
