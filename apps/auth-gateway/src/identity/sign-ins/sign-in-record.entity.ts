import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { Tenant } from '../accounts/tenant.entity.js';

/** A sign-in, or one that failed, on its way into the audit log. */
@Entity('sign_in_records')
@Check('sign_in_records_outcome_check', "outcome IN ('signed_in', 'failed')")
@Check('sign_in_records_whose_check', "outcome = 'failed' OR (user_id IS NOT NULL AND session_id IS NOT NULL)")
@Index('sign_in_records_tenant_idx', ['tenantId', 'id'])
export class SignInRecord {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS', primaryKeyConstraintName: 'sign_in_records_pkey' })
  id!: string;
  @Column('text') tenantId!: string;
  @ManyToOne(() => Tenant)
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'sign_in_records_tenant_fkey' })
  tenant?: Relation<Tenant>;
  /** Null: of an account that there is not. */
  @Column('text', { nullable: true }) userId!: string | null;
  @Column('text') outcome!: 'signed_in' | 'failed';
  /** By what somebody signed in, or why they did not. */
  @Column('text') how!: string;
  @Column('text', { nullable: true }) sessionId!: string | null;
  @Column('text', { nullable: true }) surface!: string | null;
  /** Which wrong password in a row it was, and for how long no other is taken. */
  @Column('integer', { nullable: true }) failures!: number | null;
  @Column('integer', { nullable: true }) blockedSeconds!: number | null;
  @Column('text', { nullable: true }) ipAddress!: string | null;
  @Column('text', { nullable: true }) userAgent!: string | null;
  @Column('text', { nullable: true }) requestId!: string | null;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) at!: Date;
}
