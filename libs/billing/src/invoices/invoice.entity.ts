import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation, Unique } from 'typeorm';
import { PaymentRefund } from '../payments/payment-refund.entity.js';
import { Payment } from '../payments/payment.entity.js';

/** `credit_note`: document about the part of an invoice that was refunded. */
export const INVOICE_KINDS = ['invoice', 'credit_note'] as const;
export type InvoiceKind = (typeof INVOICE_KINDS)[number];

export interface InvoiceLine {
  description: string;
  quantity: number;
  unit_cents: number;
  amount_cents: number;
}

/** Recipient of the invoice, as it was when the invoice was issued. */
export interface InvoiceBuyer {
  email: string;
  name: string | null;
  company: string | null;
  vat: string | null;
  country: string | null;
}

/**
 * Invoice for a payment, or credit note for a refund. Written once: triggers refuse to change or
 * delete it.
 */
@Entity('invoices')
@Unique('invoices_number_key', ['number'])
@Unique('invoices_serial_key', ['series', 'year', 'serial'])
@Unique('invoices_refund_key', ['refundId'])
@Index('invoices_payment_key', ['paymentId'], { unique: true, where: "kind = 'invoice'" })
@Index('invoices_payment_idx', ['paymentId'])
@Index('invoices_invoice_idx', ['invoiceId'], { where: 'invoice_id IS NOT NULL' })
@Index('invoices_user_idx', ['userId', 'issuedAt', 'serial'])
@Index('invoices_tenant_idx', ['tenantId'])
@Check('invoices_kind_check', `kind IN ('${INVOICE_KINDS.join("', '")}')`)
@Check('invoices_serial_check', 'serial >= 1')
@Check('invoices_previous_check', 'previous_serial IS NOT DISTINCT FROM nullif(serial - 1, 0)')
@Check('invoices_total_check', 'subtotal_cents >= 1 AND tax_cents >= 0 AND total_cents = subtotal_cents + tax_cents')
@Check(
  'invoices_credit_note_check',
  "num_nonnulls(refund_id, invoice_id) = CASE kind WHEN 'credit_note' THEN 2 ELSE 0 END",
)
export class Invoice {
  @PrimaryColumn('text') id!: string;
  @Column('text') tenantId!: string;
  @ManyToOne('Tenant')
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'invoices_tenant_fkey' })
  tenant?: Relation<object>;
  @Column('text') userId!: string;
  @ManyToOne('User')
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'invoices_user_fkey' })
  user?: Relation<object>;
  @Column('text') kind!: InvoiceKind;
  /** Series, year and serial form the number. */
  @Column('text') series!: string;
  /** Year of issue, in billing time and UTC. */
  @Column('integer') year!: number;
  /** From 1 in each year of a series, without gaps: a row cannot exist without the previous one. */
  @Column('integer') serial!: number;
  @Column('integer', { nullable: true }) previousSerial!: number | null;
  @ManyToOne(() => Invoice)
  @JoinColumn([
    { name: 'series', referencedColumnName: 'series', foreignKeyConstraintName: 'invoices_previous_fkey' },
    { name: 'year', referencedColumnName: 'year', foreignKeyConstraintName: 'invoices_previous_fkey' },
    { name: 'previous_serial', referencedColumnName: 'serial', foreignKeyConstraintName: 'invoices_previous_fkey' },
  ])
  previous?: Relation<Invoice> | null;
  /** For example `2026-000017`. */
  @Column('text') number!: string;
  @Column('text') paymentId!: string;
  @ManyToOne(() => Payment)
  @JoinColumn({ name: 'payment_id', foreignKeyConstraintName: 'invoices_payment_fkey' })
  payment?: Relation<Payment>;
  @Column('text') paymentIntentId!: string;
  /** Refund of a credit note; null for an invoice. */
  @Column('text', { nullable: true }) refundId!: string | null;
  @ManyToOne(() => PaymentRefund)
  @JoinColumn({ name: 'refund_id', foreignKeyConstraintName: 'invoices_refund_fkey' })
  refund?: Relation<PaymentRefund> | null;
  /** Invoice that a credit note corrects; null for an invoice. */
  @Column('text', { nullable: true }) invoiceId!: string | null;
  @ManyToOne(() => Invoice)
  @JoinColumn({ name: 'invoice_id', foreignKeyConstraintName: 'invoices_invoice_fkey' })
  invoice?: Relation<Invoice> | null;
  @Column('text') seller!: string;
  @Column('jsonb') buyer!: InvoiceBuyer;
  @Column('jsonb') lines!: InvoiceLine[];
  @Column('integer') subtotalCents!: number;
  /** Always 0 for now: tax rules are not defined yet. */
  @Column('integer', { default: 0 }) taxCents!: number;
  @Column('integer') totalCents!: number;
  @Column('text') currency!: string;
  /** Billing time. Never earlier than the previous number of the series. */
  @Column('timestamptz') issuedAt!: Date;
}
