import { REGISTRY_APP_STATUSES, type RegistryAppStatus } from '@platform/contracts';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Manifest } from '../tools/manifest.entity.js';

@Entity('apps')
@Index('apps_owner_idx', ['ownerId', 'appId'])
@Index('apps_status_idx', ['status', 'appId'])
@Check('apps_app_id_check', "app_id ~ '^[a-z0-9][a-z0-9_-]{1,63}$'")
@Check('apps_status_check', `status IN ('${REGISTRY_APP_STATUSES.join("', '")}')`)
@Check('apps_settings_size_check', 'settings_fit(settings)')
export class RegisteredApp {
  @PrimaryColumn('text') appId!: string;
  @Column('text') displayName!: string;
  @Column('text', { default: '' }) description!: string;
  @Column('text', { default: 'general' }) category!: string;
  /** The version whose manifest is served; null before the first one. */
  @Column('text', { nullable: true }) version!: string | null;
  @ManyToOne(() => Manifest)
  @JoinColumn([
    { name: 'app_id', referencedColumnName: 'appId', foreignKeyConstraintName: 'apps_version_fkey' },
    { name: 'version', referencedColumnName: 'version', foreignKeyConstraintName: 'apps_version_fkey' },
  ])
  served?: Relation<Manifest> | null;
  @Column('text') status!: RegistryAppStatus;
  @Column('text', { nullable: true }) ownerId!: string | null;
  @Column('text', { array: true, default: '{}' }) requiredScopes!: string[];
  @Column('jsonb', { default: {} }) config!: Record<string, unknown>;
  @Column('jsonb', { default: {} }) settings!: Record<string, unknown>;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}
