import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Tenant } from '../../identity/accounts/tenant.entity.js';

/** That what an app keeps for a user is to be deleted. Triggers on `installs` and `apps` note what nobody asked for. */
@Entity('document_purges')
@Index('document_purges_due_idx', ['dueAt'])
@Check('document_purges_all_check', "(user_id = '*') = (tenant_id IS NULL) AND (user_id <> '*' OR app_id <> '*')")
@Check('document_purges_kept_check', 'kept_since IS NULL OR is_asked')
export class DocumentPurge {
  /** `*` for all users, of an app that is deleted. */
  @PrimaryColumn('text') userId!: string;
  /** `*` for all apps, of a user who was erased. Perhaps of an app that is gone. */
  @PrimaryColumn('text') appId!: string;
  /** Whether it is to be done whatever happens. Otherwise installing the app again ends it. */
  @PrimaryColumn('boolean', { default: false }) isAsked!: boolean;
  /** Whose turn it takes: the user's, or the developer's. */
  @Column('text') ownerId!: string;
  /** The user's. */
  @Column('text', { nullable: true }) tenantId!: string | null;
  @ManyToOne(() => Tenant)
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'document_purges_tenant_fkey' })
  tenant?: Relation<Tenant>;
  @Column('timestamptz') removedAt!: Date;
  /** While it is being done: when it is taken up again, should that fail. */
  @Column('timestamptz') dueAt!: Date;
  /** What was written since then stays: the user has the app again. */
  @Column('timestamptz', { nullable: true }) keptSince!: Date | null;
}
