import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { Tenant } from '../accounts/tenant.entity.js';

/** Login or failed login that waits to be written to the audit log. */
@Entity('sign_in_records')
@Check('sign_in_records_outcome_check', "outcome IN ('signed_in', 'failed')")
@Check('sign_in_records_whose_check', "outcome = 'failed' OR (user_id IS NOT NULL AND session_id IS NOT NULL)")
@Index('sign_in_records_tenant_idx', ['tenantId', 'id'])
export class SignInRecord {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'sign_in_records_pkey',
  })
  id!: string;
  @Column('text') tenantId!: string;
  @ManyToOne(() => Tenant)
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'sign_in_records_tenant_fkey' })
  tenant?: Relation<Tenant>;
  /** Null: the account does not exist. */
  @Column('text', { nullable: true }) userId!: string | null;
  @Column('text') outcome!: 'signed_in' | 'failed';
  /** Login method, or the reason of the failure. */
  @Column('text') how!: string;
  @Column('text', { nullable: true }) sessionId!: string | null;
  @Column('text', { nullable: true }) surface!: string | null;
  /** Number of consecutive wrong passwords, and the seconds for which the account is blocked. */
  @Column('integer', { nullable: true }) failures!: number | null;
  @Column('integer', { nullable: true }) blockedSeconds!: number | null;
  @Column('text', { nullable: true }) ipAddress!: string | null;
  @Column('text', { nullable: true }) userAgent!: string | null;
  @Column('text', { nullable: true }) requestId!: string | null;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) at!: Date;
}
