import { Inject, Injectable } from '@nestjs/common';
import type { AsJson, RegistryApp } from '@platform/contracts';
import { exponentialBackoff, JobsService, type QueueDefinition } from '@platform/messaging';
import { Outbox } from '@platform/persistence';
import { LOGGER } from '@platform/platform';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import { isDeepStrictEqual } from 'node:util';
import { DataSource } from 'typeorm';
import { RegistryClient } from '../../../kernel/peers/registry/registry.client.js';
import { deployQueue } from '../versions/deploy.jobs.js';
import { DevelopmentVersionsService } from '../versions/development-versions.service.js';
import { IS_UNFINISHED } from '../versions/unfinished-deploys.js';
import { AppSyncService, findDifferences } from './app-sync.service.js';
import { namesOf, registryFields, type AppRecord } from './registry-manifests.service.js';

type ReconcileJobs = { reconcile: Record<string, never>; 'prune-versions': Record<string, never> };

const EVERY_MS = 5 * 60_000;
const PRUNE_EVERY_MS = 15 * 60_000;
const PAGE = 200;
const AT_ONCE = 4;
/** Age of an unfinished deploy after which its job is looked for. */
const OVERDUE = '1 minute';

const reconcileQueue: QueueDefinition<ReconcileJobs> = {
  name: 'deploy-reconcile',
  attempts: 3,
  backoff: exponentialBackoff(5_000, 60_000),
  concurrency: 1,
};

interface ComparedApp extends AppRecord {
  served_version: string | null;
  tools: { name: string }[] | null;
}

/**
 * Repairs lost work: unfinished deploys without a job, and apps whose record at the Registry
 * service differs from the gateway's. Differences that it cannot repair are kept in
 * `app_mismatches`.
 */
@Injectable()
export class DeployReconciliationWorker {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly registry: RegistryClient,
    private readonly appSync: AppSyncService,
    versions: DevelopmentVersionsService,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly jobs: JobsService,
  ) {
    jobs.registerHandlers(reconcileQueue, {
      reconcile: () => this.reconcileDeploys(),
      'prune-versions': () => versions.deleteUnusedVersions(),
    });
    jobs.scheduleJob(reconcileQueue, 'reconcile', EVERY_MS);
    jobs.scheduleJob(reconcileQueue, 'prune-versions', PRUNE_EVERY_MS);
  }

  async reconcileDeploys(): Promise<void> {
    await this.restartLostDeploys();
    await this.compareApps();
  }

  private async restartLostDeploys(): Promise<void> {
    const lost = await this.outbox.transaction(async (em) => {
      const deploys = await em.query<{ deploy_id: string; owner: string | null }[]>(
        `SELECT d.deploy_id, a.developer_id AS owner FROM deploys d LEFT JOIN apps a ON a.app_id = d.app_id
         WHERE d.${IS_UNFINISHED} AND d.created_at < now() - interval '${OVERDUE}' AND NOT EXISTS (
           SELECT FROM outbox WHERE queue = '${deployQueue.name}' AND failed_at IS NULL AND payload ->> 'deploy_id' = d.deploy_id)
         ORDER BY d.created_at LIMIT ${PAGE}`,
      );
      for (const deploy of deploys) await this.jobs.enqueue(em, deployQueue, 'run', deploy);
      return deploys.length;
    });
    if (lost) this.logger.warn({ deploys: lost }, 'unfinished deploys had lost their jobs and were restarted');
  }

  private async compareApps(): Promise<void> {
    const listed: string[] = [];
    for (let offset = 0; ; offset += PAGE) {
      const records = await this.registry.listApps({ status: 'all', limit: PAGE, offset });
      await this.compare(records);
      listed.push(...records.map(({ app_id: appId }) => appId));
      if (records.length < PAGE) break;
    }
    const missing = await this.dataSource.query<{ app_id: string }[]>(
      'SELECT app_id FROM apps WHERE served_version IS NOT NULL AND app_id <> ALL ($1) ORDER BY app_id',
      [listed],
    );
    await this.syncApps(missing.map(({ app_id: appId }) => appId));
  }

  private async compare(records: AsJson<RegistryApp>[]): Promise<void> {
    const byId = new Map(records.map((record) => [record.app_id, record]));
    const apps = await this.dataSource.query<ComparedApp[]>(
      `SELECT a.app_id, a.developer_id, a.display_name, a.short_description, a.description, a.category, a.status, a.served_version,
         v.manifest -> 'tools' AS tools
       FROM apps a LEFT JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
       WHERE a.app_id = ANY ($1)`,
      [[...byId.keys()]],
    );
    const different = apps
      .filter((app) => isDifferent(app, byId.get(app.app_id) as AsJson<RegistryApp>))
      .map(({ app_id: appId }) => appId);
    await this.syncApps(different);
    const same = apps.map(({ app_id: appId }) => appId).filter((appId) => !different.includes(appId));
    await this.dataSource.query('DELETE FROM app_mismatches WHERE app_id = ANY ($1)', [same]);
  }

  /** Syncs each app with the Registry. A failure is logged and does not stop the others. */
  private async syncApps(appIds: string[]): Promise<void> {
    const limit = pLimit(AT_ONCE);
    const bring = async (appId: string) => {
      this.logger.warn({ app_id: appId }, 'the Registry record of an app differs from the gateway');
      await this.appSync
        .syncApp(appId)
        .catch((error: unknown) =>
          this.logger.warn({ err: error, app_id: appId }, 'the sync of an app with the Registry failed'),
        );
    };
    await Promise.all(appIds.map((appId) => limit(bring, appId)));
  }
}

/**
 * True if the two records of an app differ in their fields, the served version or the names of the
 * functions. The Registry's list has no more than these.
 */
function isDifferent(app: ComparedApp, record: AsJson<RegistryApp>): boolean {
  if (findDifferences(record, registryFields(app)) || record.version !== app.served_version) return true;
  return !isDeepStrictEqual(namesOf(record.tools), namesOf(app.tools ?? []));
}
