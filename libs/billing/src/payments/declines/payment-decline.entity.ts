import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

/** A try to pay, or to save a card, that was declined. Kept for a day, since only the last hour counts. */
@Entity('payment_declines')
@Index('payment_declines_user_idx', ['userId', 'declinedAt'])
@Index('payment_declines_intent_idx', ['intentId'])
@Index('payment_declines_expiry_idx', ['declinedAt'])
export class PaymentDecline {
  /** The provider's charge or attempt; of a try without one, the event that told of it. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'payment_declines_pkey' }) attemptId!: string;
  @Column('text') userId!: string;
  @ManyToOne('User') @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'payment_declines_user_fkey' }) user?: Relation<object>;
  /** The provider's payment or set-up that was tried. */
  @Column('text') intentId!: string;
  @Column('timestamptz', { default: () => 'now()' }) declinedAt!: Date;
}
