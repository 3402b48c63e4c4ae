import type { AppDocument } from '@platform/app-document';
import { truncateText, DEFAULT_TENANT, type NewInVersion, type ToolManifest } from '@platform/contracts';
import { Injectable } from '@nestjs/common';
import { BroadcastService } from '@platform/messaging';
import { Outbox, violatedConstraint, type Row } from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';
import { DeveloperNoticesService } from '../versions/developer-notices.service.js';
import { recordAudit } from '../../../kernel/audit/record-audit.js';
import { App } from '../../model/app.entity.js';
import { findChangesToReview, type ServedApp } from '../versions/changes-to-review.js';
import { IS_UNFINISHED, UNFINISHED } from '../versions/unfinished-deploys.js';
import { DEPLOY_CHANGED, DeployCompletionService, type DeployEnd } from './deploy-completion.service.js';
import { IS_REPLACEMENT, type AppRecord } from './registry-manifests.service.js';
import type { Deploy } from '../versions/deploy.entity.js';

export interface DeployWork extends AppRecord {
  deploy_id: string;
  number: number;
  requested_by: string;
  version: string;
  sha256: Buffer;
  document: AppDocument | null;
  manifest: ToolManifest;
  /** See `VersionToStore`. */
  is_replacement: boolean;
  /** Tenant of the developer, for the audit log. */
  tenant_id: string;
}

/** Characters of a reason in the audit log, which is never deleted. */
const MAX_REASON = 500;

/** Entries of a list in the audit log. */
const MAX_LISTED = 50;

/**
 * State changes of a deploy. Every change names the state that it starts from, so only one of
 * several workers makes it.
 */
@Injectable()
export class DeployStatesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly broadcast: BroadcastService,
    private readonly ends: DeployCompletionService,
    private readonly notices: DeveloperNoticesService,
  ) {}

  /**
   * Marks a pending deploy as `validating` and loads its work. Null if it has ended, waits for a
   * review, or its app was deleted.
   */
  async startDeploy(deployId: string): Promise<DeployWork | null> {
    await this.dataSource.query(
      "UPDATE deploys SET status = 'validating' WHERE deploy_id = $1 AND status = 'pending'",
      [deployId],
    );
    const [work] = await this.dataSource.query<DeployWork[]>(
      `SELECT d.deploy_id, d.number, d.requested_by, v.version, v.sha256, v.document, v.manifest, ${IS_REPLACEMENT} AS is_replacement,
         a.app_id, a.developer_id, a.display_name, a.short_description, a.description, a.category, a.status,
         coalesce(u.tenant_id, $2) AS tenant_id
       FROM deploys d JOIN app_versions v ON v.app_id = d.app_id AND v.version = d.version JOIN apps a ON a.app_id = d.app_id
         LEFT JOIN users u ON u.id = a.developer_id
       WHERE d.deploy_id = $1 AND d.${IS_UNFINISHED}`,
      [deployId, DEFAULT_TENANT],
    );
    return work ?? null;
  }

  /**
   * Moves a deploy from the state `validating` to `syncing`, which one deploy of an app can have at
   * a time. Returns the id of the deploy that has this state now and blocks it; null if none blocks
   * it.
   */
  async startSyncing({ deploy_id: deployId, app_id: appId }: DeployWork): Promise<string | null> {
    for (;;) {
      try {
        await this.dataSource.query(
          "UPDATE deploys SET status = 'syncing', validated_at = now() WHERE deploy_id = $1 AND status = 'validating'",
          [deployId],
        );
        return null;
      } catch (error) {
        if (violatedConstraint(error) !== 'deploys_one_syncing_idx') throw error;
      }
      const [other] = await this.dataSource.query<Row<Deploy, 'deployId'>[]>(
        "SELECT deploy_id FROM deploys WHERE app_id = $1 AND status = 'syncing'",
        [appId],
      );
      if (other) return other.deploy_id; // otherwise it has just ended: try again
    }
  }

  /** True if the version still has the content that was read with the work. */
  async isVersionCurrent({ app_id: appId, version, sha256 }: DeployWork): Promise<boolean> {
    const found = await this.dataSource.query<unknown[]>(
      'SELECT 1 FROM app_versions WHERE app_id = $1 AND version = $2 AND sha256 = $3',
      [appId, version, sha256],
    );
    return found.length > 0;
  }

  /**
   * Records for the version and the deploy that the Registry has stored the version. False if the
   * app was deleted or the content of the version has changed.
   */
  async markStored({ deploy_id: deployId, app_id: appId, version, sha256 }: DeployWork): Promise<boolean> {
    return this.dataSource.transaction(async (em) => {
      const [, count] = await em.query<[unknown[], number]>(
        `UPDATE app_versions SET registry_held_at = coalesce(registry_held_at, now())
         WHERE app_id = $1 AND version = $2 AND sha256 = $3`,
        [appId, version, sha256],
      );
      await em.query('UPDATE deploys SET held_at = now() WHERE deploy_id = $1 AND held_at IS NULL', [deployId]);
      return count > 0;
    });
  }

  /**
   * Makes the gateway serve (run) a version that gateway and Registry have stored. If the app is in
   * the marketplace and the version needs a review, the deploy waits for that instead. Does nothing
   * if the deploy has ended or the app was deleted.
   *
   * @param iconSvg replaces the app's icon; null keeps it.
   */
  async serveVersion(work: DeployWork, iconSvg: string | null): Promise<void> {
    const { app_id: appId, version } = work;
    const end = await this.outbox.transaction<DeployEnd | null>(async (em) => {
      // Locks the app before its deploys, in the same order as a request for a deploy. Reads it
      // under the lock, because an approval may be in progress.
      const [app] = await em.query<(ServedApp & Pick<App, 'status' | 'system'>)[]>(
        `SELECT app_id AS "appId", status, system, served_version AS "servedVersion", display_name AS "displayName", icon_svg AS "iconSvg"
         FROM apps WHERE app_id = $1 FOR NO KEY UPDATE`,
        [appId],
      );
      if (!app) return null; // the app was deleted together with its deploys
      const isReviewed = app.status === 'active' && !app.system;
      const news = isReviewed ? await findChangesToReview(em, app, version, iconSvg) : null;
      if (news) return this.waitForReview(em, work, news);
      return this.ends.serveVersion(em, app, { ...work, from: ['syncing'], iconSvg }, async (changes) => {
        await em.update(App, { appId }, { ...changes, updatedAt: () => 'now()' });
        await this.audit(em, work, 'app.deployed', { served_version: app.servedVersion }, { served_version: version });
      });
    });
    await this.ends.notifyDeployEnd(end);
  }

  /**
   * Makes the deploy wait for a review of `news`, and supersedes an older one: one deploy of an app
   * waits, the newest. Returns null if the deploy is no longer in the state `syncing`.
   */
  private async waitForReview(em: EntityManager, work: DeployWork, news: NewInVersion): Promise<DeployEnd | null> {
    const { deploy_id: deployId, app_id: appId, version, number } = work;
    const own = await em.query<unknown[]>(
      "SELECT 1 FROM deploys WHERE deploy_id = $1 AND status = 'syncing' FOR NO KEY UPDATE",
      [deployId],
    );
    if (!own.length) return null;
    // before the update, because only one deploy of an app can wait
    const overtaken = await this.ends.supersedeOlderDeploys(em, appId, number);
    await em.query(
      "UPDATE deploys SET status = 'waiting', error_message = '', finished_at = now(), waits_for = $2 WHERE deploy_id = $1",
      [deployId, JSON.stringify(news)],
    );
    await this.audit(em, work, 'app.review_requested', null, { version, waits_for: shortenChanges(news) });
    await this.notices.notifyOfDeploys(em, [deployId, ...overtaken]);
    return { deployId, status: 'waiting', superseded: overtaken };
  }

  /** Ends the deploy as failed, permanently. Does nothing if it is no longer in progress. */
  async failDeploy(work: DeployWork, reason: string): Promise<void> {
    const end = await this.dataSource.transaction(async (em) => {
      const failed = await this.ends.failDeploy(em, { ...work, from: UNFINISHED }, reason);
      if (failed)
        await this.audit(em, work, 'app.deploy_failed', null, {
          version: work.version,
          reason: truncateText(reason, MAX_REASON),
        });
      return failed;
    });
    await this.ends.notifyDeployEnd(end);
  }

  /**
   * Counts a failed attempt that will be retried, and stores its reason for the developer. Does
   * nothing if the deploy is no longer in progress.
   */
  async recordFailedAttempt(deployId: string, reason: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE deploys SET failed_attempts = failed_attempts + 1, error_message = $2 WHERE deploy_id = $1 AND ${IS_UNFINISHED}`,
      [deployId, reason],
    );
    await this.broadcast.publish(DEPLOY_CHANGED, [deployId]);
  }

  /**
   * Writes an entry about the app to the audit log. It names the worker, and the user or service
   * that requested the deploy.
   */
  private audit(
    em: EntityManager,
    work: DeployWork,
    action: string,
    before: object | null,
    after: object,
  ): Promise<void> {
    return recordAudit(em, {
      action,
      target: { type: 'app', id: work.app_id },
      tenantId: work.tenant_id,
      before,
      after,
      metadata: { deploy_id: work.deploy_id },
      actor: { type: 'system', id: 'job:deploys', onBehalfOf: work.requested_by },
    });
  }
}

/**
 * Shortens the lists of `news` to 50 entries for the audit log, and adds the full lengths of the
 * shortened lists as `counts`. The deploy has the full lists.
 */
function shortenChanges(news: NewInVersion): object {
  const entries = Object.entries(news) as [string, unknown][];
  const long = entries.filter(
    (entry): entry is [string, unknown[]] => Array.isArray(entry[1]) && entry[1].length > MAX_LISTED,
  );
  const short = Object.fromEntries(
    entries.map(([key, value]) => [key, Array.isArray(value) ? value.slice(0, MAX_LISTED) : value]),
  );
  return long.length ? { ...short, counts: Object.fromEntries(long.map(([key, list]) => [key, list.length])) } : short;
}
