import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

/** `service`: a backend of the platform, which acted for the user. */
export const CONSENT_GIVERS = ['session', 'service'] as const;
export type ConsentGiver = (typeof CONSENT_GIVERS)[number];

/** That a user let credits be bought without them, or let more be paid. Never changed or removed; an erasure empties `sessionId` and `card`. */
@Entity('auto_topup_consents')
@Index('auto_topup_consents_user_idx', ['userId', 'at'])
@Index('auto_topup_consents_tenant_idx', ['tenantId'])
@Check('auto_topup_consents_given_by_check', `given_by IN ('${CONSENT_GIVERS.join("', '")}')`)
export class AutoTopupConsent {
  @PrimaryColumn('text') id!: string;
  @Column('text') tenantId!: string;
  @ManyToOne('Tenant')
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'auto_topup_consents_tenant_fkey' })
  tenant?: Relation<object>;
  @Column('text') userId!: string;
  @ManyToOne('User') @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'auto_topup_consents_user_fkey' }) user?: Relation<object>;
  @Column('timestamptz', { default: () => 'now()' }) at!: Date;
  /** What was consented to, in words. */
  @Column('text') text!: string;
  /** The same in numbers. */
  @Column('jsonb') settings!: Record<string, number>;
  @Column('text') givenBy!: ConsentGiver;
  @Column('text', { nullable: true }) sessionId!: string | null;
  /** The id of the card that was chosen; null for the card that pays without the user, whichever that is. */
  @Column('text', { nullable: true }) card!: string | null;
}
