import { Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Payment, type PaymentStatus } from '../payment.entity.js';

/**
 * Record that the mail about a payment's status was sent or is being sent: once for each status.
 */
@Entity('payment_mails')
export class PaymentMail {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'payment_mails_pkey' }) paymentId!: string;
  @ManyToOne(() => Payment, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'payment_id', foreignKeyConstraintName: 'payment_mails_payment_fkey' })
  payment?: Relation<Payment>;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'payment_mails_pkey' }) status!: PaymentStatus;
}
