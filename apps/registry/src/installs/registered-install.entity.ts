import type { InstallKey } from '@platform/contracts';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique, type Relation } from 'typeorm';
import { RegisteredApp } from '../apps/registered-app.entity.js';

/**
 * An install of an app, present or removed. The row of a removed install stays, so that the gateway
 * learns of the removal.
 */
@Entity('installs')
@Unique('installs_revision_key', ['revision'])
@Index('installs_live_user_idx', ['userId', 'liveAppId'], { where: 'live_app_id IS NOT NULL' })
@Index('installs_live_app_idx', ['liveAppId'], { where: 'live_app_id IS NOT NULL' })
@Check('installs_live_check', 'live_app_id IS NOT DISTINCT FROM CASE WHEN removed_at IS NULL THEN app_id END')
export class RegisteredInstall {
  @PrimaryColumn('text') userId!: string;
  @PrimaryColumn('text') appId!: string;
  /**
   * `app_id` while installed, null after the removal. The foreign key uses it because a removed
   * install outlives its app.
   */
  @Column('text', { nullable: true }) liveAppId!: string | null;
  @ManyToOne(() => RegisteredApp)
  @JoinColumn({ name: 'live_app_id', foreignKeyConstraintName: 'installs_app_fkey' })
  app?: Relation<RegisteredApp> | null;
  @Column('jsonb', { default: {} }) config!: Record<string, unknown>;
  /** Set by the database at every change. */
  @Column('bigint') revision!: string;
  @Column('timestamptz', { default: () => 'now()' }) installedAt!: Date;
  @Column('timestamptz', { nullable: true }) removedAt!: Date | null;
  /** The API key that installed or removed the app last; null for a trusted backend. */
  @Column('jsonb', { nullable: true }) changedBy!: InstallKey | null;
}
