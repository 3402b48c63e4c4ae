import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

/** `service`: a backend of the platform that acted for the user. */
export const CONSENT_GIVERS = ['session', 'service'] as const;
export type ConsentGiver = (typeof CONSENT_GIVERS)[number];

/**
 * Consent of a user to purchases without the user, or to a higher amount. Never changed or deleted;
 * account deletion clears `sessionId` and `card`.
 */
@Entity('auto_topup_consents')
@Index('auto_topup_consents_user_idx', ['userId', 'at'])
@Index('auto_topup_consents_tenant_idx', ['tenantId'])
@Check('auto_topup_consents_given_by_check', `given_by IN ('${CONSENT_GIVERS.join("', '")}')`)
export class AutoTopUpConsent {
  @PrimaryColumn('text') id!: string;
  @Column('text') tenantId!: string;
  @ManyToOne('Tenant')
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'auto_topup_consents_tenant_fkey' })
  tenant?: Relation<object>;
  @Column('text') userId!: string;
  @ManyToOne('User')
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'auto_topup_consents_user_fkey' })
  user?: Relation<object>;
  @Column('timestamptz', { default: () => 'now()' }) at!: Date;
  /** Text of the consent. */
  @Column('text') text!: string;
  /** The same settings as numbers. */
  @Column('jsonb') settings!: Record<string, number>;
  @Column('text') givenBy!: ConsentGiver;
  @Column('text', { nullable: true }) sessionId!: string | null;
  /** Id of the chosen card; null for the user's default card at the time of each purchase. */
  @Column('text', { nullable: true }) card!: string | null;
}
