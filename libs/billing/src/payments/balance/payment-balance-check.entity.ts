import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** Single row: result of the last comparison with the provider's balance. */
@Entity('payment_balance_checks')
@Check('payment_balance_checks_one_row_check', 'singleton')
export class PaymentBalanceCheck {
  @PrimaryColumn('boolean', { default: true, primaryKeyConstraintName: 'payment_balance_checks_pkey' })
  singleton!: true;
  @Column('timestamptz') checkedAt!: Date;
  /** Up to this time, the movements of the provider match. */
  @Column('timestamptz') agreesUntil!: Date;
  @Column('integer') movements!: number;
  @Column('integer') differences!: number;
}
