import type { ToolManifest } from '@platform/contracts';
import type { Narrowing } from '@platform/guards';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { App } from './app.entity.js';

/**
 * A version of an app: what it does, and what callers are told of it. Its content changes only while the app is a draft, and once while it
 * is suspended, where there was none (`MAY_GET_CONTENT`).
 */
@Entity('app_versions')
@Index('app_versions_apps_idx', { synchronize: false })
@Check('app_versions_version_check', 'length(version) BETWEEN 1 AND 64')
@Check('app_versions_sha256_check', 'octet_length(sha256) = 32')
@Check('app_versions_hosts_check', 'cardinality(hosts) <= 50')
@Check('app_versions_manifest_size_check', 'octet_length(manifest::text) <= 1048576')
export class AppVersion {
  @PrimaryColumn('text') appId!: string;
  @ManyToOne(() => App, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'app_id', foreignKeyConstraintName: 'app_versions_app_fkey' })
  app?: Relation<App>;
  @PrimaryColumn('text') version!: string;
  /** Of the document in its canonical form, or of the manifest when there is no document. */
  @Column('bytea') sha256!: Buffer;
  /** The canonical document; null for a version whose manifest came from a pipeline outside. */
  @Column('jsonb', { nullable: true }) document!: Record<string, unknown> | null;
  @Column('jsonb') manifest!: ToolManifest;
  /**
   * Where the host lets it send requests: `hostsOf` of its document, from when that was stored. A trigger refuses another list for the same
   * content. Null: anywhere, for a version stored before there were lists; and for one without a document, which does not run.
   */
  @Column('text', { array: true, nullable: true }) hosts!: string[] | null;
  /**
   * What of its context the host lets it use: `capabilitiesOf` of its document, from when that was stored. A trigger refuses another list for the same
   * content. Null: everything, for a version stored before there were lists; and for one without a document, which does not run.
   */
  @Column('text', { array: true, nullable: true }) capabilities!: string[] | null;
  /** What it asks its users for, as `resource:action`: kept by a trigger. */
  @Column('text', { array: true, default: '{}' }) requestedScopes!: string[];
  /**
   * Of whoever last had it served, kept by a trigger on deploys, and of whoever of its developer's took it from the marketplace: as long as
   * the app is no published one, it acts for its developer no further. Null: as the developer may.
   */
  @Column('jsonb', { nullable: true }) narrowing!: Narrowing | null;
  /** When the Registry was first seen to hold this manifest. A version without it is never served. */
  @Column('timestamptz', { nullable: true }) registryHeldAt!: Date | null;
  /** Until when it was served last, kept by a trigger; null before it is replaced. */
  @Column('timestamptz', { nullable: true }) servedUntil!: Date | null;
  /**
   * When it was first served of an active app, kept by a trigger: it has been reviewed, or asked for nothing that was not. Null again when
   * it gets other content, and when the app leaves the marketplace.
   */
  @Column('timestamptz', { nullable: true }) approvedAt!: Date | null;
  /** When it last got other content in the place of what it had, kept by a trigger; null for never. The Registry may still hold the former. */
  @Column('timestamptz', { nullable: true }) replacedAt!: Date | null;
  /** What the document said of the app that was in its place when it was last served, kept by a trigger. */
  @Column('jsonb', { nullable: true }) replacedApp!: Record<string, unknown> | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
