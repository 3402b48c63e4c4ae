import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Tenant } from '../../identity/accounts/tenant.entity.js';

/**
 * A purge: the data that an app stores for a user is to be deleted. Triggers on `installs` and
 * `apps` create the purges that no user requested.
 */
@Entity('document_purges')
@Index('document_purges_due_idx', ['dueAt'])
@Check('document_purges_all_check', "(user_id = '*') = (tenant_id IS NULL) AND (user_id <> '*' OR app_id <> '*')")
@Check('document_purges_kept_check', 'kept_since IS NULL OR is_asked')
export class DocumentPurge {
  /** `*` for all users, after the app was deleted. */
  @PrimaryColumn('text') userId!: string;
  /** `*` for all apps, after the user was deleted. The app itself may no longer exist. */
  @PrimaryColumn('text') appId!: string;
  /**
   * True if the user requested the purge: then nothing cancels it. False: a new installation of the
   * app cancels it.
   */
  @PrimaryColumn('boolean', { default: false }) isAsked!: boolean;
  /** User or developer. Owners take turns, so that many purges of one do not delay the others. */
  @Column('text') ownerId!: string;
  /** Tenant of the user; null for all users. */
  @Column('text', { nullable: true }) tenantId!: string | null;
  @ManyToOne(() => Tenant)
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'document_purges_tenant_fkey' })
  tenant?: Relation<Tenant>;
  @Column('timestamptz') removedAt!: Date;
  /**
   * Time at which the purge is due. While a process works on it: time of the next attempt, in case
   * this one fails.
   */
  @Column('timestamptz') dueAt!: Date;
  /**
   * Data written since this time stays, because the user has the app again. Null: all data is
   * deleted.
   */
  @Column('timestamptz', { nullable: true }) keptSince!: Date | null;
}
