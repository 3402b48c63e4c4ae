import type { ToolManifest } from '@platform/contracts';
import type { Narrowing } from '@platform/guards';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { App } from './app.entity.js';

/**
 * A version of an app: its document, and the manifest that callers see. The content can change as
 * long as the app is a draft. A version without content can get content once while the app is
 * suspended (`MAY_GET_CONTENT`).
 */
@Entity('app_versions')
@Index('app_versions_apps_idx', { synchronize: false })
@Check('app_versions_version_check', 'length(version) BETWEEN 1 AND 64')
@Check('app_versions_sha256_check', 'octet_length(sha256) = 32')
@Check('app_versions_hosts_check', 'cardinality(hosts) <= 50')
@Check('app_versions_lists_check', 'document IS NULL OR num_nulls(hosts, capabilities) = 0')
@Check('app_versions_manifest_size_check', 'octet_length(manifest::text) <= 1048576')
export class AppVersion {
  @PrimaryColumn('text') appId!: string;
  @ManyToOne(() => App, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'app_id', foreignKeyConstraintName: 'app_versions_app_fkey' })
  app?: Relation<App>;
  @PrimaryColumn('text') version!: string;
  /** Hash of the canonical document, or of the manifest if there is no document. */
  @Column('bytea') sha256!: Buffer;
  /** The canonical document. Null if an external pipeline recorded only a manifest. */
  @Column('jsonb', { nullable: true }) document!: Record<string, unknown> | null;
  @Column('jsonb') manifest!: ToolManifest;
  /**
   * Hosts to which the app can send requests: `hostsOf` the document, computed when it was stored.
   * A trigger refuses another list for the same content. Null: it has no document and does not run.
   */
  @Column('text', { array: true, nullable: true }) hosts!: string[] | null;
  /**
   * Parts of the context that handlers can use: `capabilitiesOf` the document, computed when it was
   * stored. A trigger refuses another list for the same content. Null: it has no document and does
   * not run.
   */
  @Column('text', { array: true, nullable: true }) capabilities!: string[] | null;
  /** Scopes that the app requests from its users, as `resource:action`. Kept by a trigger. */
  @Column('text', { array: true, default: '{}' }) requestedScopes!: string[];
  /**
   * Extra limit while the app is not published: it acts for its developer only within the
   * permissions of the last deploy that was served, and of the credential that withdrew the app
   * from the marketplace. Kept by a trigger on deploys. Null: no extra limit.
   */
  @Column('jsonb', { nullable: true }) narrowing!: Narrowing | null;
  /**
   * First time at which the Registry was seen to hold this manifest. A version without it is never
   * served.
   */
  @Column('timestamptz', { nullable: true }) registryHeldAt!: Date | null;
  /**
   * End of the last period in which it was served, kept by a trigger. Null until another version
   * replaces it.
   */
  @Column('timestamptz', { nullable: true }) servedUntil!: Date | null;
  /**
   * Time at which it was first served while the app was active, kept by a trigger: it passed a
   * review, or needed none. Null again after its content was replaced or the app left the
   * marketplace.
   */
  @Column('timestamptz', { nullable: true }) approvedAt!: Date | null;
  /**
   * Time at which its content was last replaced, kept by a trigger; null: never. The Registry may
   * still hold the earlier content.
   */
  @Column('timestamptz', { nullable: true }) replacedAt!: Date | null;
  /**
   * The `app` part of the earlier document, as it was when that document was last served. Kept by a
   * trigger.
   */
  @Column('jsonb', { nullable: true }) replacedApp!: Record<string, unknown> | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
