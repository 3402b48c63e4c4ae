import type { AppDocument } from '@platform/app-document';
import { DEFAULT_TENANT, type NewInVersion, type ToolManifest } from '@platform/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { Jobs, Notifications } from '@platform/messaging';
import { Outbox, violatedConstraint } from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';
import { recordAudit } from '../../audit/record-audit.js';
import { App } from '../../developer/app.entity.js';
import { listingChanges } from '../../developer/apps/listing-of-document.js';
import { newInVersion, type ServedApp } from '../../developer/reviews/new-in-version.js';
import { servedVersionQueue } from '../served-versions.jobs.js';
import { appSyncQueue } from '../app-sync.jobs.js';
import { DeployMetrics } from '../deploy-metrics.js';
import { IS_REPLACEMENT, type AppRecord } from './registry-copies.js';

/** Notifies of deploys that went on or ended. */
export const DEPLOY_CHANGED = 'deploy-changed';

export interface DeployWork extends AppRecord {
  deploy_id: string;
  number: number;
  requested_by: string;
  version: string;
  sha256: Buffer;
  document: AppDocument | null;
  manifest: ToolManifest;
  /** See `VersionToHold`. */
  is_replacement: boolean;
  /** Of the developer, for the audit log. */
  tenant_id: string;
}

interface Outcome {
  status: 'success' | 'waiting';
  seconds: number;
  overtaken: string[];
}

/** Of a reason in the audit log, which keeps it for ever. */
const MAX_REASON = 500;
const UNFINISHED = "status IN ('pending', 'validating', 'syncing')";

/** The states of a deploy. Every change names the state that it starts from, so of several workers only one makes it. */
@Injectable()
export class DeployStates {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(Outbox) private readonly outbox: Outbox,
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(Notifications) private readonly notifications: Notifications,
    @Inject(DeployMetrics) private readonly metrics: DeployMetrics,
  ) {}

  /** What there is to do; null when the deploy has ended, or its app is gone. */
  async begin(deployId: string): Promise<DeployWork | null> {
    await this.dataSource.query("UPDATE deploys SET status = 'validating' WHERE deploy_id = $1 AND status = 'pending'", [deployId]);
    const [work] = await this.dataSource.query<DeployWork[]>(
      `SELECT d.deploy_id, d.number, d.requested_by, v.version, v.sha256, v.document, v.manifest, ${IS_REPLACEMENT} AS is_replacement,
         a.app_id, a.developer_id, a.display_name, a.short_description, a.description, a.category, a.status,
         coalesce(u.tenant_id, $2) AS tenant_id
       FROM deploys d JOIN app_versions v ON v.app_id = d.app_id AND v.version = d.version JOIN apps a ON a.app_id = d.app_id
         LEFT JOIN users u ON u.id = a.developer_id
       WHERE d.deploy_id = $1 AND d.${UNFINISHED}`,
      [deployId, DEFAULT_TENANT],
    );
    return work ?? null;
  }

  /** One of an app at a time. Returns the deploy that is in the way; null when none is. */
  async beginSyncing({ deploy_id: deployId, app_id: appId }: DeployWork): Promise<string | null> {
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
      const [other] = await this.dataSource.query<{ deploy_id: string }[]>(
        "SELECT deploy_id FROM deploys WHERE app_id = $1 AND status = 'syncing'",
        [appId],
      );
      if (other) return other.deploy_id; // unless it has ended just now
    }
  }

  /** Whether the version has the content that it had when the work began. */
  async isCurrent({ app_id: appId, version, sha256 }: DeployWork): Promise<boolean> {
    const found = await this.dataSource.query<unknown[]>('SELECT 1 FROM app_versions WHERE app_id = $1 AND version = $2 AND sha256 = $3', [
      appId,
      version,
      sha256,
    ]);
    return found.length > 0;
  }

  /** The Registry holds the version. False when the app is gone, or the version has got its content meanwhile. */
  async markHeld({ deploy_id: deployId, app_id: appId, version, sha256 }: DeployWork): Promise<boolean> {
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
   * From now on the gateway serves the version, which both hold, its listing says what the document does, and older deploys that are under
   * way have been overtaken. A version of an app in the marketplace that asks for more than the one which is served waits for a review
   * instead. Does nothing when the deploy has ended meanwhile.
   *
   * @param iconSvg replaces the app's icon; null keeps it.
   */
  async serve(work: DeployWork, iconSvg: string | null): Promise<void> {
    const { deploy_id: deployId, app_id: appId, version, number } = work;
    const outcome = await this.outbox.transaction<Outcome | null>(async (em) => {
      // Locked before the rows of its deploys, as whoever asks for a deploy does, and read with the lock: an approval may be under way.
      const [app] = await em.query<(ServedApp & Pick<App, 'status' | 'system'>)[]>(
        `SELECT app_id AS "appId", status, system, served_version AS "servedVersion", display_name AS "displayName", icon_svg AS "iconSvg"
         FROM apps WHERE app_id = $1 FOR NO KEY UPDATE`,
        [appId],
      );
      const isReviewed = app?.status === 'active' && !app.system;
      const news = isReviewed ? await newInVersion(em, app, version, iconSvg) : null;
      if (news) return this.wait(em, work, news);
      const [[served]] = await em.query<[{ seconds: number }[], number]>(
        `UPDATE deploys SET status = 'success', error_message = '', finished_at = now() WHERE deploy_id = $1 AND status = 'syncing'
         RETURNING extract(epoch FROM now() - created_at)::float AS seconds`,
        [deployId],
      );
      if (!served) return null;
      const [others] = await em.query<[{ deploy_id: string }[], number]>(
        `UPDATE deploys SET status = 'superseded', error_message = '', finished_at = now()
         WHERE app_id = $1 AND number < $2 AND (${UNFINISHED} OR status = 'waiting') RETURNING deploy_id`,
        [appId, number],
      );
      const [[before]] = await em.query<[{ served_version: string | null }[], number]>(
        `WITH before AS (SELECT served_version FROM apps WHERE app_id = $1)
         UPDATE apps SET served_version = $2, icon_svg = coalesce($3, icon_svg), updated_at = now() FROM before
         WHERE app_id = $1 RETURNING before.served_version`,
        [appId, version, iconSvg],
      );
      const listing = await listingChanges(em, { appId, servedVersion: before?.served_version ?? null }, version);
      if (Object.keys(listing).length) await em.update(App, { appId }, listing);
      await this.audit(em, work, 'app.deployed', { served_version: before?.served_version ?? null }, { served_version: version });
      await this.jobs.enqueue(em, appSyncQueue, 'sync', { app_id: appId, release: true });
      await this.jobs.enqueue(em, servedVersionQueue, 'served', { app_id: appId });
      return { status: 'success' as const, seconds: served.seconds, overtaken: others.map(({ deploy_id: id }) => id) };
    });
    if (!outcome) return;
    const { status, seconds, overtaken } = outcome;
    if (status === 'success') this.metrics.served(seconds);
    this.metrics.finished(status);
    this.metrics.finished('superseded', overtaken.length);
    await this.notifications.publish(DEPLOY_CHANGED, [deployId, ...overtaken]);
  }

  /** The Registry holds the version, and a review decides whether it is served. Of an app one waits: the newest. */
  private async wait(em: EntityManager, work: DeployWork, news: NewInVersion): Promise<Outcome | null> {
    const { deploy_id: deployId, app_id: appId, version, number } = work;
    const [others] = await em.query<[{ deploy_id: string }[], number]>(
      `UPDATE deploys SET status = 'superseded', error_message = '', finished_at = now()
       WHERE app_id = $1 AND number < $2 AND (${UNFINISHED} OR status = 'waiting')
         AND EXISTS (SELECT FROM deploys own WHERE own.deploy_id = $3 AND own.status = 'syncing') RETURNING deploy_id`,
      [appId, number, deployId],
    );
    const [[waiting]] = await em.query<[{ seconds: number }[], number]>(
      `UPDATE deploys SET status = 'waiting', error_message = '', finished_at = now(), waits_for = $2
       WHERE deploy_id = $1 AND status = 'syncing' RETURNING extract(epoch FROM now() - created_at)::float AS seconds`,
      [deployId, JSON.stringify(news)],
    );
    if (!waiting) return null;
    await this.audit(em, work, 'app.review_requested', null, { version, waits_for: news });
    return { status: 'waiting', seconds: waiting.seconds, overtaken: others.map(({ deploy_id: id }) => id) };
  }

  /** For good. Does nothing when the deploy has ended meanwhile. */
  async fail(work: DeployWork, reason: string): Promise<void> {
    const { deploy_id: deployId } = work;
    const hasFailed = await this.dataSource.transaction(async (em) => {
      const [, count] = await em.query<[unknown[], number]>(
        `UPDATE deploys SET status = 'failed', error_message = $2, finished_at = now() WHERE deploy_id = $1 AND ${UNFINISHED}`,
        [deployId, reason],
      );
      if (count) await this.audit(em, work, 'app.deploy_failed', null, { version: work.version, reason: reason.slice(0, MAX_REASON) });
      return count > 0;
    });
    if (!hasFailed) return;
    this.metrics.finished('failed');
    await this.notifications.publish(DEPLOY_CHANGED, [deployId]);
  }

  /** An attempt did not get through; another one follows. */
  async noteFailedAttempt(deployId: string, reason: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE deploys SET failed_attempts = failed_attempts + 1, error_message = $2 WHERE deploy_id = $1 AND ${UNFINISHED}`,
      [deployId, reason],
    );
    await this.notifications.publish(DEPLOY_CHANGED, [deployId]);
  }

  /** What a worker does was asked for by somebody: both stand in the log. */
  private audit(em: EntityManager, work: DeployWork, action: string, before: object | null, after: object): Promise<void> {
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
