import { Check, Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Tenant } from '../accounts/tenant.entity.js';

/** Kind of event that the audit log shows only as a number. */
export type TallyKind = 'unknown_account' | 'unknown_tenant' | 'more_failures' | 'more_sign_ins';

/** Count by user id or by address. */
export type Counts = Record<string, number>;

/** Number of events of one kind in a tenant that are not in the audit log yet. */
@Entity('sign_in_tallies')
@Check('sign_in_tallies_kind_check', "kind IN ('unknown_account', 'unknown_tenant', 'more_failures', 'more_sign_ins')")
export class SignInTally {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'sign_in_tallies_pkey' }) tenantId!: string;
  @ManyToOne(() => Tenant)
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'sign_in_tallies_tenant_fkey' })
  tenant?: Relation<Tenant>;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'sign_in_tallies_pkey' }) kind!: TallyKind;
  @Column('bigint') times!: string;
  @Column('timestamptz') since!: Date;
  /** Users and addresses with the highest counts since `since`. */
  @Column('jsonb') accounts!: Counts;
  @Column('jsonb') addresses!: Counts;
  /** Time of the last audit entry. */
  @Column('timestamptz', { nullable: true }) writtenAt!: Date | null;
}
