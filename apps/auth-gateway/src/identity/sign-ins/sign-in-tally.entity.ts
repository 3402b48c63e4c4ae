import { Check, Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Tenant } from '../accounts/tenant.entity.js';

/** What the audit log tells as a number. */
export type TallyKind = 'unknown_account' | 'unknown_tenant' | 'more_failures' | 'more_sign_ins';

/** Times by user id, or by address. */
export type Counts = Record<string, number>;

/** How many of a kind there were in a tenant that the audit log has not told of yet. */
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
  /** Those with most, since then. */
  @Column('jsonb', { default: {} }) accounts!: Counts;
  @Column('jsonb', { default: {} }) addresses!: Counts;
  /** When it was last told. */
  @Column('timestamptz', { nullable: true }) writtenAt!: Date | null;
}
