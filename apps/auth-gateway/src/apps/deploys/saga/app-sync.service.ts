import { Injectable } from '@nestjs/common';
import type { AsJson, RegistryApp, UpdateRegistryAppRequest } from '@platform/contracts';
import { JobsService, PermanentFailure } from '@platform/messaging';
import type { ErrorCode, Tagged } from '@platform/platform';
import { DataSource } from 'typeorm';
import { isRefusedWith } from '../../../kernel/peers/registry/registry.errors.js';
import { RegistryClient } from '../../../kernel/peers/registry/registry.client.js';
import { appSyncQueue, isAppRemovalPending } from '../versions/app-sync.jobs.js';
import { DeployMetricsService } from '../versions/deploy-metrics.service.js';
import type { MismatchKind } from './app-mismatch.entity.js';
import {
  throwRegistryRefusal,
  IS_REPLACEMENT,
  registryFields,
  RegistryManifestsService,
  RegistryRefusal,
  type AppRecord,
  type VersionToStore,
} from './registry-manifests.service.js';

interface SyncedApp extends AppRecord {
  served_version: string | null;
  served: VersionToStore | null;
}

/** Most retries after other writers changed the record between read and write. */
const MAX_RETRIES = 20;
/** Error codes of the Registry for a record that changed since it was read. */
const CONFLICT_CODES: readonly ErrorCode[] = ['precondition_failed', 'app.not_found', 'app.version_not_held'];

/** Makes the record of an app at the Registry service equal to the record at the gateway. */
@Injectable()
export class AppSyncService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly registry: RegistryClient,
    private readonly copies: RegistryManifestsService,
    private readonly metrics: DeployMetricsService,
    jobs: JobsService,
  ) {
    jobs.registerHandlers(appSyncQueue, {
      sync: ({ app_id, release, removed }) => this.syncApp(app_id, { release, removed }).catch(asPermanent),
    });
  }

  /**
   * Makes the Registry's record of an app equal to the gateway's current one, or deletes it if the
   * gateway has no such app. Can run again, late, and concurrently: it reads the Registry before
   * the gateway, writes only if the Registry's record has not changed since, and checks again after
   * a write. Does nothing while the copy of a deleted app with this id must still be removed.
   *
   * @param how with `removed`, the record of a deleted app is deleted first. Without `release`, a
   * version that another party released at the Registry stays, and an `AppMismatch` is stored.
   * @throws RegistryRefusal if the Registry refuses a change permanently; ServiceUnavailable if it
   * cannot be reached; Error after 20 changes by others during the sync.
   */
  async syncApp(
    appId: string,
    { release = false, removed = false }: { release?: boolean; removed?: boolean } = {},
  ): Promise<void> {
    if (removed) await this.remove(appId);
    // the removal job continues with the sync
    else if (await isAppRemovalPending(this.dataSource.manager, appId)) return;
    for (let round = 0; round < MAX_RETRIES; round++) if (await this.syncOnce(appId, release)) return;
    throw new Error(`The Registry's record of ${appId} was changed ${MAX_RETRIES} times during one sync.`);
  }

  /**
   * Compares the records of an app once, and writes the differences to the Registry. Returns true
   * if nothing is left to do; false if the record was changed, here or by another writer, so that
   * it must be compared again.
   */
  private async syncOnce(appId: string, release: boolean): Promise<boolean> {
    const record = await this.findRecord(appId);
    const app = await this.findApp(appId);
    if (!app) {
      if (record) await this.remove(appId);
      return true;
    }
    const mismatch = await this.storeServedVersion(app);
    if (!record) return !app.served;
    const isForeign = !release && (await this.isForeign(appId, record.value));
    const canMove = app.served_version !== null && !mismatch && !isForeign;
    const version = canMove ? (app.served_version as string) : record.value.version;
    const changes = findDifferences(record.value, { ...registryFields(app), ...(version !== null && { version }) });
    if (changes) {
      await this.update(appId, changes, record.etag);
      return false;
    }
    await this.recordMismatch(appId, mismatch ?? (isForeign ? 'foreign_version' : null), record.value.version);
    if (canMove) await this.markReleased(appId, version as string);
    return true;
  }

  private async storeServedVersion({ served, ...app }: SyncedApp): Promise<MismatchKind | null> {
    if (!served) return null;
    try {
      await this.copies.storeManifest(app, served);
      return null;
    } catch (error) {
      if (error instanceof RegistryRefusal) return 'other_content';
      throw error;
    }
  }

  private async update(appId: string, changes: UpdateRegistryAppRequest, etag: string): Promise<void> {
    await this.registry.updateApp(appId, changes, etag).catch((error: unknown) => {
      const isOvertaken = CONFLICT_CODES.some((code) => isRefusedWith(error, code));
      if (!isOvertaken) throwRegistryRefusal(error);
    });
  }

  private async remove(appId: string): Promise<void> {
    await this.registry.deleteApp(appId).catch((error: unknown) => {
      if (!isRefusedWith(error, 'app.not_found')) throw error;
    });
  }

  private async findRecord(appId: string): Promise<Tagged<AsJson<RegistryApp>> | null> {
    try {
      return await this.registry.getApp(appId);
    } catch (error) {
      if (isRefusedWith(error, 'app.not_found')) return null;
      throw error;
    }
  }

  private async findApp(appId: string): Promise<SyncedApp | null> {
    const [row] = await this.dataSource.query<SyncedApp[]>(
      `SELECT a.app_id, a.developer_id, a.display_name, a.short_description, a.description, a.category, a.status, a.served_version,
         CASE WHEN v.version IS NOT NULL THEN
           jsonb_build_object('manifest', v.manifest, 'is_outside', v.document IS NULL, 'is_replacement', ${IS_REPLACEMENT}) END AS served
       FROM apps a LEFT JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
       WHERE a.app_id = $1`,
      [appId],
    );
    return row ?? null;
  }

  /**
   * True if the Registry serves a version that the gateway does not have. False if it serves none.
   */
  private async isForeign(appId: string, { version }: AsJson<RegistryApp>): Promise<boolean> {
    if (version === null) return false;
    const [row] = await this.dataSource.query<unknown[]>(
      'SELECT 1 FROM app_versions WHERE app_id = $1 AND version = $2',
      [appId, version],
    );
    return !row;
  }

  private async markReleased(appId: string, version: string): Promise<void> {
    const [released] = await this.dataSource.query<[{ seconds: number }[], number]>(
      `UPDATE deploys SET released_at = now() WHERE app_id = $1 AND version = $2 AND status = 'success' AND released_at IS NULL
       RETURNING extract(epoch FROM now() - CASE WHEN waits_for IS NULL THEN created_at ELSE finished_at END)::float AS seconds`,
      [appId, version],
    );
    for (const { seconds } of released) this.metrics.observeReleased(seconds);
  }

  private async recordMismatch(
    appId: string,
    mismatch: MismatchKind | null,
    registryVersion: string | null,
  ): Promise<void> {
    if (!mismatch) {
      await this.dataSource.query('DELETE FROM app_mismatches WHERE app_id = $1', [appId]);
      return;
    }
    await this.dataSource.query(
      `INSERT INTO app_mismatches AS m (app_id, kind, registry_version) SELECT app_id, $2, $3 FROM apps WHERE app_id = $1
       ON CONFLICT (app_id) DO UPDATE SET kind = excluded.kind, registry_version = excluded.registry_version,
         since = CASE WHEN (m.kind, m.registry_version) IS DISTINCT FROM (excluded.kind, excluded.registry_version) THEN now() ELSE m.since END`,
      [appId, mismatch, registryVersion],
    );
  }
}

/** Returns the fields of `wanted` that differ from the Registry's record; null if none do. */
export function findDifferences(
  record: AsJson<RegistryApp>,
  wanted: UpdateRegistryAppRequest,
): UpdateRegistryAppRequest | null {
  const changed = Object.entries(wanted).filter(([key, value]) => record[key as keyof RegistryApp] !== value);
  return changed.length ? Object.fromEntries(changed) : null;
}

const asPermanent = (error: unknown): never => {
  throw error instanceof RegistryRefusal ? new PermanentFailure(error.message) : error;
};
