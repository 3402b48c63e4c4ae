import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Tenant } from '../../identity/accounts/tenant.entity.js';
import { User } from '../../identity/accounts/user.entity.js';

/** Denial of a scope to a user. The row is kept after the denial was lifted. */
@Entity('scope_denials')
@Index('scope_denials_live_key', ['userId', 'scope'], { unique: true, where: 'lifted_at IS NULL' })
@Index('scope_denials_user_idx', ['userId', 'deniedAt'])
@Check('scope_denials_lifted_check', '(lifted_by IS NULL) = (lifted_at IS NULL)')
export class DeniedScope {
  @PrimaryColumn('text') id!: string;
  @Column('text') tenantId!: string;
  @ManyToOne(() => Tenant)
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'scope_denials_tenant_fkey' })
  tenant?: Relation<Tenant>;
  @Column('text') userId!: string;
  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'scope_denials_user_fkey' })
  user?: Relation<User>;
  @Column('text') scope!: string;
  @Column('text', { nullable: true }) reason!: string | null;
  @Column('text') deniedBy!: string;
  @Column('timestamptz', { default: () => 'now()' }) deniedAt!: Date;
  @Column('text', { nullable: true }) liftedBy!: string | null;
  @Column('timestamptz', { nullable: true }) liftedAt!: Date | null;
}
