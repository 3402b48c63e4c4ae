import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Tenant } from '../../tenants/tenant.entity.js';
import { User } from '../../users/user.entity.js';

/** That what an app keeps for a user is to be deleted, since the user has removed it. One for each removal. */
@Entity('document_purges')
@Index('document_purges_due_idx', ['dueAt'])
@Check('document_purges_reinstalled_check', 'reinstalled_at IS NULL OR is_asked')
export class DocumentPurge {
  @PrimaryColumn('text') userId!: string;
  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'document_purges_user_fkey' })
  user?: Relation<User>;
  /** Perhaps of an app that is gone. */
  @PrimaryColumn('text') appId!: string;
  /** Of the installation, when it was removed. */
  @PrimaryColumn('bigint') revision!: string;
  /** The user's. */
  @Column('text') tenantId!: string;
  @ManyToOne(() => Tenant)
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'document_purges_tenant_fkey' })
  tenant?: Relation<Tenant>;
  @Column('timestamptz') removedAt!: Date;
  @Column('timestamptz') dueAt!: Date;
  /** Whether it is to be done whatever happens: the user wants it, or was erased. Otherwise installing the app again ends it. */
  @Column('boolean', { default: false }) isAsked!: boolean;
  /** What was kept since then stays. */
  @Column('timestamptz', { nullable: true }) reinstalledAt!: Date | null;
}
