import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

/** Declined attempt to pay or to save a card. Kept for a day; only the last hour counts. */
@Entity('payment_declines')
@Index('payment_declines_user_idx', ['userId', 'declinedAt'])
@Index('payment_declines_intent_idx', ['intentId'])
@Index('payment_declines_expiry_idx', ['declinedAt'])
export class PaymentDecline {
  /** Charge or attempt at the provider; without one, the event that reported the decline. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'payment_declines_pkey' }) attemptId!: string;
  @Column('text') userId!: string;
  @ManyToOne('User')
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'payment_declines_user_fkey' })
  user?: Relation<object>;
  /** Payment or set-up at the provider that was tried. */
  @Column('text') intentId!: string;
  @Column('timestamptz', { default: () => 'now()' }) declinedAt!: Date;
}
