import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { App } from '../developer/app.entity.js';
import { AppVersion } from './app-version.entity.js';

/**
 * `pending` → `validating` → `syncing` → `success`, `failed`, or `superseded` by a newer deploy. `warning` is said only by a pipeline
 * outside that records a finished deploy.
 */
export const DEPLOY_STATUSES = ['pending', 'validating', 'syncing', 'success', 'warning', 'failed', 'superseded'] as const;
export type DeployStatus = (typeof DEPLOY_STATUSES)[number];

/** An attempt to have a version of an app run. */
@Entity('deploys')
@Index('deploys_app_idx', ['appId', 'createdAt', 'deployId'])
@Index('deploys_one_syncing_idx', ['appId'], { unique: true, where: "status = 'syncing'" })
@Index('deploys_unfinished_idx', ['createdAt'], { where: "status IN ('pending', 'validating', 'syncing')" })
@Check('deploys_status_check', `status IN ('${DEPLOY_STATUSES.join("', '")}')`)
@Check('deploys_finished_check', "(status IN ('pending', 'validating', 'syncing')) = (finished_at IS NULL)")
export class Deploy {
  @PrimaryColumn('text') deployId!: string;
  @Column('text') appId!: string;
  @ManyToOne(() => App, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'app_id', foreignKeyConstraintName: 'deploys_app_fkey' })
  app?: Relation<App>;
  /** Null for a finished deploy that a pipeline outside recorded without saying which. */
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
  /** Why it failed, for the developer. */
  @Column('text', { default: '' }) errorMessage!: string;
  @Column('text', { array: true, default: '{}' }) warnings!: string[];
  /** Id of a user, or name of a service. */
  @Column('text') requestedBy!: string;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { nullable: true }) finishedAt!: Date | null;
}
