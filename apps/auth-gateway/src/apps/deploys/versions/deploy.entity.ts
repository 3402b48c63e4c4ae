import { DEPLOY_STATUSES, type DeployStatus, type NewInVersion } from '@platform/contracts';
import type { Narrowing } from '@platform/guards';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique, type Relation } from 'typeorm';
import { App } from '../../model/app.entity.js';
import { AppVersion } from '../../model/app-version.entity.js';

/** An attempt to deploy a version of an app. */
@Entity('deploys')
@Unique('deploys_number_key', ['appId', 'number'])
@Index('deploys_one_waiting_idx', ['appId'], { unique: true, where: "status = 'waiting'" })
@Index('deploys_one_syncing_idx', ['appId'], { unique: true, where: "status = 'syncing'" })
@Index('deploys_unfinished_idx', ['createdAt'], { where: "status IN ('pending', 'validating', 'syncing')" })
@Index('deploys_unreleased_idx', ['appId'], { where: "status = 'success' AND released_at IS NULL" })
@Check('deploys_status_check', `status IN ('${DEPLOY_STATUSES.join("', '")}')`)
@Check('deploys_waiting_check', "status <> 'waiting' OR waits_for IS NOT NULL")
@Check('deploys_finished_check', "(status IN ('pending', 'validating', 'syncing')) = (finished_at IS NULL)")
export class Deploy {
  @PrimaryColumn('text') deployId!: string;
  @Column('text') appId!: string;
  @ManyToOne(() => App, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'app_id', foreignKeyConstraintName: 'deploys_app_fkey' })
  app?: Relation<App>;
  /**
   * Counts the deploys of the app from 1; a newer deploy has a higher number. It is assigned under
   * a lock on the app, so a lower number is never committed later.
   */
  @Column('integer') number!: number;
  /** Null if an external pipeline recorded a finished deploy without a version. */
  @Column('text', { nullable: true }) version!: string | null;
  @ManyToOne(() => AppVersion, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'app_id', referencedColumnName: 'appId', foreignKeyConstraintName: 'deploys_version_fkey' },
    { name: 'version', referencedColumnName: 'version', foreignKeyConstraintName: 'deploys_version_fkey' },
  ])
  appVersion?: Relation<AppVersion> | null;
  @Column('text', { default: '' }) changelog!: string;
  @Column('text', { nullable: true }) commitSha!: string | null;
  @Column('text', { default: 'pending' }) status!: DeployStatus;
  /** Reason of the failure, or of the last failed attempt, as the developer sees it. */
  @Column('text', { default: '' }) errorMessage!: string;
  @Column('text', { array: true, default: '{}' }) warnings!: string[];
  @Column('integer', { default: 0 }) failedAttempts!: number;
  /** Id of a user or name of a service. */
  @Column('text') requestedBy!: string;
  /**
   * Limit of the credential that requested the deploy, copied to the version once it is served.
   * Null: all permissions of the developer.
   */
  @Column('jsonb', { nullable: true }) narrowing!: Narrowing | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { nullable: true }) validatedAt!: Date | null;
  /** Time at which this deploy saw that the Registry holds the manifest. */
  @Column('timestamptz', { nullable: true }) heldAt!: Date | null;
  @Column('timestamptz', { nullable: true }) finishedAt!: Date | null;
  /**
   * New permissions and other changes that need a review. Null if the deploy never waited for one.
   */
  @Column('jsonb', { nullable: true }) waitsFor!: NewInVersion | null;
  /** Time at which the Registry was seen to serve the version too. */
  @Column('timestamptz', { nullable: true }) releasedAt!: Date | null;
}
