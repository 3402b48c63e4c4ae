import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** Result of the last comparison with the balance of the provider, in a single row. */
@Entity('payment_balance_checks')
@Check('payment_balance_checks_one_row_check', 'singleton')
export class PaymentBalanceCheck {
  @PrimaryColumn('boolean', { default: true, primaryKeyConstraintName: 'payment_balance_checks_pkey' }) singleton!: true;
  @Column('timestamptz') checkedAt!: Date;
  /** Movements of the provider before this time do not differ. */
  @Column('timestamptz') agreesUntil!: Date;
  @Column('integer') movements!: number;
  @Column('integer') differences!: number;
}
