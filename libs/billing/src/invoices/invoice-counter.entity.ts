import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Last number of a series in a year. The transaction that issues the next number locks this row
 * until it ends.
 */
@Entity('invoice_counters')
@Check('invoice_counters_last_check', 'last >= 1')
export class InvoiceCounter {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'invoice_counters_pkey' }) series!: string;
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'invoice_counters_pkey' }) year!: number;
  @Column('integer') last!: number;
  @Column('timestamptz') issuedAt!: Date;
}
