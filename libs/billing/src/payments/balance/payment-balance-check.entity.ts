import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** One row: what the last comparison with the balance of the provider found. */
@Entity('payment_balance_checks')
@Check('payment_balance_checks_one_row_check', 'singleton')
export class PaymentBalanceCheck {
  @PrimaryColumn('boolean', { default: true, primaryKeyConstraintName: 'payment_balance_checks_pkey' }) singleton!: true;
  @Column('timestamptz') checkedAt!: Date;
  /** All movements of the provider before this were compared, and none differed. */
  @Column('timestamptz') agreesUntil!: Date;
  @Column('integer') movements!: number;
  @Column('integer') differences!: number;
}
