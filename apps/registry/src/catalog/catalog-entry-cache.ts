import { Injectable } from '@nestjs/common';
import { queryPrepared } from '@platform/persistence';
import { sha256 } from '@platform/platform';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';

/** State of an app in the database when the catalog is read. */
export interface CatalogAppState {
  app_id: string;
  name: string;
  description: string;
  version: string;
  category: string;
  /** SHA-256 of the manifest that the app serves, in hex. */
  hash: string;
}

export interface CatalogEntry {
  app: CatalogAppState;
  /** `,{"app_id":…,"tools":[…],"skeleton_sections":[…]}` */
  json: Buffer;
  /** Hash of `json`. */
  digest: string;
}

const MAX_BYTES = 32 * 1024 * 1024;

/** SQL condition: app `a` belongs in the catalog of the user of install `i`. */
export const IN_CATALOG_CONDITION = "(a.status = 'active' OR a.status <> 'suspended' AND a.owner_id = i.user_id)";

/**
 * SQL that joins the installed apps of users with the manifests that they serve: active apps, and
 * for its owner also an app that is neither active nor suspended. It includes apps that the user
 * must not call: `WithheldAppsService` names those. `ofUsers` is a condition on `i.user_id`.
 */
export const catalogJoin = (ofUsers: string) => `
  installs i JOIN apps a ON a.app_id = i.live_app_id JOIN manifests m ON m.app_id = a.app_id AND m.version = a.version
  WHERE i.user_id ${ofUsers} AND ${IN_CATALOG_CONDITION}`;

/**
 * Caches the catalog text of each app. Joining and sending the manifests took four fifths of the
 * time of a catalog. An entry is used only if it matches the current row in the database, so it is
 * never stale.
 */
@Injectable()
export class CatalogEntryCache {
  private readonly entries = new LRUCache<string, CatalogEntry>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ json }) => json.length,
  });

  constructor(private readonly dataSource: DataSource) {}

  /**
   * Entries of these apps, in their order; null if a manifest has left the user's catalog since
   * `apps` was read.
   */
  async findEntries(userId: string, apps: readonly CatalogAppState[]): Promise<CatalogEntry[] | null> {
    const known = apps.map((app) => this.known(app));
    const missing = apps.filter((_app, at) => !known[at]);
    if (!missing.length) return known as CatalogEntry[];
    const manifests = await this.manifests(userId, missing);
    const found = apps.map((app, at) => known[at] ?? this.keep(app, manifests.get(app.hash)));
    return found.every((entry) => entry !== undefined) ? found : null;
  }

  private known(app: CatalogAppState): CatalogEntry | undefined {
    const entry = this.entries.get(app.app_id);
    return entry && isSame(entry.app, app) ? entry : undefined;
  }

  private keep(
    { app_id, name, description, version, category, hash }: CatalogAppState,
    manifest: string | undefined,
  ): CatalogEntry | undefined {
    if (manifest === undefined) return undefined;
    const head = JSON.stringify({ app_id, name, description, version, category });
    const entry = {
      app: { app_id, name, description, version, category, hash },
      json: Buffer.from(`,${head.slice(0, -1)}${manifest}}`),
      digest: sha256(`${hash}${head}`).toString('base64url'),
    };
    this.entries.set(app_id, entry);
    return entry;
  }

  /**
   * Reads the manifests of these apps: by hash, the text `,"tools":[…],"skeleton_sections":[…]`. A
   * manifest that has left the user's catalog is missing.
   */
  private async manifests(userId: string, apps: readonly CatalogAppState[]): Promise<Map<string, string>> {
    const rows = await queryPrepared<{ hash: string; text: string }>(
      this.dataSource,
      `SELECT encode(m.sha256, 'hex') AS hash, ',"tools":' || m.tools || ',"skeleton_sections":' || m.skeleton_sections AS text
       FROM ${catalogJoin('= $1')} AND encode(m.sha256, 'hex') = ANY ($2)`,
      [userId, apps.map(({ hash }) => hash)],
    );
    return new Map(rows.map(({ hash, text }) => [hash, text]));
  }
}

const isSame = (one: CatalogAppState, other: CatalogAppState): boolean =>
  one.hash === other.hash &&
  one.version === other.version &&
  one.name === other.name &&
  one.description === other.description &&
  one.category === other.category;
