import type { RegistrySkeletonSection, RegistryTool } from '@platform/contracts';
import { Check, Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { RegisteredApp } from '../apps/registered-app.entity.js';

/** Manifest of a version of an app. Both lists are stored as the text that is served. */
@Entity('manifests')
@Check('manifests_tools_size_check', 'octet_length(tools::text) <= 1048576')
@Check('manifests_sections_size_check', 'octet_length(skeleton_sections::text) <= 1048576')
@Check('manifests_sha256_check', 'octet_length(sha256) = 32')
export class Manifest {
  @PrimaryColumn('text') appId!: string;
  @ManyToOne(() => RegisteredApp, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'app_id', foreignKeyConstraintName: 'manifests_app_fkey' })
  app?: Relation<RegisteredApp>;
  @PrimaryColumn('text') version!: string;
  @Column('json') tools!: RegistryTool[];
  @Column('json') skeletonSections!: RegistrySkeletonSection[];
  /** Hash of the version and both lists. */
  @Column('bytea') sha256!: Buffer;
  /**
   * True if the app's owner pushed it with an API key. It is not served until a deploy pushes the
   * version again.
   */
  @Column('boolean') isOwners!: boolean;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) pushedAt!: Date;
}
